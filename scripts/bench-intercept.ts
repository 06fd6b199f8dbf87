/**
 * `npm run bench:intercept`: what interception adds to a request (the tunnel and TLS in it), beside a proxy that does nothing
 * but TLS, and what it adds to the start of a command. In turns; the ratios are what to read.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import net, { type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import {
  CertificateAuthority,
  createAuthority
} from '../src/recorder/server/certificates/certificate-authority.ts'
import { madeAnswer, madeQuery, makeCassette } from './bench/cassette.ts'
import { start, stop } from './bench/servers.ts'

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const program = here('../dist/cli/start.cjs')
const rounds = 7
const perRound = 300
const host = 'en.wiki.test'
const index = 7
const bytes = Buffer.byteLength(madeAnswer(index))

interface Proxy {
  readonly address: URL
  readonly ca: string
}

/** Asks, and waits for the whole answer. */
function ask(socket: Socket, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let left = -1
    const onData = (part: Buffer): void => {
      if (left < 0 && !part.includes('HTTP/1.1 200 OK')) reject(new Error(String(part)))
      const begin = left < 0 ? part.indexOf('\r\n\r\n') + 4 : 0
      left = (left < 0 ? bytes : left) - (part.length - begin)
      if (left > 0) return
      socket.off('data', onData)
      if (left < 0) reject(new Error(`an answer is ${-left} bytes too long`))
      else resolve()
    }
    socket.on('data', onData)
    socket.write(`GET /w/api.php?${madeQuery(index)} HTTP/1.1\r\nhost: ${name}\r\n\r\n`)
  })
}

async function connect({ address }: Proxy): Promise<Socket> {
  const socket = net.connect(Number(address.port), address.hostname)
  socket.setNoDelay(true)
  await once(socket, 'connect')
  return socket
}

async function tunnel(proxy: Proxy): Promise<Socket> {
  const socket = await connect(proxy)
  const token = Buffer.from(
    `${proxy.address.username}:${proxy.address.password}`
  ).toString('base64')
  socket.write(
    `CONNECT ${host}:443 HTTP/1.1\r\nhost: ${host}:443\r\nproxy-authorization: Basic ${token}\r\n\r\n`
  )
  await once(socket, 'data')
  const secure = tls.connect({ socket, servername: host, ca: proxy.ca })
  await once(secure, 'secureConnect')
  return secure
}

type Opening = (proxy: Proxy) => Promise<Socket>

/** Milliseconds a request. */
async function timed(proxy: Proxy, open: Opening, isKept: boolean): Promise<number> {
  const name = open === tunnel ? host : proxy.address.host
  const began = performance.now()
  let socket = await open(proxy)
  for (let at = 0; at < perRound; at += 1) {
    if (!isKept && at > 0) socket = await open(proxy)
    await ask(socket, name)
    if (!isKept) socket.destroy()
  }
  socket.destroy()
  return (performance.now() - began) / perRound
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const print = (line: string): void => void process.stdout.write(`${line}\n`)

function tell(what: string, ratios: readonly number[], figures: string): void {
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)]
  const texts = [median(ratios), low, high].map((one) => one.toFixed(2))
  print(`| ${what} | ${texts[0]} | ${texts[1]} – ${texts[2]} | ${figures} |`)
}

async function added(wikitape: Proxy, bare: Proxy, isKept: boolean): Promise<void> {
  const figures: Record<'bare' | 'ours', number[]> = { bare: [], ours: [] }
  for (let round = -1; round < rounds; round += 1) {
    const ours =
      (await timed(wikitape, tunnel, isKept)) - (await timed(wikitape, connect, isKept))
    const theirs =
      (await timed(bare, tunnel, isKept)) - (await timed(bare, connect, isKept))
    // The first round warms both up.
    if (round < 0) continue
    figures.ours.push(ours)
    figures.bare.push(theirs)
  }
  const micros = (values: readonly number[]): string =>
    Math.round(median(values) * 1000).toLocaleString('en')
  tell(
    isKept ? 'added on a connection that stays' : 'added with a tunnel for each request',
    figures.ours.map((one, at) => one / (figures.bare[at] ?? 1)),
    `${micros(figures.bare)} and ${micros(figures.ours)} µs`
  )
}

function started(dir: string): void {
  const command = ['exec', '--cassette', 'cassettes/mine', '--allow-none']
  const time = (flags: readonly string[]): number => {
    const began = performance.now()
    const args = [program, ...command, ...flags, '--', 'true']
    const { status } = spawnSync(process.execPath, args, { cwd: dir, stdio: 'ignore' })
    if (status !== 0) throw new Error(`exec ended with ${status}`)
    return performance.now() - began
  }
  const plain: number[] = []
  const intercepted: number[] = []
  for (let round = -1; round < 15; round += 1) {
    const [one, other] = [time([]), time(['--intercept'])]
    if (round < 0) continue
    plain.push(one)
    intercepted.push(other)
  }
  const more = Math.round(median(intercepted) - median(plain))
  tell(
    'start and end of `exec … -- true`, with interception',
    intercepted.map((one, at) => one / (plain[at] ?? 1)),
    `${Math.round(median(plain))} and ${Math.round(median(intercepted))} ms (${more} ms more)`
  )
}

/** A proxy that stays, and what it prints for programs. */
async function startWikitape(
  dir: string
): Promise<{ readonly proxy: Proxy; readonly end: () => Promise<void> }> {
  const cassette = ['--cassette', 'cassettes/mine', '--port', '0']
  const args = [program, 'replay', ...cassette, '--ca', 'ca']
  const child = spawn(process.execPath, args, {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'ignore']
  })
  for await (const line of createInterface(child.stdout)) {
    const address = /^export HTTPS_PROXY='(.*)'$/.exec(line)?.[1]
    if (address === undefined) continue
    const ca = readFileSync(path.join(dir, 'ca/authority.pem'), 'utf8')
    const end = async (): Promise<void> => {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    return { proxy: { address: new URL(address), ca }, end }
  }
  throw new Error('wikitape did not start')
}

async function main(dir: string): Promise<void> {
  const cassette = path.join(dir, 'cassettes/mine')
  makeCassette(cassette, 20)
  const manifest = path.join(cassette, 'cassette.json')
  const text = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, text.replace('http://127.0.0.1:9', `https://${host}`))
  const { certificate, key } = createAuthority(1)
  const signed = new CertificateAuthority(certificate, key).credentialsFor(host)
  writeFileSync(path.join(dir, 'bare.pem'), signed.cert + signed.key)
  writeFileSync(path.join(dir, 'body.json'), madeAnswer(index))
  const files = [path.join(dir, 'bare.pem'), path.join(dir, 'body.json')]
  const running = await start([here('bench/bare-tls.mjs'), ...files])
  const wikitape = await startWikitape(dir)
  print('| what | ratio | from – to | compared, wikitape |')
  print('| ---- | ----- | --------- | ------------------ |')
  const bare = { address: running.url, ca: certificate }
  for (const isKept of [false, true]) await added(wikitape.proxy, bare, isKept)
  await stop(running)
  await wikitape.end()
  started(dir)
}

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-'))
try {
  mkdirSync(path.join(folder, 'cassettes'))
  await main(folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
