/**
 * Other programs that answer out of recordings or files, for measurements: those that are on the PATH, or in the folder
 * that WIKITAPE_BENCH_PEERS names (`talkback/node_modules`, `wiremock/…/wiremock-standalone-*.jar`). Each records in its
 * own way what the bare server answers, and then serves it.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import which from 'which'
import { type MadeRequest, madeAnswer, madeIndices, madeQuery } from './cassette.ts'
import { type Asked, load, type Running } from './servers.ts'

/** A program that is installed, and the folder for its recordings. */
interface Peer {
  readonly name: string
  /** How it is started to record what the wiki answers; undefined where files are written for it. */
  readonly record: ((port: number, wiki: URL) => readonly string[]) | undefined
  readonly serve: (port: number, wiki: URL) => readonly string[]
}

/** Undefined where it is not installed. */
type Find = (home: string, count: number) => Peer | undefined

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))
const folder = process.env['WIKITAPE_BENCH_PEERS'] ?? ''
const onPath = (program: string): string | undefined =>
  which.sync(program, { nothrow: true }) ?? undefined

/** Ready files, named as the parameter stands in the URL. */
const nginx: Find = (home, count) => {
  const program = onPath('nginx')
  if (program === undefined) return undefined
  const files = path.join(home, 'files')
  mkdirSync(files)
  for (const index of madeIndices(count)) {
    const name = /apfrom=([^&]*)/.exec(madeQuery(index))?.[1] ?? ''
    writeFileSync(path.join(files, name), madeAnswer(index))
  }
  const config = path.join(home, 'nginx.conf')
  const rooms = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (one) => `${one}_temp_path ${home};`
  )
  const serve = (port: number): readonly string[] => {
    writeFileSync(
      config,
      `daemon off; master_process off; pid ${home}/pid; error_log ${home}/errors; events { worker_connections 1024; }
http { access_log off; sendfile on; keepalive_requests 100000000; default_type "application/json; charset=utf-8";
open_file_cache max=200000 inactive=600s; open_file_cache_valid 600s; ${rooms.join(' ')}
server { listen 127.0.0.1:${port}; location = /w/api.php { root ${files}; try_files /$arg_apfrom =404; } } }\n`
    )
    return [program, '-c', config]
  }
  return { name: 'nginx', record: undefined, serve }
}

const talkback: Find = (home) => {
  const place = path.join(folder, 'talkback')
  if (!existsSync(path.join(place, 'node_modules/talkback'))) return undefined
  const start = (port: number, wiki: string, mode: string): readonly string[] => [
    process.execPath,
    ...[here('talkback.cjs'), place, String(port), wiki, path.join(home, 'tapes'), mode]
  ]
  return {
    name: 'talkback',
    record: (port, { origin }) => start(port, origin, 'NEW'),
    serve: (port, { origin }) => start(port, origin, 'DISABLED')
  }
}

const mitmproxy: Find = (home) => {
  const program = onPath('mitmdump')
  if (program === undefined) return undefined
  const flows = path.join(home, 'flows')
  const start = (port: number, wiki: string): readonly string[] => [
    ...[
      program,
      '-q',
      '--listen-host',
      '127.0.0.1',
      '-p',
      String(port),
      '--mode',
      `reverse:${wiki}`
    ],
    ...['--set', `confdir=${home}`, '--set', 'connection_strategy=lazy']
  ]
  const replay = ['server_replay_nopop', 'server_replay_kill_extra'].flatMap((one) => [
    '--set',
    `${one}=true`
  ])
  return {
    name: 'mitmproxy',
    record: (port, { origin }) => [...start(port, origin), '-w', flows],
    serve: (port, { origin }) => [
      ...start(port, origin),
      '--server-replay',
      flows,
      ...replay
    ]
  }
}

const wireMock: Find = (home) => {
  const java = onPath('java')
  const place = path.join(folder, 'wiremock')
  const jar = (
    existsSync(place) ? readdirSync(place, { recursive: true, encoding: 'utf8' }) : []
  ).find((name) => /wiremock-standalone-[\d.]+\.jar$/.test(name))
  if (java === undefined || jar === undefined) return undefined
  const start = (port: number): readonly string[] => [
    ...[
      java,
      '-jar',
      path.join(place, jar),
      '--port',
      String(port),
      '--bind-address',
      '127.0.0.1'
    ],
    ...['--root-dir', home, '--disable-banner', '--use-chunked-encoding', 'never']
  ]
  return {
    name: 'WireMock',
    record: (port, { origin }) => [
      ...start(port),
      '--proxy-all',
      origin,
      '--record-mappings'
    ],
    serve: (port) => [...start(port), '--no-request-journal']
  }
}

const peers: ReadonlyMap<string, Find> = new Map([
  ['nginx', nginx],
  ['talkback', talkback],
  ['mitmproxy', mitmproxy],
  ['WireMock', wireMock]
])

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

/** Seconds that a program may take to answer for the first time. */
const patience = 60

/** Starts a program that does not say when it is ready. @throws where the right answer does not come in time */
async function startSilent(
  [program = '', ...args]: readonly string[],
  port: number,
  asked: Asked
): Promise<Running> {
  const child = spawn(program, args, { stdio: 'ignore' })
  const running = { child, url: new URL(`http://127.0.0.1:${port}/w/api.php`) }
  for (let tries = 0; tries < patience * 200 && child.exitCode === null; tries += 1) {
    const answered = await load(running, [asked], 1).then(
      () => true,
      () => false
    )
    if (answered) return running
    await setTimeout(5)
  }
  child.kill('SIGKILL')
  throw new Error(`${program} gave no right answer`)
}

/** Lets it write what it still has to write. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Records what the wiki answers. @returns starts the program that serves it */
async function recorded(
  peer: Peer,
  wiki: Running,
  all: readonly Asked[]
): Promise<() => Promise<Running>> {
  const [first] = all
  if (first === undefined) throw new Error('expected requests')
  if (peer.record !== undefined) {
    const port = await freePort()
    const recorder = await startSilent(peer.record(port, wiki.url), port, first)
    await load(recorder, all, 1)
    await ended(recorder.child)
  }
  const port = await freePort()
  return () => startSilent(peer.serve(port, wiki.url), port, first)
}

/**
 * Calls `measure` with a function that starts each program that is installed, to serve what the bare server answers; says in
 * one line which are not, and which did not answer.
 */
export async function withPeers(
  wiki: Running,
  requests: readonly MadeRequest[],
  measure: (name: string, start: () => Promise<Running>) => Promise<void>
): Promise<void> {
  // Some spell what they recorded in a way of their own.
  const all = requests.map(
    ({ query }) => ({ method: 'GET', query, bytes: undefined }) as const
  )
  const lacking: string[] = []
  for (const [name, find] of peers) {
    const home = mkdtempSync(path.join(tmpdir(), 'wikitape-peer-'))
    try {
      const peer = find(home, requests.length)
      if (peer === undefined) {
        lacking.push(name)
        continue
      }
      await measure(name, await recorded(peer, wiki, all))
    } catch (error) {
      console.log(`${name}: ${error instanceof Error ? error.message : String(error)}`)
    } finally {
      rmSync(home, { recursive: true, force: true })
    }
  }
  if (lacking.length > 0) console.log(`not installed: ${lacking.join(', ')}`)
}
