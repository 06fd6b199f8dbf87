/** What a wiki gave and the client sends back: file keys, timestamps, ids of what was made. Each run of the wiki gives others. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client } from '../../../helpers/stateful-wiki.ts'

type Params = Readonly<Record<string, string>>

const token = `${'0f'.repeat(16)}+\\`

/** Its numbers, moments and file keys go on, and all of them are given once. */
async function numberingWiki(): Promise<string> {
  let given = 1000
  const next = (): number => {
    given += 1
    return given
  }
  const moment = (): string => new Date(1_790_000_000_000 + next() * 1000).toISOString()
  const key = (): string => `1cc2x${next()}k0b4.q7z${next()}w1.1.svg`
  const answers: Readonly<Record<string, () => object>> = {
    upload: () => {
      const filekey = key()
      return { result: 'Warning', filekey, sessionkey: filekey }
    },
    edit: () => ({
      result: 'Success',
      pageid: next(),
      newrevid: next(),
      newtimestamp: moment()
    }),
    block: () => ({ id: next(), userID: next() })
  }
  const rows = () => ({
    recentchanges: [{ rcid: next(), revid: next(), timestamp: moment() }],
    logevents: [{ logid: next() }],
    users: [{ userid: next() }]
  })
  const wiki = await fakeWiki((params) => {
    const action = params.get('action') ?? ''
    const sent = [...params.keys()].join(' ')
    const own =
      action === 'query' ? rows() : (answers[action]?.() ?? { result: 'Success' })
    return JSON.stringify({ [action]: { ...own, sent } })
  })
  return wiki.api
}

/** Uses whatever it was given, by all the parameters that take such a value. @param name of what it makes */
async function useWhatIsGiven(client: Client, name: string): Promise<readonly string[]> {
  const texts: string[] = []
  const noted = ({ text }: HttpReply) => {
    texts.push(text)
    return JSON.parse(text)
  }
  const post = async (params: Params) => noted(await client.post({ ...params, token }))
  const get = async (params: Params) =>
    noted(await client.get({ action: 'query', ...params }))
  const stashed = await post({ action: 'upload', filename: `${name}.svg`, url: 'x' })
  const { filekey = '', sessionkey = '' } = stashed.upload ?? {}
  await post({ action: 'upload', filename: `${name}.svg`, sessionkey, offset: '5' })
  await post({ action: 'upload', filename: `${name}.svg`, filekey, ignorewarnings: '' })
  const { edit } = await post({ action: 'edit', title: name, text: 'one' })
  const { pageid, newrevid, newtimestamp } = edit ?? {}
  const of = { pageid: String(pageid), basetimestamp: newtimestamp ?? '' }
  const second = await post({ action: 'edit', text: 'two', ...of })
  const latest = String(second.edit?.newrevid)
  await get({ prop: 'revisions', revids: `${newrevid}|${latest}` })
  await get({ prop: 'info', pageids: of.pageid })
  const { query } = await get({
    list: 'recentchanges|logevents|users',
    rctitle: name,
    ususers: name
  })
  const [changed] = query?.recentchanges ?? []
  await get({ list: 'recentchanges', rcstart: changed?.timestamp ?? '' })
  await post({ action: 'patrol', rcid: String(changed?.rcid) })
  await post({ action: 'edit', pageid: of.pageid, undo: latest })
  const logid = String(query?.logevents?.[0]?.logid)
  await post({ action: 'revisiondelete', type: 'logging', ids: logid })
  const userid = String(query?.users?.[0]?.userid)
  const { block } = await post({ action: 'block', userid })
  await post({ action: 'unblock', id: String(block?.id) })
  await post({ action: 'move', fromid: of.pageid, to: `${name} 2` })
  await post({ action: 'delete', pageid: of.pageid })
  return texts
}

const steps = 16
const named = (api: string, name: string) =>
  new Client(api, { 'x-cassette-session': name })
const missed = (texts: readonly string[]) =>
  texts.filter((text) => text.includes('cassette-miss'))

describe('what the wiki gave and the client sends back', () => {
  it('is found: by one client, by several in another order and at once', async () => {
    const recording = await startProxy(await numberingWiki())
    const one = await useWhatIsGiven(named(recording.api, 'one'), 'A')
    const two = await useWhatIsGiven(named(recording.api, 'two'), 'A')
    await recording.close()
    expect(recording.reports).toEqual([])
    expect([one.length, one[0] === two[0]]).toEqual([steps, false])

    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await useWhatIsGiven(named(replay.api, 'two'), 'A')).toEqual(two)
    expect(await useWhatIsGiven(named(replay.api, 'one'), 'A')).toEqual(one)
    const again = await startProxy(undefined, { cassette: recording.cassette })
    const both = ['two', 'one'].map((name) => useWhatIsGiven(named(again.api, name), 'A'))
    expect(await Promise.all(both)).toEqual([two, one])
  })

  it('is that of the recording that is replayed: recorded again, the wiki gave other values', async () => {
    const wiki = await numberingWiki()
    const first = await startProxy(wiki)
    const { cassette } = first
    const old = await useWhatIsGiven(new Client(first.api), 'A')
    await first.close()
    for (const mode of ['update', 'all'] as const) {
      const second = await startProxy(wiki, { cassette, mode })
      const fresh = await useWhatIsGiven(new Client(second.api), 'A')
      await second.close()
      expect(missed(fresh)).toEqual([])
      expect(fresh[0]).not.toBe(old[0])
      const replay = await startProxy(undefined, { cassette })
      expect(await useWhatIsGiven(new Client(replay.api), 'A')).toEqual(fresh)
    }
  })

  it('is missed where it is not the value that this run was given: a stale timestamp, an id of before', async () => {
    const first = await startProxy(await numberingWiki())
    const { cassette } = first
    await useWhatIsGiven(new Client(first.api), 'A')
    await first.close()
    const replay = await startProxy(undefined, { cassette })
    const client = new Client(replay.api)
    const made = await client.post({ action: 'edit', title: 'A', text: 'one', token })
    const { pageid, newtimestamp } = JSON.parse(made.text).edit ?? {}
    const base = { action: 'edit', text: 'two', token, pageid: String(pageid) }
    const basetimestamp = '2026-01-01T00:00:00Z'
    const stale = await client.post({ ...base, basetimestamp })
    const other = await client.post({ ...base, pageid: '7', basetimestamp: newtimestamp })
    expect(missed([stale.text, other.text]).length).toBe(2)
  })
})
