/** `exec --sealed`: programs that ignore proxy settings, in a network from which nothing leads out. */
import { spawnSync } from 'node:child_process'
import net, { type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { curl, family, page } from '../helpers/named-wikis.ts'
import { spawnStarted } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'

const isAllowed =
  spawnSync('unshare', ['--user', '--map-root-user', '--net', '--mount', 'ip', 'link'])
    .status === 0
const python = '/usr/bin/python3'

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

  it('reaches nothing else: no server of this machine, no address, by no protocol', async () => {
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
    const ways = `
import socket, sys
def tcp(host, port, family=socket.AF_INET):
    s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(2); s.connect((host, port))
    s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); return s.recv(100)
def udp(host, port, family=socket.AF_INET):
    s = socket.socket(family, socket.SOCK_DGRAM); s.settimeout(1); s.sendto(b'x' * 5, (host, port)); return s.recv(100)
def raw():
    s = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP); s.settimeout(1)
    s.sendto(b'\\x08\\x00\\xf7\\xff\\x00\\x00\\x00\\x00', ('192.0.2.1', 0)); return s.recv(100)
ways = {
  'host': lambda: tcp('127.0.0.1', ${port}), 'https': lambda: tcp('192.0.2.1', 443),
  'database': lambda: tcp('10.0.0.5', 5432), 'six': lambda: tcp('2001:db8::1', 443, socket.AF_INET6),
  'udp': lambda: udp('192.0.2.1', 53), 'udp six': lambda: udp('2001:db8::1', 53, socket.AF_INET6),
  'ssh by name': lambda: tcp('en.wiki.test', 22),
}
for name, way in ways.items():
    try: print(name, 'answered' if way() else 'closed')
    except OSError as e: print(name, 'failed')
`
    const { stdout, stderr } = await replay(
      [python, '-c', ways],
      ['--sealed', '--allow-none']
    )
    const lines = stdout.trim().split('\n')
    expect([lines.length, lines.filter((line) => line.endsWith('answered'))]).toEqual([
      7,
      []
    ])
    expect(stderr).toContain('tried to reach 192.0.2.1:443; refused')
    expect(connections).toBe(0)

    // A command that is not sealed does reach the server of this machine.
    const url = `http://127.0.0.1:${port}/`
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
