/** Who may come in, what is refused, and what is never shown. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { freePort, RedisServers } from '../../scripts/fleet/servers.ts'
import { readRedisAddress } from '../../src/recorder/store/redis-address.ts'
import { openRedisStore } from '../../src/redis/open-redis-store.ts'
import { RedisFiles } from '../../src/redis/redis-files.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { spawned } from '../helpers/processes.ts'
import { newAddress, pushed, stopRedisAfterAll } from '../helpers/redis-server.ts'
import { partOf } from '../helpers/shipped.ts'

stopRedisAfterAll()

const cassette = partOf('1.43', ['tokens', 'compare'])

describe('an address', () => {
  it.each([
    [
      'redis://h#n',
      {
        kind: 'server',
        tls: false,
        hosts: [{ host: 'h', port: 6379 }],
        database: 0,
        name: 'n'
      }
    ],
    [
      'valkeys://u:p%40@h:1/3?replicas=2#team/n',
      {
        tls: true,
        username: 'u',
        password: 'p@',
        database: 3,
        replicas: 2,
        name: 'team/n'
      }
    ],
    [
      'redis+cluster://a:1,b:2,[::1]:3#n',
      {
        kind: 'cluster',
        hosts: [
          { host: 'a', port: 1 },
          { host: 'b', port: 2 },
          { host: '::1', port: 3 }
        ]
      }
    ],
    [
      'redis+sentinel://a,b:2/main/1#n',
      {
        kind: 'sentinel',
        masterName: 'main',
        database: 1,
        hosts: [
          { host: 'a', port: 26_379 },
          { host: 'b', port: 2 }
        ]
      }
    ]
  ])('%s', (address, parts) => {
    expect(readRedisAddress(address, {})).toMatchObject(parts)
  })

  it.each([
    'redis://h',
    'redis://h#{n}',
    'redis://h/x#n',
    'redis://h?wait=1#n',
    'redis+cluster://a/1#n',
    'redis+sentinel://a#n',
    'redis+other://h#n',
    'redis:h#n',
    'redis://#n',
    'redis://h# n',
    `redis://h#${'n'.repeat(200)}`
  ])('that cannot be is refused: %s', (address) => {
    expect(() => readRedisAddress(address)).toThrow('is not the address of a cassette')
  })

  it.each([
    'redis://user:hush-hush@h/x#n',
    'redis://user:hu@sh-hush@h,h2/x#n',
    'redis://:hush-hush@h:99999999#n'
  ])('is shown without credentials: %s', (address) => {
    expect(() => readRedisAddress(address)).toThrow(/^(?!.*hush)/)
  })
})

describe('what is not a cassette of this version', () => {
  it('is refused, and left as it is: other data', async () => {
    const address = await newAddress()
    const other = await RedisFiles.open(await newAddress())
    const { name } = readRedisAddress(address)
    await other.connection.command('SET', [`wikitape:{${name}}:meta`, 'mine'])
    await expect(openRedisStore(address)).rejects.toThrow(
      'other data is stored under its keys'
    )
    expect(await other.connection.command('GET', [`wikitape:{${name}}:meta`])).toBe(
      'mine'
    )
    other.close()
  })

  it('is refused: another layout, and a newer format', async () => {
    const address = await pushed(cassette)
    const files = await RedisFiles.open(address)
    await files.connection.command('HSET', [files.layout.meta, 'layout', 2])
    await expect(openRedisStore(address)).rejects.toThrow('its layout is number 2')
    await files.connection.command('HSET', [files.layout.meta, 'layout', 1])
    const manifest = JSON.parse(
      readFileSync(path.join(cassette, 'cassette.json'), 'utf8')
    )
    await files.write([
      {
        path: 'cassette.json',
        content: Buffer.from(JSON.stringify({ ...manifest, format: 99 }))
      }
    ])
    await expect(openRedisStore(address)).rejects.toThrow('has format 99')
    files.close()
  })

  it('is refused: the cassette of another wiki', async () => {
    const address = await pushed(cassette)
    const other = {
      upstream: 'https://other.example/w/api.php',
      day: '2026-11-01',
      moved: false
    }
    await expect(openRedisStore(address, other)).rejects.toThrow('is a recording of')
  })
})

describe('a server', () => {
  it('with TLS and users lets in whom it knows; credentials are never shown', async () => {
    const tls = (name: string): string =>
      fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url))
    const servers = new RedisServers()
    onTestFinished(() => servers.stop())
    const port = await freePort()
    const files = [
      '--tls-cert-file',
      tls('wiki'),
      '--tls-key-file',
      tls('wiki'),
      '--tls-ca-cert-file',
      tls('ca')
    ]
    const server = await servers.start([
      '--tls-port',
      String(port),
      '--tls-auth-clients',
      'no',
      ...files
    ])
    const rules = '~wikitape:* +@read +@write +@scripting +@connection +wait +info'.split(
      ' '
    )
    expect(server.cli('acl', 'setuser', 'tapes', 'on', '>hush-hush', ...rules)).toBe('OK')
    expect(server.cli('acl', 'setuser', 'default', 'off')).toBe('OK')
    const address = `rediss://127.0.0.1:${port}/0#tape`
    const withAuthority = { NODE_EXTRA_CA_CERTS: tls('ca') }
    const user = { WIKITAPE_STORE_USER: 'tapes', WIKITAPE_STORE_PASSWORD: 'hush-hush' }
    const run = (
      env: Readonly<Record<string, string>>,
      ...args: readonly string[]
    ): ReturnType<typeof spawned> => spawned(args, { env })
    const push = await run({ ...withAuthority, ...user }, 'push', cassette, address)
    expect(push).toMatchObject({ code: 0, stderr: expect.stringContaining('copied') })
    const inAddress = address.replace('://', '://tapes:hush-hush@')
    const listed = await run(withAuthority, 'ls', inAddress)
    expect(listed).toMatchObject({ code: 0 })
    const wrong = await run(
      { ...withAuthority, ...user, WIKITAPE_STORE_PASSWORD: 'wrong-hush' },
      'ls',
      address
    )
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('WIKITAPE_STORE_PASSWORD')
    })
    const nobody = await run(user, 'ls', inAddress)
    expect(nobody).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('NODE_EXTRA_CA_CERTS')
    })
    for (const { stdout, stderr } of [push, listed, wrong, nobody])
      expect(stdout + stderr).not.toContain('hush')
  })
})

describe('push and pull', () => {
  it('move only what differs, also after an interruption, and give the same folder', async () => {
    const local = path.join(temporaryFolder(), 'local')
    const pulled = path.join(temporaryFolder(), 'pulled')
    cpSync(cassette, local, { recursive: true })
    const address = await newAddress()
    const json = async (
      ...args: readonly string[]
    ): Promise<{ copied: string[]; deleted: string[]; unchanged: number }> => {
      const run = await spawned([...args, '--json'], {
        env: { XDG_CACHE_HOME: temporaryFolder() }
      })
      expect(run).toMatchObject({ code: 0 })
      return JSON.parse(run.stdout)
    }
    const all = filesIn(local).size
    expect((await json('push', local, address, '--dry-run')).copied).toHaveLength(all)
    expect((await json('push', local, address)).copied).toHaveLength(all)
    expect(await json('push', local, address)).toMatchObject({
      copied: [],
      unchanged: all
    })
    const files = await RedisFiles.open(address)
    const [one = '', two = ''] = [...(await files.list()).keys()].filter((name) =>
      name.startsWith('compare/')
    )
    // As if it had been interrupted, and as if somebody else had added a file.
    await files.write([
      { path: one, content: undefined },
      { path: 'notes.txt', content: Buffer.from('mine') }
    ])
    files.close()
    writeFileSync(
      path.join(local, two),
      `${readFileSync(path.join(local, two), 'utf8')} `
    )
    expect((await json('push', local, address)).copied.sort()).toEqual([one, two].sort())
    expect(await json('push', local, address, '--delete')).toMatchObject({
      copied: [],
      deleted: ['notes.txt']
    })
    await json('pull', address, pulled)
    expect(filesIn(pulled)).toEqual(filesIn(local))
    expect(
      await json('push', local, path.join(temporaryFolder(), 'third'))
    ).toMatchObject({
      unchanged: 0
    })
  })

  it('give a copy to commands that read, which name the address alone', async () => {
    const address = await pushed(cassette)
    const listed = await spawned(['ls', address])
    expect(listed.stdout.split('\n')[0]).toContain(address)
    const asJson = await spawned(['ls', address, '--json'])
    const missing = await spawned(['show', '0123456789ab', '--cassette', address])
    expect([listed.code, asJson.code, missing.code]).toEqual([0, 0, 2])
    expect(missing.stderr).toContain(address)
    for (const { stdout, stderr } of [listed, asJson, missing])
      expect(stdout + stderr).not.toContain(tmpdir())
  })

  it('write nothing, and name the path, where one leads out of the folder', async () => {
    const address = await pushed(cassette)
    const files = await RedisFiles.open(address)
    const hostile = '../../outside.json'
    const root = temporaryFolder()
    const refused = async (): Promise<void> => {
      const run = await spawned(['pull', address, path.join(root, 'in')])
      expect(run).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`${hostile} of redis://`)
      })
      expect(run.stderr).toContain('is not inside the folder of the copy')
      expect(filesIn(root).size).toBe(0)
    }
    await files.write([{ path: hostile, content: Buffer.from('x') }])
    await refused()
    // In the index alone.
    await files.connection.command('DEL', [files.layout.file(hostile)])
    files.close()
    await refused()
  })
})
