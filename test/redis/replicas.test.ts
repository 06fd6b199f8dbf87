/** Replicas of one cassette: a client may be served by another one at each of its requests. */
import { describe, expect, it } from 'vitest'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { type RunningProxy, startProxy } from '../helpers/proxies.ts'
import { pushed, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { loginEditRead } from '../helpers/session-script.ts'
import { Client, statefulWiki, withoutTokens } from '../helpers/stateful-wiki.ts'

stopRedisAfterAll()

async function replicasOf(
  address: string,
  count: number
): Promise<readonly RunningProxy[]> {
  const stores = await Promise.all(
    Array.from({ length: count }, () => openRedisStore(address))
  )
  return Promise.all(
    stores.map((store) =>
      startProxy(undefined, { cassette: store.dir, open: () => store })
    )
  )
}

/** Each request goes to the next replica. */
function roamingClient(
  replicas: readonly RunningProxy[],
  first: number,
  name = ''
): Client {
  let turn = first
  const headers = name === '' ? {} : { 'x-cassette-session': name }
  return new Client(() => {
    turn += 1
    return replicas[turn % replicas.length]?.api ?? ''
  }, headers)
}

describe('a client that roams over replicas', () => {
  it('logs in, writes, reads back and leaves as with one server', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const live = (await loginEditRead(new Client(recording.api))).map(withoutTokens)
    await recording.close()
    const replicas = await replicasOf(await pushed(recording.cassette), 3)
    const clients = Array.from({ length: 6 }, (_, at) =>
      loginEditRead(roamingClient(replicas, at))
    )
    for (const replies of await Promise.all(clients))
      expect(replies.map(withoutTokens)).toEqual(live)
  })

  it('is known by the name that it sends', async () => {
    const wiki = await statefulWiki()
    const recording = await startProxy(wiki.api)
    const live = (
      await loginEditRead(new Client(recording.api, { 'x-cassette-session': 'one' }))
    ).map(withoutTokens)
    await recording.close()
    const replicas = await replicasOf(await pushed(recording.cassette), 2)
    const replies = await loginEditRead(roamingClient(replicas, 0, 'one'))
    expect(replies.map(withoutTokens)).toEqual(live)
  })
})
