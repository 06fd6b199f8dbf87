/** The port of the store, held by a store that is no folder and takes its time: replay answers out of it as out of a folder. */
import { describe, expect, it } from 'vitest'
import type { InteractionReadResult } from '../../../src/recorder/store/contents/interaction-reader.ts'
import { PendingRead, retryWhenLoaded } from '../../../src/recorder/store/pending-read.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { recordedIn } from '../../helpers/recorded-requests.ts'
import { scaled } from '../../helpers/scale.ts'
import { loginEditRead } from '../../helpers/session-script.ts'
import { partOf } from '../../helpers/shipped.ts'
import { SlowStore } from '../../helpers/slow-store.ts'
import { Client, statefulWiki, withoutTokens } from '../../helpers/stateful-wiki.ts'

const folders = [
  'compare',
  'query.allpages',
  'query.categorymembers',
  'query.revisions',
  'query.userinfo',
  'tokens'
]
const cassette = partOf('1.43', folders)

/** What is recorded, the same in other steps, and what nobody recorded. */
const asked = recordedIn(cassette)
  .filter((_, at) => at % scaled(5, 1) === 0)
  .flatMap((target) => [
    target,
    target.replace(/limit=\d+/, 'limit=3'),
    `${target}&never=recorded`
  ])

async function answersOf(
  options: Parameters<typeof startProxy>[1]
): Promise<readonly string[]> {
  const proxy = await startProxy(undefined, { cassette, ...options })
  const answers: string[] = []
  for (const target of asked) {
    const { status, headers, text } = await ask(proxy.origin, { target })
    const { date: _date, ...rest } = headers
    answers.push(
      JSON.stringify({ target, status, rest, text }).replaceAll(proxy.origin, 'ORIGIN')
    )
  }
  return [...answers, ...proxy.reports, JSON.stringify(proxy.rack.counts())]
}

describe('a store that takes its time', () => {
  it.each([{}, { rewriteUrls: true }])(
    'answers, counts and reports as a folder does: %j',
    async (options) => {
      const store = new SlowStore(cassette)
      const far = await answersOf({ ...options, open: () => store })
      expect(far).toEqual(await answersOf(options))
      expect(store.waits).toBeGreaterThan(folders.length)
    }
  )

  it('has to be waited for also to learn what the wiki calls itself', async () => {
    const general = { query: { general: { server: 'http://named.example' } } }
    const page = { query: { pages: [{ fullurl: 'http://named.example/wiki/A' }] } }
    const wiki = await fakeWiki((params) =>
      JSON.stringify(params.has('meta') ? general : page)
    )
    const recording = await startProxy(wiki.api)
    const target = '/w/api.php?action=query&prop=info&titles=A&format=json'
    await ask(recording.origin, { target })
    await ask(recording.origin, {
      target: '/w/api.php?action=query&meta=siteinfo&format=json'
    })
    await recording.close()
    const open = (dir: string): SlowStore => new SlowStore(dir)
    const replay = await startProxy(undefined, {
      cassette: recording.cassette,
      open,
      rewriteUrls: true
    })
    expect((await ask(replay.origin, { target })).text).toContain(
      `${replay.origin}/wiki/A`
    )
  })

  it('keeps sessions apart that ask at the same time', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const script = async (client: Client): Promise<readonly string[]> =>
      (await loginEditRead(client)).map(withoutTokens)
    const live = await script(new Client(recording.api))
    await recording.close()
    const open = (dir: string): SlowStore => new SlowStore(dir)
    const replay = await startProxy(undefined, { cassette: recording.cassette, open })
    const clients = Array.from({ length: 8 }, () => script(new Client(replay.api)))
    for (const replies of await Promise.all(clients)) expect(replies).toEqual(live)
  })

  it('that fails is told, and asked again by the next', async () => {
    let working = false
    class Failing extends SlowStore {
      override get(key: Parameters<SlowStore['get']>[0]): InteractionReadResult {
        if (!working)
          throw new PendingRead(Promise.reject(new Error('the far end is gone')))
        return super.get(key)
      }
    }
    const proxy = await startProxy(undefined, {
      cassette,
      open: (dir) => new Failing(dir)
    })
    const [target = ''] = recordedIn(cassette)
    const failed = await ask(proxy.origin, { target })
    expect(failed).toMatchObject({
      status: 500,
      text: expect.stringContaining('the far end is gone')
    })
    expect(proxy.rack.counts()).toMatchObject({ replayed: 0, missed: 0 })
    working = true
    expect((await ask(proxy.origin, { target })).headers['x-cassette-status']).toBe(
      'replayed'
    )
  })
})

it('who has to wait begins again, until all is there', async () => {
  const here = new Set<string>()
  const read = (name: string): string => {
    if (here.has(name)) return name
    throw new PendingRead(Promise.resolve().then(() => void here.add(name)))
  }
  const times: boolean[] = []
  const found = await retryWhenLoaded((again) => {
    times.push(again)
    return read('a') + read('b')
  })
  expect({ found, times }).toEqual({ found: 'ab', times: [false, true, true] })
})
