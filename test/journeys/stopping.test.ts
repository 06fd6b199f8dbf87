/** A run that is told to stop ends within three seconds, whatever its clients, its command and the wiki do. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { constants } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawnServing, spawnStarted } from '../helpers/processes.ts'
import { type Run, type Serving, type Started, serving } from '../helpers/program.ts'

/** Milliseconds: three seconds are promised; the rest is for a busy machine, and less than connections are kept alive. */
const promised = 4500
const shipped = 'cassettes/ru-1.43'
const query = '?action=query&format=json&list=allpages&apfrom=A'
const halfPost =
  'POST /w/api.php HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\nac'

/** A connection that stays open until the test has ended. */
async function connected(api: string, bytes: string): Promise<net.Socket> {
  const { hostname, port } = new URL(api)
  const socket = net.connect(Number(port), hostname)
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  socket.write(bytes)
  return socket
}

async function timed(started: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<Run> {
  const began = Date.now()
  started.kill(signal)
  const tooLate = wait(promised, undefined, { ref: false }).then(() => {
    throw new Error(`it still runs ${promised} ms after ${signal}`)
  })
  const run = await Promise.race([started.ended, tooLate])
  expect(Date.now() - began).toBeLessThan(promised)
  return run
}

/** A cassette with one small answer, and one that no system's buffers hold. */
async function recorded(): Promise<string> {
  const large = JSON.stringify({ query: { text: 'Volga river '.repeat(2_000_000) } })
  const wiki = await fakeWiki((params) =>
    params.get('apfrom') === 'Large' ? large : '{"query":{}}'
  )
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await serving(['record', wiki.api, '--cassette', cassette])
  for (const from of ['A', 'Large'])
    await ask(recording.api + query.replace('=A', `=${from}`))
  expect((await recording.stop()).stderr).toContain('recorded 2')
  return cassette
}

/** What a client can do to be waited for, by name. */
const clients: readonly (readonly [string, string])[] = [
  ['sent half of a body', halfPost],
  ['sent half of a head', 'GET /w/api.php HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: '],
  [
    'sent half of a body in chunks',
    'POST /w/api.php HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nac\r\n'
  ],
  ['says nothing', ''],
  [
    'keeps an answered connection open',
    `GET /w/api.php${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
  ],
  [
    'does not read its answer',
    `GET /w/api.php${query.replace('=A', '=Large')} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: identity\r\n\r\n`
  ],
  [
    'asked, and sent half of another request behind it',
    `GET /w/api.php${query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n${halfPost}`
  ],
  ['begins to speak TLS', '\u0016\u0003\u0001\u0002\u0000\u0001'],
  [
    'wants a tunnel',
    'CONNECT ru.wikipedia.org:443 HTTP/1.1\r\nHost: ru.wikipedia.org:443\r\n\r\n'
  ]
]

const ended = {
  code: expect.any(Number),
  signal: null,
  stderr: expect.stringContaining('live requests: 0')
}

/** A server that is told to stop while these clients wait for it. */
async function stopped(server: Serving, ...sent: readonly string[]): Promise<Run> {
  for (const bytes of sent) {
    const socket = await connected(server.api, bytes)
    // One that never reads: what was sent fills the buffers of the system.
    socket.pause()
  }
  await wait(300)
  return timed(server)
}

/** How a server for each client ended, and a process with all of them, or why one did not: all at once, by the first test that asks. */
async function stopServers() {
  const cassette = await recorded()
  const args = ['replay', '--cassette', cassette]
  const process = spawnServing(args).then((server) =>
    stopped(server, ...clients.map(([, bytes]) => bytes))
  )
  const each = clients.map(async ([name, bytes]) => {
    const run = await stopped(await serving(args), bytes).catch(String)
    return [name, run] as const
  })
  return { process: await process.catch(String), each: new Map(await Promise.all(each)) }
}
let servers: ReturnType<typeof stopServers> | undefined
function together(): ReturnType<typeof stopServers> {
  servers ??= stopServers()
  return servers
}

describe('replay ends although a client', () => {
  it.each(clients)('%s', async (name) => {
    expect((await together()).each.get(name)).toMatchObject(ended)
  })

  it('does any of these, as a process of its own', async () => {
    expect((await together()).process).toMatchObject(ended)
  })
})

it('ui ends although a page watches and another client sent half of a body', async () => {
  const server = await spawnServing(['ui', shipped])
  await connected(server.api, clients.at(-1)?.[1] ?? '')
  await connected(server.api, halfPost)
  await wait(300)
  expect((await timed(server)).code).toBe(0)
})

describe('record', () => {
  it('ends although the wiki never answers, and keeps what was recorded', async () => {
    const wiki = await fakeWiki((params) =>
      params.get('apfrom') === 'Never' ? 'taken' : '{"query":{}}'
    )
    const cassette = path.join(temporaryFolder(), 'tape')
    const server = await spawnServing(['record', wiki.api, '--cassette', cassette])
    await ask(server.api + query)
    const broken = ask(server.api + query.replace('=A', '=Never')).catch(String)
    await connected(server.api, halfPost)
    await wait(300)
    expect(await timed(server, 'SIGINT')).toMatchObject({
      code: expect.any(Number),
      stderr: expect.stringContaining('recorded 1')
    })
    expect(await broken).toMatch(/ECONNRESET|socket hang up/)
    expect(
      interactionFiles(cassette).filter((file) => file.includes('allpages'))
    ).toHaveLength(1)
  })

  it('gives an answer that comes meanwhile to its client', async () => {
    let arrive: (response: http.ServerResponse) => void = () => undefined
    const arrived = new Promise<http.ServerResponse>((resolve) => {
      arrive = resolve
    })
    const wiki = await fakeWiki((params, __, response) => {
      if (!params.has('apfrom')) return '{}'
      arrive(response)
      return 'taken'
    })
    const server = await spawnServing([
      'record',
      wiki.api,
      '--cassette',
      path.join(temporaryFolder(), 'tape')
    ])
    const underWay = ask(server.api + query)
    const response = await arrived
    const ending = timed(server)
    await wait(100)
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.end('{"query":{}}')
    expect((await ending).stderr).toContain('recorded 1')
    expect((await underWay).text).toBe('{"query":{}}')
  })

  it('ends at once while the wiki has not answered its login', async () => {
    const silent = http.createServer(() => undefined).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => {
      silent.closeAllConnections()
      silent.close()
    })
    const { port } = silent.address() as net.AddressInfo
    const asked = once(silent, 'request')
    const args = ['capture', `http://127.0.0.1:${port}/w/api.php`, '--requests', '-']
    const started = spawnStarted(
      [...args, '--cassette', path.join(temporaryFolder(), 'tape'), '--login', 'A'],
      {
        env: { WIKITAPE_PASSWORD: 'correct horse' },
        stdin: 'action=query&meta=siteinfo&format=json\n'
      }
    )
    await asked
    expect(await timed(started)).toMatchObject({ code: null, signal: 'SIGTERM' })
  })
})

describe('exec', () => {
  const node = (body: string): readonly string[] => [process.execPath, '--eval', body]
  const hold = `const s = require('node:net').connect(+process.env.WIKITAPE_PORT, '127.0.0.1', () => s.write(${JSON.stringify(halfPost)}))`

  it('ends with its command although that left a client behind which sent half of a body', async () => {
    const left = `require('node:child_process').spawn(process.execPath, ['--eval', ${JSON.stringify(`${hold}; setTimeout(() => {}, 8000)`)}], { detached: true, stdio: 'ignore' }).unref()`
    const started = spawnStarted([
      ...[
        'exec',
        '--allow-none',
        '--cassette',
        shipped,
        '--',
        ...node(`${left}; setTimeout(() => console.log('done'), 500)`)
      ]
    ])
    await started.printed(/done/)
    const ended = await Promise.race([
      started.ended,
      wait(promised, undefined, { ref: false })
    ])
    expect(ended).toMatchObject({ code: 0 })
  })

  it('kills a command that does not heed the signal, and says so', async () => {
    const deaf = `process.on('SIGTERM', () => undefined); console.log('ready'); ${hold}; setTimeout(() => {}, 20000)`
    const started = spawnStarted(['exec', '--cassette', shipped, '--', ...node(deaf)])
    await started.printed(/ready/)
    const { code, stderr } = await timed(started)
    expect(code).toBe(128 + constants.signals.SIGKILL)
    expect(stderr).toContain('did not exit 1000 ms after SIGTERM; killed')
  })

  it('takes its command with it at the second signal', async () => {
    const mark = path.join(temporaryFolder(), 'mark')
    const deaf = `const { writeFileSync } = require('node:fs'); process.on('SIGTERM', () => undefined); const stamp = () => writeFileSync(${JSON.stringify(mark)}, String(Date.now())); stamp(); console.log('ready'); setInterval(stamp, 50)`
    const started = spawnStarted(['exec', '--cassette', shipped, '--', ...node(deaf)])
    await started.printed(/ready/)
    started.kill('SIGTERM')
    await wait(200)
    // Without the second signal its command would be killed for not heeding the first one.
    expect((await timed(started, 'SIGTERM')).code).toBe(128 + constants.signals.SIGTERM)
    await wait(200)
    const last = readFileSync(mark, 'utf8')
    await wait(500)
    expect(readFileSync(mark, 'utf8')).toBe(last)
  })
})

it.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
  'a second %s ends a server at once',
  async (signal) => {
    let arrive = (): void => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    const wiki = await fakeWiki(() => {
      arrive()
      return 'taken'
    })
    const server = await spawnServing([
      'record',
      wiki.api,
      '--cassette',
      path.join(temporaryFolder(), 'tape')
    ])
    ask(server.api + query).catch(() => undefined)
    await arrived
    server.kill(signal)
    await wait(100)
    // Without the second signal it would end by itself, with another code.
    expect((await timed(server, signal)).code).toBe(128 + constants.signals[signal])
  }
)
