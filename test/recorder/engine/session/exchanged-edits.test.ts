/** Edits of two pages, made in another order than recorded: what only their end shows is the same. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client } from '../../../helpers/stateful-wiki.ts'

type Params = Readonly<Record<string, string>>

const edit = (title: string): Params => ({
  action: 'edit',
  title,
  text: 'x',
  token: '+\\'
})
const upload: Params = { action: 'upload', filename: 'A.png', filekey: 'k', token: '+\\' }

/** A wiki that shows what was done in order, or sorted. */
async function doingWiki(): Promise<string> {
  const done: string[] = []
  const wiki = await fakeWiki((params) => {
    const time = `2026-11-28T10:00:0${done.length}Z`
    const title = params.get('title')
    switch (params.get('action')) {
      case 'edit':
        done.push(title ?? '')
        return JSON.stringify({
          edit: { result: 'Success', title, new: '', newtimestamp: time }
        })
      case 'upload':
        done.push('File:A.png')
        return JSON.stringify({ upload: { result: 'Success', filename: 'A.png' } })
      default: {
        const list = params.get('list') ?? ''
        const limit = Number(params.get('uclimit') ?? '9')
        const rows =
          list === 'allpages' ? done.toSorted() : done.toReversed().slice(0, limit)
        return JSON.stringify({ query: { [list]: rows.map((one) => ({ title: one })) } })
      }
    }
  })
  return wiki.api
}

const list: Params = { action: 'query', list: 'allpages' }
const contributions = (limit: number): Params => ({
  action: 'query',
  list: 'usercontribs',
  ucuser: 'Bob',
  uclimit: String(limit)
})

/** What these requests get, recorded after edits of A and B, and then after those of B and A. */
async function exchanged(
  requests: readonly Params[]
): Promise<readonly (readonly string[])[]> {
  const send = async (
    api: string,
    all: readonly Params[]
  ): Promise<readonly string[]> => {
    const client = new Client(api, { cookie: `wiki_session=${'5'.repeat(32)}` })
    const texts: string[] = []
    for (const one of all) {
      const isWrite = one['token'] !== undefined
      texts.push((await (isWrite ? client.post(one) : client.get(one))).text)
    }
    return texts
  }
  const recording = await startProxy(await doingWiki())
  const live = await send(recording.api, [edit('A'), edit('B'), ...requests])
  await recording.close()
  const replay = await startProxy(undefined, { cassette: recording.cassette })
  const replayed = await send(replay.api, [edit('B'), edit('A'), ...requests])
  return [live.slice(2), replayed.slice(2)]
}

describe('two edits that were exchanged', () => {
  it('show the same pages, and may be followed by an upload', async () => {
    const [live, replayed] = await exchanged([list, upload, list])
    expect(replayed).toEqual(live)
  })

  it('show in lists of what was done', async () => {
    const [, replayed] = await exchanged([contributions(5)])
    expect(replayed?.[0]).toContain('cassette-miss')
  })

  it('do not show in a list of what was done since', async () => {
    const [live, replayed] = await exchanged([upload, contributions(1), contributions(2)])
    expect(replayed?.slice(0, 2)).toEqual(live?.slice(0, 2))
    expect(replayed?.[2]).toContain('cassette-miss')
  })
})

describe('a purge and an edit that were exchanged', () => {
  it('show in the members of a category: the purge finds what the edit has made', async () => {
    const pages = new Set<string>()
    let members: readonly string[] = []
    const wiki = await fakeWiki((params) => {
      const title = params.get('title')
      if (title !== undefined) pages.add(title)
      if (params.get('action') === 'purge') members = [...pages]
      if (params.get('action') !== 'query')
        return JSON.stringify({ edit: { result: 'Success' } })
      return JSON.stringify({
        query: { categorymembers: members.map((one) => ({ title: one })) }
      })
    })
    const purge = { action: 'purge', titles: 'V', forcelinkupdate: '1', token: '+\\' }
    const shown = { action: 'query', list: 'categorymembers', cmtitle: 'Category:V' }
    const recording = await startProxy(wiki.api)
    const client = new Client(recording.api, { cookie: `wiki_session=${'5'.repeat(32)}` })
    await client.post(edit('A'))
    await client.post(purge)
    expect((await client.get(shown)).text).toContain('"title":"A"')
    await recording.close()
    const { api } = await startProxy(undefined, { cassette: recording.cassette })
    const again = new Client(api, { cookie: `wiki_session=${'6'.repeat(32)}` })
    await again.post(purge)
    await again.post(edit('A'))
    expect((await again.get(shown)).text).toContain('cassette-miss')
  })
})
