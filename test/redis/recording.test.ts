/** Recorders that share a cassette on a server: each key is asked of the wiki once, and what is acknowledged is there. */
import { describe, expect, it } from 'vitest'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { RedisFiles } from '../../src/redis/redis-files.ts'
import { echo, type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'
import { newAddress, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { loginEditRead } from '../helpers/session-script.ts'
import { Client, statefulWiki, withoutTokens } from '../helpers/stateful-wiki.ts'

stopRedisAfterAll()

const recording = (api: string): Parameters<typeof openRedisStore>[1] => ({
  upstream: api,
  day: '2026-11-01',
  moved: false
})

async function recorder(wiki: FakeWiki, address: string): Promise<RunningProxy> {
  const store = await openRedisStore(address, recording(wiki.api))
  return startProxy(wiki.api, { cassette: store.dir, open: () => store })
}

async function replay(address: string): Promise<RunningProxy> {
  const store = await openRedisStore(address)
  return startProxy(undefined, { cassette: store.dir, open: () => store })
}

const query = (title: string): string =>
  `?action=query&prop=info&titles=${title}&format=json`
const slowly =
  (ms: number): Parameters<typeof fakeWiki>[0] =>
  (params, seen, response) => {
    setTimeout(() => {
      const answer = echo(params, seen, response)
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.end(typeof answer === 'string' ? answer : '')
    }, ms)
    return 'taken'
  }

describe('recorders of one cassette', () => {
  it('replays what was recorded, with sessions, writes and body files', async () => {
    const wiki = await statefulWiki()
    const address = await newAddress()
    const recording = await recorder(wiki, address)
    const live = (await loginEditRead(new Client(recording.api))).map(withoutTokens)
    await recording.close()
    const replaying = await replay(address)
    const clients = Array.from({ length: 4 }, () =>
      loginEditRead(new Client(replaying.api))
    )
    for (const replies of await Promise.all(clients))
      expect(replies.map(withoutTokens)).toEqual(live)
  })

  it('ask the wiki once for each key', async () => {
    const wiki = await fakeWiki(slowly(20))
    const address = await newAddress()
    const recorders = await Promise.all(
      Array.from({ length: 4 }, () => recorder(wiki, address))
    )
    const titles = Array.from({ length: 20 }, (_, at) => `Page${at}`)
    const rounds = recorders.map((one, turn) =>
      Promise.all(
        titles.map((_, at) =>
          ask(`${one.api}${query(titles[(at * 7 + turn * 5) % titles.length] ?? '')}`)
        )
      )
    )
    for (const replies of await Promise.all(rounds))
      for (const { headers } of replies)
        expect(headers['x-cassette-status']).toMatch(/recorded|replayed/)
    expect([...wiki.asked()].sort()).toEqual([...new Set(wiki.asked())].sort())
    expect(wiki.asked()).toHaveLength(titles.length)
  })

  it('take over from one that has died, after its lease has expired', async () => {
    const wiki = await fakeWiki()
    const address = await newAddress()
    const living = await recorder(wiki, address)
    await ask(`${living.api}${query('A')}`)
    const dead = await openRedisStore(address, recording(wiki.api))
    const key = String(
      (await ask(`${living.api}${query('B')}&maxlag=1`)).headers['x-cassette-key']
    )
    const files = await RedisFiles.open(address)
    // What a recorder leaves that was killed while the wiki answered.
    const lease = files.layout.lease(
      String(
        (await ask(`${(await replay(address)).api}${query('C')}`)).headers[
          'x-cassette-key'
        ]
      )
    )
    const started = performance.now()
    await files.connection.command('SET', [lease, '99:dead', 'PX', 1500])
    expect((await ask(`${living.api}${query('C')}`)).headers['x-cassette-status']).toBe(
      'recorded'
    )
    expect(performance.now() - started).toBeGreaterThan(1000)
    expect(key).not.toBe('')
    files.close()
    await dead.close()
  })

  it('does not write where another has recorded since, and serves what that one has', async () => {
    const wiki = await fakeWiki()
    const address = await newAddress()
    const one = await openRedisStore(address, recording(wiki.api))
    const two = await openRedisStore(address, recording(wiki.api))
    const encoded = (text: string): Parameters<typeof one.putEncoded>[2] => ({
      text,
      bodyFiles: new Map()
    })
    const key = '0123456789ab' as Parameters<typeof one.putEncoded>[0]
    expect(await one.putEncoded(key, `query/${key}.json`, encoded('first'))).toBe(true)
    expect(await two.putEncoded(key, `query/${key}.json`, encoded('second'))).toBe(false)
    expect(two.has(key)).toBe(true)
    await one.close()
    await two.close()
  })

  it('shows what another has recorded', async () => {
    const wiki = await fakeWiki()
    const address = await newAddress()
    const recording = await recorder(wiki, address)
    await ask(`${recording.api}${query('A')}`)
    const replaying = await replay(address)
    expect(
      (await ask(`${replaying.api}${query('B')}`)).headers['x-cassette-status']
    ).toBe('miss')
    await ask(`${recording.api}${query('B')}`)
    await expect
      .poll(
        async () =>
          (await ask(`${replaying.api}${query('B')}`)).headers['x-cassette-status']
      )
      .toBe('replayed')
  })

  it('acknowledges nothing that the demanded replicas do not have', async () => {
    const wiki = await fakeWiki()
    const opening = openRedisStore(await newAddress('?replicas=1'), recording(wiki.api))
    await expect(opening).rejects.toThrow('?replicas=1), and 0 have')
  })
})
