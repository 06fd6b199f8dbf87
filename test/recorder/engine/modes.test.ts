/** What each mode does with a request that is recorded and with one that is not. */
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Mode } from '../../../src/recorder/playback/decide.ts'
import { type FakeWiki, fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask, type HttpReply } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

const recordedCall = '?action=query&format=json&list=allpages&apfrom=A'
const otherCall = '?action=query&format=json&list=allpages&apfrom=Z'

/** A wiki whose answers count up, so that an old answer and a new one differ. */
async function countingWiki(): Promise<FakeWiki> {
  let count = 0
  return fakeWiki(() => {
    count += 1
    return JSON.stringify({ query: { answer: count } })
  })
}

/** A cassette that holds the answer 1 to `recordedCall`. */
async function cassetteWith(wiki: FakeWiki): Promise<string> {
  const recording = await startProxy(wiki.api)
  await ask(recording.api + recordedCall)
  await recording.close()
  return recording.cassette
}

const answer = (count: number): string => JSON.stringify({ query: { answer: count } })
const statusOf = ({ headers }: HttpReply): unknown => headers['x-cassette-status']

describe('a recorded request', () => {
  it.each<[Mode, string, string]>([
    ['none', 'replayed', answer(1)],
    ['once', 'replayed', answer(1)],
    ['new_episodes', 'replayed', answer(1)],
    ['all', 'recorded', answer(2)],
    ['update', 'recorded', answer(2)],
    ['passthrough', 'passthrough', answer(2)]
  ])('in mode %s is %s', async (mode, status, text) => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, { cassette: await cassetteWith(wiki), mode })
    const reply = await ask(proxy.api + recordedCall)
    expect([statusOf(reply), reply.text]).toEqual([status, text])
  })

  it.each<[Mode, string]>([
    ['all', answer(2)],
    ['update', answer(2)],
    ['passthrough', answer(1)]
  ])('after mode %s is replayed as %s', async (mode, text) => {
    const wiki = await countingWiki()
    const cassette = await cassetteWith(wiki)
    const proxy = await startProxy(wiki.api, { cassette, mode })
    await ask(proxy.api + recordedCall)
    await proxy.close()
    await wiki.close()
    const replay = await startProxy(undefined, { cassette })
    expect((await ask(replay.api + recordedCall)).text).toBe(text)
  })
})

describe('a request that is not recorded', () => {
  it.each<[Mode, string, number]>([
    ['none', 'miss', 1],
    ['once', 'miss', 1],
    ['new_episodes', 'recorded', 2],
    ['all', 'recorded', 2],
    ['update', 'recorded', 2],
    ['passthrough', 'passthrough', 1]
  ])('in mode %s is a %s', async (mode, status, files) => {
    const wiki = await countingWiki()
    const cassette = await cassetteWith(wiki)
    const proxy = await startProxy(wiki.api, { cassette, mode })
    expect(statusOf(await ask(proxy.api + otherCall))).toBe(status)
    expect(interactionFiles(cassette).length).toBe(files)
    expect(wiki.asked().length).toBe(status === 'miss' ? 1 : 2)
  })

  it('in mode once is recorded as long as the cassette was new when the run began', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, { mode: 'once' })
    expect(statusOf(await ask(proxy.api + recordedCall))).toBe('recorded')
    expect(statusOf(await ask(proxy.api + otherCall))).toBe('recorded')
    await proxy.close()
    const again = await startProxy(wiki.api, { mode: 'once', cassette: proxy.cassette })
    expect(statusOf(await ask(`${again.api + otherCall}2`))).toBe('miss')
  })
})

describe('modes that must stay at home', () => {
  it.each<Mode>(['none', 'once'])(
    '%s asks nothing of the wiki where a cassette is there',
    async (mode) => {
      const wiki = await countingWiki()
      const cassette = await cassetteWith(wiki)
      const before = wiki.seen.length
      const proxy = await startProxy(wiki.api, { cassette, mode })
      await ask(proxy.api + otherCall)
      await ask(`${proxy.api}?action=parse&text=x&format=json`)
      expect(wiki.seen.length).toBe(before)
      expect(proxy.rack.counts().liveRequests).toBe(0)
    }
  )

  it('passthrough writes nothing, not even what the wiki says of its modules', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, {
      mode: 'passthrough',
      cassette: path.join(temporaryFolder(), 'new')
    })
    await ask(proxy.api + recordedCall)
    await proxy.close()
    expect(() => filesIn(proxy.cassette)).toThrow('ENOENT')
    expect(wiki.seen.length).toBe(1)
  })
})

describe('update', () => {
  it('drops what was not asked again, and keeps what was', async () => {
    const wiki = await countingWiki()
    const cassette = await cassetteWith(wiki)
    const proxy = await startProxy(wiki.api, { cassette, mode: 'update' })
    await ask(proxy.api + otherCall)
    await proxy.close()
    expect(interactionFiles(cassette)).toEqual([expect.stringContaining('apfrom=Z')])
    expect(proxy.reports).toEqual([
      expect.stringMatching(
        /^drops 1 recording that was not requested again: \S+apfrom=A\S+\.json$/
      )
    ])
  })

  it('keeps a recording that was asked again and got an answer that must not be recorded', async () => {
    let status = 200
    const wiki = await fakeWiki(() => ({ status, body: '{"query":{}}' }))
    const cassette = await cassetteWith(wiki)
    status = 503
    const proxy = await startProxy(wiki.api, { cassette, mode: 'update' })
    expect((await ask(proxy.api + recordedCall)).status).toBe(503)
    await proxy.close()
    expect(interactionFiles(cassette).length).toBe(1)
  })

  it('drops nothing where the wiki failed to answer', async () => {
    const wiki = await countingWiki()
    const cassette = await cassetteWith(wiki)
    await wiki.close()
    const proxy = await startProxy(wiki.api, { cassette, mode: 'update' })
    expect((await ask(proxy.api + otherCall)).status).toBe(502)
    await proxy.close()
    expect(interactionFiles(cassette).length).toBe(1)
  })

  it('asked for by one client keeps what the others used', async () => {
    const wiki = await countingWiki()
    const cassette = await cassetteWith(wiki)
    const proxy = await startProxy(wiki.api, { cassette, allowControl: true })
    expect(statusOf(await ask(proxy.api + recordedCall))).toBe('replayed')
    await ask(proxy.api + otherCall, { headers: { 'x-cassette-mode': 'update' } })
    await proxy.close()
    expect(interactionFiles(cassette).length).toBe(2)
  })
})

describe('recording again what has not changed', () => {
  it('leaves every file as it stands', async () => {
    const wiki = await fakeWiki()
    const cassette = await cassetteWith(wiki)
    const before = filesIn(cassette)
    const proxy = await startProxy(wiki.api, { cassette, mode: 'all' })
    await ask(proxy.api + recordedCall)
    await proxy.close()
    expect(filesIn(cassette)).toEqual(before)
    expect(proxy.rack.counts()).toMatchObject({ recorded: 0, unchanged: 1, unused: 0 })
  })
})

describe('the header X-Cassette-Mode', () => {
  it.each<[Mode, Mode, string]>([
    ['update', 'none', 'replayed'],
    ['update', 'new_episodes', 'replayed'],
    ['all', 'passthrough', 'passthrough'],
    ['new_episodes', 'once', 'replayed'],
    ['new_episodes', 'all', 'replayed'],
    ['new_episodes', 'update', 'replayed'],
    ['once', 'all', 'replayed'],
    ['passthrough', 'all', 'passthrough'],
    ['none', 'passthrough', 'replayed']
  ])(
    'in a run with mode %s narrows, never widens: asked for %s, it is %s',
    async (mode, wish, status) => {
      const wiki = await countingWiki()
      const proxy = await startProxy(wiki.api, {
        cassette: await cassetteWith(wiki),
        mode
      })
      const reply = await ask(proxy.api + recordedCall, {
        headers: { 'x-cassette-mode': wish }
      })
      expect(statusOf(reply)).toBe(status)
    }
  )

  it('that was not followed is told once at the terminal, with the flag that would follow it', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, { cassette: await cassetteWith(wiki) })
    for (let turn = 0; turn < 3; turn += 1)
      await ask(proxy.api + recordedCall, { headers: { 'x-cassette-mode': 'update' } })
    expect(proxy.reports).toEqual([
      'X-Cassette-Mode: update allows more than new_episodes, so new_episodes is used; add --allow-control'
    ])
  })
})

describe('the header X-Cassette-Mode at the start and in replay', () => {
  it('chooses any mode where the run was started with --allow-control', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, {
      cassette: await cassetteWith(wiki),
      allowControl: true
    })
    const reply = await ask(proxy.api + recordedCall, {
      headers: { 'x-cassette-mode': 'all' }
    })
    expect(statusOf(reply)).toBe('recorded')
  })

  it('never makes a replaying server go out', async () => {
    const wiki = await countingWiki()
    const replay = await startProxy(undefined, { cassette: await cassetteWith(wiki) })
    const reply = await ask(replay.api + otherCall, {
      headers: { 'x-cassette-mode': 'all' }
    })
    expect(statusOf(reply)).toBe('miss')
    expect(wiki.asked().length).toBe(1)
  })

  it('with an unknown word is refused with the words that there are', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api)
    const reply = await ask(proxy.api + otherCall, {
      headers: { 'x-cassette-mode': 'everything' }
    })
    expect(reply.status).toBe(400)
    expect(reply.text).toContain(
      'X-Cassette-Mode is \\"everything\\"; expected none, once, new_episodes, all, update or passthrough'
    )
    expect(wiki.seen.length).toBe(0)
  })

  it('none shows what another client has just recorded again', async () => {
    const wiki = await countingWiki()
    const proxy = await startProxy(wiki.api, { allowControl: true })
    const none = { headers: { 'x-cassette-mode': 'none' } }
    await ask(proxy.api + recordedCall)
    expect((await ask(proxy.api + recordedCall, none)).text).toBe(answer(1))
    await ask(proxy.api + recordedCall, { headers: { 'x-cassette-mode': 'all' } })
    expect((await ask(proxy.api + recordedCall, none)).text).toBe(answer(2))
  })
})
