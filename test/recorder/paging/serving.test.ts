/** What a client sees of paging: headers, envelopes, and misses that say what is lacking. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { lettersWiki } from './fake-wiki.ts'

const model = lettersWiki()
const base = 'action=query&format=json&list=allpages'
const truth = (query: string): string => writeCompact(model.answer(query), 'ascii')

/** A cassette of these requests. */
async function recorded(...queries: readonly string[]): Promise<string> {
  const wiki = await fakeWiki((params) =>
    truth([...params].map((pair) => pair.join('=')).join('&'))
  )
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await startProxy(wiki.api, { cassette })
  for (const query of queries) await (await fetch(`${recording.api}?${query}`)).text()
  await recording.close()
  return cassette
}

const tens = [0, 10, 20].map((at) => model.partAt(at, 10, 'continue'))
const fours = [0, 4, 8, 12, 16, 20, 24].map((at) => model.partAt(at, 4, 'continue'))

interface Miss {
  readonly error: { readonly code: string; readonly info: string }
  readonly cassette: { readonly reason: string }
}

async function miss(url: string): Promise<Miss> {
  const response = await fetch(url)
  expect(response.headers.get('x-cassette-status')).toBe('miss')
  return (await response.json()) as Miss
}

describe('an answer that nobody recorded', () => {
  test('names the recordings that prove it', async () => {
    const cassette = await recorded(...tens)
    const { api } = await startProxy(undefined, { cassette })
    const response = await fetch(
      `${api}?${base}&aplimit=3&apcontinue=Page_J&continue=-||`
    )
    expect(response.headers.get('x-cassette-status')).toBe('synthesized')
    const from = response.headers.get('x-cassette-synthesized-from')?.split(/[ ,]+/) ?? []
    const files = readdirSync(path.join(cassette, 'query.allpages'))
    expect(from).toHaveLength(2)
    for (const key of from) expect(files.some((file) => file.includes(key))).toBe(true)
    expect(await response.text()).toBe(
      truth(`${base}&aplimit=3&apcontinue=Page_J&continue=-||`)
    )
  })

  test('comes in every envelope', async () => {
    const { api } = await startProxy(undefined, { cassette: await recorded(...tens) })
    const query = `${base}&aplimit=3&continue=`
    const wanted = truth(query)
    const jsonp = await (await fetch(`${api}?${query}&callback=told`)).text()
    expect(jsonp).toContain(`told(${wanted})`)
    const page = await fetch(`${api}?${query.replace('format=json', 'format=jsonfm')}`)
    expect(page.headers.get('content-type')).toContain('text/html')
    expect(await page.text()).toContain('Page C')
    const answer = (await (await fetch(`${api}?${query}&requestid=7`)).json()) as {
      readonly requestid: string
    }
    expect(answer.requestid).toBe('7')
  })

  test('is a miss where synthesis is turned off', async () => {
    const { api } = await startProxy(undefined, {
      cassette: await recorded(...tens),
      onMiss: 'error'
    })
    expect((await miss(`${api}?${base}&aplimit=3&continue=`)).cassette.reason).toBe(
      'param-differs'
    )
  })
})

describe('what is not proven', () => {
  test('a gap is named by the rows on either side of it', async () => {
    const { api } = await startProxy(undefined, {
      cassette: await recorded(...tens.filter((_, at) => at !== 1))
    })
    const { error, cassette } = await miss(`${api}?${base}&aplimit=12&continue=`)
    expect(cassette.reason).toBe('outside-coverage')
    expect(error.info).toContain('not recorded: what lies between Page J and Page U')
  })

  test('two batches that contradict each other are both named', async () => {
    const cassette = await recorded(...tens, ...fours)
    const folder = path.join(cassette, 'query.allpages')
    const file =
      readdirSync(folder).find((name) =>
        readFileSync(path.join(folder, name), 'utf8').includes('"Page N"')
      ) ?? ''
    const text = readFileSync(path.join(folder, file), 'utf8')
    writeFileSync(path.join(folder, file), text.replace('"Page N"', '"Page N renamed"'))
    const { api } = await startProxy(undefined, { cassette })
    const said = await miss(`${api}?${base}&aplimit=3&continue=`)
    expect(said.cassette.reason).toBe('conflict')
    const [own] = /[0-9a-f]{12}/.exec(file) ?? ['?']
    expect(said.error.info).toContain(own)
    expect(new Set(said.error.info.match(/[0-9a-f]{12}/g)).size).toBeGreaterThan(1)
  })

  test('a limit beyond the maximum says so where its warning is not known', async () => {
    const { api } = await startProxy(undefined, { cassette: await recorded(...tens) })
    const german = await miss(
      `${api}?${base}&aplimit=5000&continue=&requestid=1&errorlang=de`
    )
    expect(german.cassette.reason).toBe('param-differs')
    const response = await fetch(`${api}?${base}&aplimit=5000&continue=`)
    expect(response.headers.get('x-cassette-status')).toBe('synthesized')
    expect(await response.text()).toContain(
      'for parameter \\"aplimit\\" must be between 1 and 500.'
    )
  })
})
