/** What cannot be reached is said at once, and by its name: a database, another protocol, servers that are away. */
import http from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort, RedisServers } from '../../scripts/fleet/servers.ts'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { RedisFiles } from '../../src/redis/redis-files.ts'
import { echo, fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'
import { redisPort, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { ofWiki, tlsWiki } from '../helpers/tls.ts'

stopRedisAfterAll()

function servers(): RedisServers {
  const started = new RedisServers()
  onTestFinished(() => started.stop())
  return started
}

const tls = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url))

/** Milliseconds until an address is refused, and why. */
async function refusal(address: string): Promise<readonly [ms: number, why: string]> {
  const started = performance.now()
  const why = await RedisFiles.open(address).then(
    (files) => {
      files.close()
      return 'opened'
    },
    (error: Error) => error.message
  )
  return [performance.now() - started, why]
}

describe('a database', () => {
  it('that the server does not have is refused, and database 0 is not taken for it', async () => {
    const server = await servers().start(['--databases', '16'])
    const [, why] = await refusal(`redis://127.0.0.1:${server.port}/99#tape`)
    expect(why).toContain('it has no database 99')
    const there = await RedisFiles.open(`redis://127.0.0.1:${server.port}/15#tape`)
    await there.write([{ path: 'a', content: Buffer.from('b') }])
    there.close()
    expect(server.cli('-n', '0', 'dbsize')).toBe('0')
    expect(server.cli('-n', '15', 'dbsize')).not.toBe('0')
  })

  it('that the user may not select is refused', async () => {
    const server = await servers().start()
    const rules = '~wikitape:* +@all -select'.split(' ')
    expect(server.cli('acl', 'setuser', 'tapes', 'on', '>hush-hush', ...rules)).toBe('OK')
    const [, why] = await refusal(
      `redis://tapes:hush-hush@127.0.0.1:${server.port}/3#tape`
    )
    expect(why).toMatch(/NOPERM.*select/i)
  })
})

describe('what is no such server is named within a second or two', () => {
  it('a port with TLS for redis://', async () => {
    const port = await freePort()
    const files = ['--tls-cert-file', tls('wiki'), '--tls-key-file', tls('wiki')]
    const options = ['--tls-port', String(port), '--tls-auth-clients', 'no', ...files]
    await servers().start([...options, '--tls-ca-cert-file', tls('ca')])
    const [ms, why] = await refusal(`redis://127.0.0.1:${port}/0#tape`)
    expect(why).toContain('write rediss://')
    expect(ms).toBeLessThan(2000)
  })

  it('a port without TLS for rediss://', async () => {
    const [ms, why] = await refusal(`rediss://127.0.0.1:${await redisPort()}/0#tape`)
    expect(why).toContain('does not speak TLS: write redis://')
    expect(ms).toBeLessThan(2000)
  })

  it.each(['redis', 'rediss', 'redis+cluster'])(
    'an HTTP server for %s://',
    async (scheme) => {
      const server = http
        .createServer((_, response) => response.end('hi'))
        .listen(0, '127.0.0.1')
      onTestFinished(() => void server.close())
      await new Promise((resolve) => server.once('listening', resolve))
      const { port } = server.address() as { port: number }
      const [ms, why] = await refusal(`${scheme}://127.0.0.1:${port}#tape`)
      expect(why).toContain('an HTTP server answers there')
      expect(ms).toBeLessThan(2000)
    }
  )

  it('a certificate for another host', async () => {
    expect(ofWiki()).toContain('CERTIFICATE')
    const [ms, why] = await refusal(`rediss://127.0.0.1:${await tlsWiki('other')}/0#tape`)
    expect(why).toContain('certificate')
    expect(ms).toBeLessThan(2000)
  })
})

describe('servers that are away', () => {
  it.each([
    ['one', 'redis://127.0.0.1:1/0#tape', 'nothing listens there'],
    ['sentinels', 'redis+sentinel://127.0.0.1:1/main/0#tape', 'none of its sentinels'],
    ['a cluster', 'redis+cluster://127.0.0.1:1#tape', 'no node of the cluster']
  ])('at the start are waited for equally long: %s', async (_, address, reason) => {
    const [ms, why] = await refusal(address)
    expect(why).toContain(reason)
    expect(ms).toBeLessThan(6500)
  })

  it('while replaying cost one wait, after which requests are answered at once; and it goes on', async () => {
    const own = servers()
    const server = await own.start()
    const query = 'action=query&prop=info&titles=A&format=json'
    const address = `redis://127.0.0.1:${server.port}/0#tape`
    const wiki = await fakeWiki(echo)
    const recording = { upstream: wiki.api, day: '2026-11-01', moved: false }
    const recorded = await openRedisStore(address, recording)
    const recorder = await startProxy(wiki.api, {
      cassette: recorded.dir,
      open: () => recorded
    })
    await ask(`${recorder.api}?${query}`)
    await recorder.close()
    const store = await openRedisStore(address)
    const replay = await startProxy(undefined, { cassette: store.dir, open: () => store })
    const dump = server.cli('save')
    expect(dump).toBe('OK')
    server.process.kill('SIGKILL')
    const timed = async (): Promise<readonly [number, number, string]> => {
      const started = performance.now()
      const reply = await ask(`${replay.api}?${query}`)
      return [performance.now() - started, reply.status, reply.text]
    }
    const [first, status] = await timed()
    expect(status).toBe(500)
    expect(first).toBeLessThan(12_000)
    for (let turn = 0; turn < 20; turn += 1) {
      const [ms, again, text] = await timed()
      expect(again).toBe(500)
      expect(text).toContain('cannot reach')
      expect(ms).toBeLessThan(1500)
    }
    await own.start([], server.port)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const [, back] = await timed()
    expect(back).toBe(200)
  }, 60_000)
})
