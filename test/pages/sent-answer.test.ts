/** What a row shows is what was sent, also after its recording was edited. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AskView, RequestView } from '../../src/pages/run-views.ts'
import type { InteractionView } from '../../src/pages/views.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { taped } from './recorded-cassette.ts'

const page = (title: string) => response(jsonBody(`{"parse":{"title":"${title}"}}`))
const request = { action: 'parse', page: 'Б' }
const query = 'action=parse&page=%D0%91&format=json'

/** Edits all recordings of a folder, as a person does. */
function edit(folder: string, from: string, to: string): void {
  for (const name of interactionFiles(folder)) {
    const file = path.join(folder, name)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
  }
}

describe('the answer of a live request', () => {
  it('is told apart from that of an edited recording', async () => {
    const one = interactionOf(request, [page('old'), page('other')])
    const { api, cassette, view } = await taped([one])
    await ask(`${api}?${query}`)
    const [, [row]] = (await view('api/requests')) as [number, RequestView[]]
    const digests = async (): Promise<readonly string[]> => {
      const [, told] = await view(`api/interaction?key=${one.key}`)
      return (told as InteractionView).responses.map(({ digest }) => digest)
    }
    expect((await digests()).indexOf(row?.answer ?? '')).toBe(0)
    edit(cassette, 'old', 'new')
    expect(await digests()).not.toContain(row?.answer)
    expect((await digests())[1]).toBeTruthy()
  })

  it('is that of its recording also where a secret was replaced', async () => {
    const wiki = await fakeWiki(
      () => '{"query":{"userinfo":{"id":7,"name":"A","email":"a@b.example"}}}'
    )
    const { api, origin } = await startProxy(wiki.api)
    await ask(`${api}?action=query&meta=userinfo&uiprop=email&format=json`)
    const told = async (target: string): Promise<unknown> =>
      JSON.parse((await ask(`${origin}/__wikitape/api/${target}`)).text)
    const [row] = (await told('requests')) as RequestView[]
    const one = (await told(`interaction?key=${row?.key}`)) as InteractionView
    expect(row?.outcome).toBe('recorded')
    expect(one.responses[0]?.digest).toBe(row?.answer)
  })

  it('that was synthesized is what Ask gets, until a recording of it is edited', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    cpSync('cassettes/ru-1.43', cassette, { recursive: true })
    const { api, origin } = await startProxy(undefined, { cassette })
    const address = 'action=query&list=allpages&aplimit=7&format=json'
    await ask(`${api}?${address}`)
    const rows = await ask(`${origin}/__wikitape/api/requests`)
    const [row] = JSON.parse(rows.text) as RequestView[]
    const asked = async (): Promise<AskView> =>
      JSON.parse(
        (
          await ask(`${origin}/__wikitape/api/ask`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ address })
          })
        ).text
      )
    expect(row).toMatchObject({ outcome: 'synthesized', answer: (await asked()).answer })
    const { text } = await asked()
    const title = /"title":"([^"]+)"/.exec(text)?.[1] ?? ''
    edit(path.join(cassette, 'query.allpages'), JSON.parse(`"${title}"`), 'Edited')
    expect((await asked()).answer).not.toBe(row?.answer)
  })
})

it('the version of a cassette rises with an edit of a recording', async () => {
  const { cassette, view } = await taped([interactionOf(request, [page('old')])])
  const [, before] = await view('api/version')
  edit(cassette, 'old', 'new')
  await expect.poll(async () => (await view('api/version'))[1]).not.toBe(before)
})
