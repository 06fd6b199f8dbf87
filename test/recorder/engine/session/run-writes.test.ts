/** While recording, what a write has changed is asked of the wiki again, and nothing is recorded that it cannot know. */
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../../helpers/fake-wiki.ts'
import type { HttpReply } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { Client, statefulWiki } from '../../../helpers/stateful-wiki.ts'

const textIn = (reply: HttpReply): string =>
  /"\*":"(\w*)"/.exec(reply.text)?.[1] ?? 'none'
const reasonOf = (reply: HttpReply): string =>
  (JSON.parse(reply.text) as { cassette: { reason: string } }).cassette.reason

/** What a program reads through `record`, and through two replays of that cassette. */
async function runs(
  program: (api: string) => Promise<readonly string[]>
): Promise<readonly string[][]> {
  const wiki = await statefulWiki()
  const recording = await startProxy(wiki.api)
  const live = await program(recording.api)
  await recording.close()
  await wiki.close()
  const replayed: (readonly string[])[] = []
  for (let time = 0; time < 2; time += 1) {
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    replayed.push(await program(replay.api))
    await replay.close()
  }
  return [live, ...replayed].map((one) => [...one])
}

describe('an anonymous edit', () => {
  it('is seen by a client that keeps no cookies', async () => {
    const all = await runs(async (api) => {
      const read = async (): Promise<string> => textIn(await new Client(api).read('A'))
      const seen = [await read()]
      for (const text of ['one', 'two']) {
        await new Client(api).edit('A', text, '+\\')
        seen.push(await read())
      }
      return seen
    })
    for (const seen of all) expect(seen).toEqual(['none', 'one', 'two'])
  })

  it('that is left out is missed by what comes after it, also by a client that keeps no cookies', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const edit = (api: string, text: string): Promise<HttpReply> =>
      new Client(api).edit('A', text, '+\\')
    const read = (api: string): Promise<HttpReply> => new Client(api).read('A')
    for (const text of ['one', 'two']) {
      await edit(recording.api, text)
      await read(recording.api)
    }
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (const reply of [await edit(replay.api, 'two'), await read(replay.api)])
      expect(reply.headers['x-cassette-status']).toBe('miss')
    const another = await startProxy(undefined, { cassette: recording.cassette })
    await edit(another.api, 'one')
    expect(textIn(await read(another.api))).toBe('one')
    expect(textIn(await read(another.api))).toBe('one')
  })

  it('of a client that keeps them begins anew for the next client', async () => {
    const program = async (api: string): Promise<readonly string[]> => {
      const client = new Client(api)
      const before = textIn(await client.read('A'))
      await client.edit('A', 'one', '+\\')
      return [before, textIn(await client.read('A'))]
    }
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    expect(await program(recording.api)).toEqual(['none', 'one'])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    for (let time = 0; time < 3; time += 1)
      expect(await program(replay.api)).toEqual(['none', 'one'])
  })
})

describe('a write of another session', () => {
  it('is seen by everybody while recording, and in replay', async () => {
    const all = await runs(async (api) => {
      const [reader, other] = ['reader', 'other'].map(
        (name) => new Client(api, { 'x-cassette-session': name })
      )
      const bot = new Client(api, { 'x-cassette-session': 'bot' })
      const seen: string[] = []
      const readBy = async (
        ...clients: readonly (Client | undefined)[]
      ): Promise<void> => {
        for (const client of clients)
          seen.push(client === undefined ? '' : textIn(await client.read('A')))
      }
      await readBy(reader)
      await bot.edit('A', 'one', '+\\')
      await readBy(reader, bot, reader, other)
      await bot.edit('A', 'two', '+\\')
      await readBy(reader, bot, other, other)
      return seen
    })
    for (const seen of all)
      expect(seen).toEqual([
        'none',
        'one',
        'one',
        'one',
        'one',
        'two',
        'two',
        'two',
        'two'
      ])
  })

  it('costs one request and no recording where it has not changed the answer', async () => {
    const wiki = await statefulWiki()
    const { api, rack } = await startProxy(wiki.api)
    const [reader, bot] = ['reader', 'bot'].map(
      (name) => new Client(api, { 'x-cassette-session': name })
    )
    await reader?.read('B')
    await bot?.edit('A', 'one', '+\\')
    const statuses = [await reader?.read('B'), await reader?.read('B')].map(
      (reply) => reply?.headers['x-cassette-status']
    )
    expect(statuses).toEqual(['recorded', 'replayed'])
    expect(rack.counts()).toMatchObject({ recorded: 2, unchanged: 1 })
  })
})

describe('after a write that was sent', () => {
  it('no write of an earlier run is replayed: one run has one state', async () => {
    const wiki = await statefulWiki()
    const first = await startProxy(wiki.api)
    const edit = (api: string, title: string): Promise<HttpReply> =>
      new Client(api, { 'x-cassette-session': title }).edit(title, 'text', '+\\')
    await edit(first.api, 'A')
    await first.close()
    const again = await startProxy(wiki.api, { cassette: first.cassette })
    await edit(again.api, 'B')
    const written = await edit(again.api, 'A')
    expect(written.text).toContain('nochange')
    await again.close()
  })
})

describe('a second run', () => {
  const anyone = (api: string): Client => new Client(api)

  it('that only reads sees the wiki after the writes of the first, not a mix of both', async () => {
    const wiki = await statefulWiki()
    const first = await startProxy(wiki.api)
    expect(textIn(await anyone(first.api).read('A'))).toBe('none')
    const bob = new Client(first.api)
    await bob.login('Bob')
    await bob.edit('A', 'one')
    await first.close()
    const again = await startProxy(wiki.api, { cassette: first.cassette })
    expect(textIn(await anyone(again.api).read('A'))).toBe('one')
    const info = await anyone(again.api).get({
      action: 'query',
      prop: 'info',
      titles: 'A'
    })
    expect(info.text).toContain('"pageid":1')
  })

  it('on a wiki that was reset replays what was recorded', async () => {
    const program = async (api: string): Promise<readonly HttpReply[]> => {
      const bob = new Client(api, { 'x-cassette-session': 'bob' })
      const before = await bob.read('A')
      return [before, await bob.edit('A', 'one', '+\\'), await bob.read('A')]
    }
    const texts = new Map<string, string>()
    const wiki = await fakeWiki((params) => {
      const text = params.get('text')
      if (text === undefined)
        return JSON.stringify({ query: { text: texts.get('A') ?? null } })
      texts.set('A', text)
      return JSON.stringify({ edit: { result: 'Success', title: 'A' } })
    })
    const first = await startProxy(wiki.api)
    await program(first.api)
    await first.close()
    texts.clear()
    const again = await startProxy(wiki.api, { cassette: first.cassette })
    const replies = await program(again.api)
    expect(replies.map(({ headers }) => headers['x-cassette-status'])).toEqual([
      'recorded',
      'replayed',
      'replayed'
    ])
    expect(again.rack.counts()).toMatchObject({ recorded: 0 })
  })
})

describe('after a write that was replayed', () => {
  it('what was not recorded is missed, and nothing wrong is recorded', async () => {
    const wiki = await statefulWiki()
    const first = await startProxy(wiki.api)
    const run = async (
      api: string,
      more: readonly string[]
    ): Promise<readonly HttpReply[]> => {
      const client = new Client(api, { 'x-cassette-session': 'bot' })
      await client.login('Bob')
      for (const text of ['one', 'two']) await client.edit('A', text)
      const replies = [await client.read('A')]
      for (const list of more) replies.push(await client.get({ action: 'query', list }))
      return [...replies, await client.get({ action: 'query', meta: 'siteinfo' })]
    }
    await run(first.api, [])
    await first.close()
    const again = await startProxy(wiki.api, {
      cassette: first.cassette,
      mode: 'new_episodes'
    })
    await new Client(again.api).read('B')
    const [known, list, site] = await run(again.api, ['allpages'])
    expect(known && textIn(known)).toBe('two')
    expect(list && reasonOf(list)).toBe('write-replayed')
    expect(list?.text).toContain('--mode update')
    expect(site?.headers['x-cassette-status']).toBe('replayed')
    expect(again.rack.counts()).toMatchObject({ missed: 1 })
    await again.close()
  })
})
