/** What the server has lost is said by name, and mended by a copy or by a new index. */
import { cpSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { RedisServers } from '../../scripts/fleet/servers.ts'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { RedisFiles } from '../../src/redis/redis-files.ts'
import { echo, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawned } from '../helpers/processes.ts'
import { startProxy } from '../helpers/proxies.ts'
import { newAddress, pushed, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { partOf } from '../helpers/shipped.ts'

stopRedisAfterAll()

const cassette = partOf('1.43', ['tokens', 'compare'])

async function opened(address: string): Promise<RedisFiles> {
  const files = await RedisFiles.open(address)
  onTestFinished(() => files.close())
  return files
}

/** Some of the files, in the order of their names. */
const namesOf = async (files: RedisFiles): Promise<readonly string[]> =>
  [...(await files.list()).keys()].filter((name) => name.startsWith('compare/')).sort()

const losses: readonly (readonly [
  string,
  (files: RedisFiles, file: string) => Promise<unknown>
])[] = [
  [
    'is gone',
    ({ connection, layout }, file) => connection.command('DEL', [layout.file(file)])
  ],
  [
    'is not what was written',
    ({ connection, layout }, file) => connection.command('SET', [layout.file(file), '{}'])
  ]
]

describe.each(losses)('a file that %s', (_, lose) => {
  it.each(['check', 'ls', 'pull'])(
    'is named by %s, which says what to do',
    async (verb) => {
      const address = await pushed(cassette)
      const files = await opened(address)
      const [file = ''] = await namesOf(files)
      await lose(files, file)
      const more = verb === 'pull' ? [path.join(temporaryFolder(), 'pulled')] : []
      const run = await spawned([verb, address, ...more])
      expect(run.code).toBe(2)
      expect(run.stderr).toContain(file)
      expect(run.stderr).toContain('wikitape push DIR')
      expect(run.stderr).not.toContain('start the copy again')
    }
  )

  it('is taken out of the index by check --repair, and copied again by push', async () => {
    const local = path.join(temporaryFolder(), 'local')
    cpSync(cassette, local, { recursive: true })
    const address = await pushed(local)
    const files = await opened(address)
    const [file = ''] = await namesOf(files)
    await lose(files, file)
    const repaired = await spawned(['check', address, '--repair'])
    expect(repaired.stderr).toContain('lost files taken out 1')
    expect([...(await files.list()).keys()]).not.toContain(file)
    const push = await spawned(['push', local, address, '--json'])
    expect(JSON.parse(push.stdout)).toMatchObject({ copied: [file] })
    const pulled = path.join(temporaryFolder(), 'pulled')
    expect(await spawned(['pull', address, pulled])).toMatchObject({ code: 0 })
    expect(filesIn(pulled)).toEqual(filesIn(local))
  })

  it('keeps a replay from starting if it describes a module', async () => {
    const address = await pushed(cassette)
    await lose(await opened(address), 'paraminfo/compare.json')
    await expect(openRedisStore(address)).rejects.toThrow('paraminfo/compare.json')
  })

  it('is no ordinary miss for a replay', async () => {
    const wiki = await fakeWiki(echo)
    const address = await newAddress()
    const query = '?action=query&prop=info&titles=A&format=json'
    const recording = { upstream: wiki.api, day: '2026-11-01', moved: false }
    const recorded = await openRedisStore(address, recording)
    const recorder = await startProxy(wiki.api, {
      cassette: recorded.dir,
      open: () => recorded
    })
    await ask(recorder.api + query)
    await recorder.close()
    const files = await opened(address)
    const [file = ''] = [...(await files.list()).keys()].filter((name) =>
      name.startsWith('query')
    )
    await lose(files, file)
    const store = await openRedisStore(address)
    const replay = await startProxy(undefined, { cassette: store.dir, open: () => store })
    const reply = await ask(replay.api + query)
    expect(reply.headers['x-cassette-status']).not.toBe('replayed')
    expect(reply.text).toContain('the server has lost what was written there')
  })
})

it('push heals what is gone though the index names it', async () => {
  const address = await pushed(cassette)
  const files = await opened(address)
  const [file = '', other = ''] = await namesOf(files)
  for (const one of [file, other])
    await files.connection.command('DEL', [files.layout.file(one)])
  const push = await spawned(['push', cassette, address, '--json'])
  expect(JSON.parse(push.stdout)).toMatchObject({ copied: [file, other] })
  expect(await files.damaged()).toEqual([])
})

describe('an index that is gone', () => {
  it.each(['index', 'meta'] as const)(
    'is no empty cassette, and is built again: %s',
    async (key) => {
      const address = await pushed(cassette)
      const files = await opened(address)
      const before = await files.list()
      await files.connection.command('DEL', [files.layout[key]])
      await expect(openRedisStore(address)).rejects.toThrow(
        /has lost data|no layout number/
      )
      const repaired = await spawned(['check', address, '--repair'])
      expect(repaired.code).toBe(0)
      expect(await files.list()).toEqual(before)
      const store = await openRedisStore(address)
      expect(store.size).toBeGreaterThan(0)
      await store.close()
    }
  )

  it('is mended by a push alone', async () => {
    const address = await pushed(cassette)
    const files = await opened(address)
    await files.connection.command('DEL', [files.layout.index])
    expect(await spawned(['push', cassette, address])).toMatchObject({ code: 0 })
    expect(filesIn(cassette).size).toBe((await files.list()).size)
  })

  it('is noticed by a recorder, which acknowledges nothing more', async () => {
    const wiki = await fakeWiki(echo)
    const address = await newAddress()
    const recording = { upstream: wiki.api, day: '2026-11-01', moved: false }
    const store = await openRedisStore(address, recording)
    const recorder = await startProxy(wiki.api, {
      cassette: store.dir,
      open: () => store
    })
    const titled = (title: string): string =>
      `${recorder.api}?action=query&prop=info&titles=${title}&format=json`
    await ask(titled('A'))
    const files = await opened(address)
    await files.connection.command('DEL', [files.layout.index])
    // The second one does not wait for what the first one could not record.
    for (let times = 0; times < 2; times += 1) {
      const reply = await ask(titled('B'))
      expect(reply.headers['x-cassette-status']).not.toBe('recorded')
    }
  })
})

describe('a server that deletes keys if its memory is full', () => {
  const start = async (policy: string, memory = '64mb'): Promise<string> => {
    const servers = new RedisServers()
    onTestFinished(() => servers.stop())
    const { port } = await servers.start([
      '--maxmemory',
      memory,
      '--maxmemory-policy',
      policy
    ])
    return `redis://127.0.0.1:${port}/0#tape`
  }
  const recording = {
    upstream: 'http://wiki.test/w/api.php',
    day: '2026-11-01',
    moved: false
  }

  it.each(['allkeys-lru', 'allkeys-random', 'volatile-lru', 'volatile-ttl'])(
    'is not written to without --allow-eviction: %s',
    async (policy) => {
      const address = await start(policy)
      await expect(openRedisStore(address, recording)).rejects.toThrow(
        `maxmemory-policy ${policy}`
      )
      const refused = await spawned(['push', cassette, address])
      expect(refused).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('noeviction')
      })
      const store = await openRedisStore(address, { ...recording, allowEviction: true })
      await store.close()
      const allowed = await spawned(['push', cassette, address, '--allow-eviction'])
      expect(allowed.stderr).not.toContain('noeviction')
    }
  )

  it.each([
    ['noeviction', '64mb'],
    ['allkeys-lru', '0']
  ])('is written to if it deletes none: %s of %s', async (policy, memory) => {
    const store = await openRedisStore(await start(policy, memory), recording)
    await store.close()
  })

  it('is told at the end of a run how many recordings it has deleted', async () => {
    const wiki = await fakeWiki(echo)
    const address = await start('allkeys-lru')
    const own = {
      upstream: wiki.api,
      day: '2026-11-01',
      moved: false,
      allowEviction: true
    }
    const store = await openRedisStore(address, own)
    const recorder = await startProxy(wiki.api, {
      cassette: store.dir,
      open: () => store
    })
    for (const title of ['A', 'B', 'C'])
      await ask(`${recorder.api}?action=query&prop=info&titles=${title}&format=json`)
    const files = await opened(address)
    const [file = ''] = [...(await files.list()).keys()].filter((name) =>
      name.startsWith('query')
    )
    await files.connection.command('DEL', [files.layout.file(file)])
    await recorder.close()
    expect(recorder.rack.all().map(({ summary }) => summary.lost)).toEqual([1])
  })
})
