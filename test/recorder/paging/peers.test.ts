/**
 * The questions that other recorders were asked: a list recorded with `aplimit=10`, three batches, the wiki then
 * switched off. All seven columns, byte for byte beside what the wiki would have said.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { labVersions } from '../../../scripts/wiki/lab.ts'
import { nextRequest } from '../../../src/cli/capture/recorded-answers.ts'
import { readTree } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { writeQuery } from '../../../src/recorder/wiki/parameters/request-params.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { lettersWiki } from './fake-wiki.ts'

const model = lettersWiki()
const first = 'action=query&format=json&list=allpages&aplimit=10&continue='
const truth = (query: string): string => writeCompact(model.answer(query), 'ascii')
const secret = 'S3cretCookieValue0123456789abcdef'

/** Asks with an `init` of fetch; the body, and how it came about. */
async function ask(
  url: string,
  init: RequestInit = {}
): Promise<readonly [string, string | null]> {
  const response = await fetch(url, init)
  return [await response.text(), response.headers.get('x-cassette-status')]
}

/** Every answer of a walk. */
async function walk(
  api: string,
  start: string,
  init: RequestInit = {}
): Promise<readonly string[]> {
  const begun = new Map([...new URLSearchParams(start)])
  const bodies: string[] = []
  for (
    let params: ReadonlyMap<string, string> | undefined = begun;
    params !== undefined;
  ) {
    const [body] = await ask(`${api}?${writeQuery(params)}`, init)
    bodies.push(body)
    params = nextRequest(begun, params, readTree(body))
  }
  return bodies
}

/** Recorded with secrets in cookies, both ways. */
async function recordWalk(): Promise<{
  readonly cassette: string
  readonly recorded: readonly string[]
}> {
  const wiki = await fakeWiki((params) => {
    const query = [...params].map((pair) => pair.join('=')).join('&')
    const headers = { 'set-cookie': `wikiSession=${secret}; path=/; HttpOnly` }
    return { headers, body: truth(query) }
  })
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await startProxy(wiki.api, { cassette })
  const recorded = await walk(recording.api, first, {
    headers: { cookie: `wikiUserToken=${secret}` }
  })
  await recording.close()
  await wiki.close()
  return { cassette, recorded }
}

describe('a walk recorded from a wiki that is then switched off', () => {
  test('the same walk, and again', async () => {
    const { cassette, recorded } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    expect(recorded).toHaveLength(3)
    expect(await walk(api, first)).toEqual(recorded)
    expect(await walk(api, first)).toEqual(recorded)
  })

  test('parameters in another order', async () => {
    const { cassette, recorded } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const said = await ask(
      `${api}?continue=-||&apcontinue=Page_K&aplimit=10&list=allpages&format=json&action=query`
    )
    expect(said).toEqual([recorded[1], 'replayed'])
  })

  test('aplimit=5', async () => {
    const { cassette } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const query = first.replace('=10', '=5')
    expect(await ask(`${api}?${query}`)).toEqual([truth(query), 'synthesized'])
    expect(await walk(api, query)).toHaveLength(5)
  })

  test('apcontinue=Page F, which nobody recorded', async () => {
    const { cassette } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const query = `${first.replace('&continue=', '')}&apcontinue=Page_F&continue=-||`
    expect(await ask(`${api}?${query}`)).toEqual([truth(query), 'synthesized'])
  })
})

describe('a recorded walk, asked by another client', () => {
  test('another cookie and user agent', async () => {
    const { cassette, recorded } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const headers = { cookie: 'wikiUserToken=other; x=y', 'user-agent': 'another/1.0' }
    expect(await walk(api, first, { headers })).toEqual(recorded)
    const query = first.replace('=10', '=5')
    expect(await ask(`${api}?${query}`, { headers })).toEqual([
      truth(query),
      'synthesized'
    ])
  })

  test('the same call as a POST form', async () => {
    const { cassette, recorded } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const post = (query: string): RequestInit => ({
      method: 'POST',
      body: new URLSearchParams(query)
    })
    expect(await ask(api, post(first))).toEqual([recorded[0], 'replayed'])
    const query = first.replace('=10', '=5')
    expect(await ask(api, post(query))).toEqual([truth(query), 'synthesized'])
  })

  test('no cookie secret on disk', async () => {
    const { cassette } = await recordWalk()
    const files = readdirSync(cassette, { recursive: true, withFileTypes: true }).filter(
      (one) => one.isFile()
    )
    expect(files.length).toBeGreaterThan(3)
    for (const file of files)
      expect(readFileSync(path.join(file.parentPath, file.name)).includes(secret)).toBe(
        false
      )
  })

  test('what was not recorded and is not proven is a miss', async () => {
    const { cassette } = await recordWalk()
    const { api } = await startProxy(undefined, { cassette })
    const [body, status] = await ask(
      `${api}?${first.replace('&continue=', '')}&apcontinue=Page_9&continue=-||`
    )
    expect([JSON.parse(body), status]).toMatchObject([
      { error: { code: 'cassette-miss' } },
      'miss'
    ])
  })
})

describe.each(labVersions)('the shipped cassette of MediaWiki %s', (version) => {
  const cassette = path.resolve('cassettes', `ru-${version}`)
  const query = 'action=query&format=json&list=allpages&continue='
  const titlesIn = (bodies: readonly string[]): readonly string[] =>
    bodies.flatMap((body) => {
      const answer = JSON.parse(body) as {
        readonly query: { readonly allpages: readonly { readonly title: string }[] }
      }
      return answer.query.allpages.map(({ title }) => title)
    })

  test('walked at any limit gives the same list', async () => {
    const { api } = await startProxy(undefined, { cassette })
    const recorded = titlesIn(await walk(api, query))
    expect(recorded.length).toBeGreaterThan(200)
    for (const limit of [7, 25, 500])
      expect(
        titlesIn(await walk(api, `${query}&aplimit=${limit}`)),
        `aplimit=${limit}`
      ).toEqual(recorded)
    const from = titlesIn([(await ask(`${api}?${query}&aplimit=4&apfrom=река_07`))[0]])
    expect(from).toEqual(recorded.slice(recorded.indexOf('Река 07')).slice(0, 4))
  })
})
