/** `exec --sealed`: programs that ignore proxy settings, in a network from which nothing leads out. */
import { execFile, spawnSync } from 'node:child_process'
import net, { type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { packageFile } from '../../src/cli/package-version.ts'
import { curl, family, page } from '../helpers/named-wikis.ts'
import { spawnStarted } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'

const isAllowed =
  spawnSync('unshare', ['--user', '--map-root-user', '--net', '--mount', 'ip', 'link'])
    .status === 0
const python = '/usr/bin/python3'
const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/sealed/${name}`, import.meta.url))

/** What machine.py prints: packets by way, and of the sealed command as two users. */
interface Machine {
  readonly open: Readonly<Record<string, number>>
  readonly '0': readonly [packets: number, output: string]
  readonly '1000': readonly [packets: number, output: string]
}

/** Asks as a program does that has never heard of proxies. */
const direct = (url: string): readonly string[] => ['curl', '-sS', '--noproxy', '*', url]

describe.skipIf(!isAllowed)('a sealed command', () => {
  it('reaches the wikis that it names, by their names and through the proxy', async () => {
    const { record, replay } = await family()
    const recorded = await record(curl(page('en.wiki.test', 'Box')))
    for (const command of [
      direct(page('en.wiki.test', 'Box')),
      curl(page('en.wiki.test', 'Box'))
    ]) {
      const { code, stdout, stderr } = await replay(command, ['--sealed'])
      expect([code, stdout]).toEqual([0, recorded.stdout])
      expect(stderr).toContain('live requests: 0')
    }
  })

  it('gets no packet out by 30 ways that work without it', {
    timeout: 180_000
  }, async () => {
    const { cwd, record } = await family()
    await record(curl(page('en.wiki.test', 'Box')))
    const exec = [
      process.execPath,
      packageFile('dist/cli/start.cjs'),
      'exec',
      '--sealed',
      '--allow-none'
    ]
    const machine = [
      python,
      fixture('machine.py'),
      ...exec,
      '--',
      python,
      fixture('ways.py')
    ]
    const ownSys = ['sh', '-c', 'mount -t sysfs sysfs /sys && exec "$@"', 'sh']
    const args = ['--user', '--map-root-user', '--net', '--mount', ...ownSys, ...machine]
    const { stdout } = await promisify(execFile)('unshare', args, { cwd })
    const told: Machine = JSON.parse(stdout)
    const ways = Object.entries(told.open)
    // Each is one that works, and that the count sees.
    expect([ways.length, ways.filter(([, count]) => count === 0)]).toEqual([30, []])
    for (const [packets, output] of [told['0'], told['1000']]) {
      expect(output).toContain('inherited sockets: 0; tracing: -1')
      for (const [name] of ways) expect(output).toContain(`\n${name}: `)
      expect(output).toContain('tried to reach 192.0.2.9:443; refused')
      expect(packets).toBe(0)
    }
  })

  it('reaches no server of this machine, which another command does', async () => {
    const { record, replay } = await family()
    await record(curl(page('en.wiki.test', 'Box')))
    let connections = 0
    const server = net.createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`
    await replay(direct(url), ['--sealed', '--allow-none'])
    expect(connections).toBe(0)
    await replay(direct(url), ['--allow-none'])
    expect(connections).toBe(1)
  })

  it('is what doctor tries on a program that ignores proxy settings', async () => {
    const { cwd, env, cacert } = await family()
    const args = ['doctor', '--port', '0', '--sealed', '--cacert', cacert, '--']
    const command = direct(page('en.wiki.test', 'Box'))
    const { code, stdout } = await run([...args, ...command], { cwd, env })
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('ok  curl: requests reached wikitape: en.wiki.test 1')
    ])
  })

  it('ends with the exit code of the command, and as its user', async () => {
    const { record, replay } = await family()
    await record(curl(page('en.wiki.test', 'Box')))
    const { code, stdout } = await replay(
      ['sh', '-c', 'id -u; exit 7'],
      ['--sealed', '--allow-none']
    )
    expect([code, stdout.trim()]).toEqual([7, String(process.getuid?.())])
  })
})

it('is refused in one line where there are no namespaces', async () => {
  const { cwd, record } = await family()
  await record(curl(page('en.wiki.test', 'Box')))
  const args = ['exec', '--sealed', '--', '/bin/true']
  const { code, stderr } = await spawnStarted(args, {
    cwd,
    env: { PATH: '/nonexistent' }
  }).ended
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1])
  expect(stderr).toContain('--sealed needs namespaces of Linux')
})
