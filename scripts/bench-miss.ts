/**
 * `npm run bench:miss [-- RECORDINGS [redis] [KIND]]`: what a miss costs in a cassette with many recordings of one module, in
 * milliseconds as the client sees them: the first miss of a server, the same again, others, and hits beside a client
 * that misses without end. With `redis`, the cassette lies on a redis-server of its own.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { encodeInteraction } from '../src/recorder/cassette/format/encode-interaction.ts'
import { fromPlain } from '../src/recorder/json/plain-json.ts'
import { requestKey } from '../src/recorder/request/request-key.ts'
import { CassetteStore } from '../src/recorder/store/cassette-store.ts'
import { cpuMs, start, stop } from './bench/servers.ts'

const count = Number(process.argv[2] ?? 30_000)
const usesRedis = process.argv[3] === 'redis'
const only = process.argv[usesRedis ? 4 : 3] ?? ''

interface Kind {
  readonly name: string
  readonly params: (title: string) => readonly (readonly [string, string])[]
  readonly answer: (title: string, at: number) => object
}

const kinds: readonly Kind[] = [
  {
    name: 'parse&page=',
    params: (title) => [
      ['action', 'parse'],
      ['page', title]
    ],
    answer: (title) => ({
      parse: { title, text: { '*': `<p>${'word '.repeat(60)}</p>` } }
    })
  },
  {
    name: 'prop=info&titles=',
    params: (title) => [
      ['action', 'query'],
      ['prop', 'info'],
      ['titles', title]
    ],
    answer: (title, at) => ({
      batchcomplete: '',
      query: {
        pages: {
          [at + 1]: { pageid: at + 1, ns: 0, title, contentmodel: 'wikitext', length: 5 }
        }
      }
    })
  },
  {
    name: 'list=backlinks&bltitle=',
    params: (title) => [
      ['action', 'query'],
      ['bltitle', title],
      ['list', 'backlinks']
    ],
    answer: (title, at) => ({
      batchcomplete: '',
      query: { backlinks: [{ pageid: at + 1, ns: 0, title: `Talk of ${title}` }] }
    })
  },
  {
    name: 'names cut off',
    params: (title) => [
      ['action', 'query'],
      ['inprop', 'displaytitle|protection|url|varianttitles'],
      ['prop', 'info'],
      ['titles', `A page with a title that is long, ${title}`]
    ],
    answer: (title, at) => ({
      batchcomplete: '',
      query: { pages: { [at + 1]: { pageid: at + 1, ns: 0, title, length: 5 } } }
    })
  }
]

const titleAt = (at: number): string => `Page ${String(at).padStart(7, '0')} of many`

function makeCassette(dir: string, { params, answer }: Kind): void {
  const store = CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php')
  // Its modules are described as the package knows them.
  const site = {
    generator: 'MediaWiki 1.43.9',
    lang: 'en',
    miserMode: false,
    hasVariants: false
  }
  store.setManifest({ ...store.manifest, site: { ...site, namespaces: [] } })
  store.saveManifest()
  const made = new Set<string>()
  for (let at = 0; at < count; at += 1) {
    const request = new Map(params(titleAt(at)))
    const body = {
      kind: 'json',
      tree: fromPlain(answer(titleAt(at), at)),
      spelling: 'utf8'
    } as const
    const response = {
      status: 200,
      headers: new Map<string, string>(),
      cookies: [],
      body
    }
    const one = {
      key: requestKey(request),
      request,
      sentValues: new Map(),
      responses: [response]
    } as const
    const file = path.join(dir, store.pathFor(one))
    if (!made.has(path.dirname(file))) mkdirSync(path.dirname(file), { recursive: true })
    made.add(path.dirname(file))
    writeFileSync(file, encodeInteraction(one, path.basename(file, '.json')).text)
  }
}

const cli = fileURLToPath(new URL('../dist/cli/start.cjs', import.meta.url))

/** The address of the cassette on a redis-server of its own, and how to end that. */
async function pushed(
  dir: string,
  name: string
): Promise<{ address: string; end: () => void }> {
  const listening = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const { port } = listening.address() as { port: number }
  listening.close()
  const server = spawn(
    'redis-server',
    ['--port', `${port}`, '--save', '', '--dir', tmpdir()],
    {
      stdio: 'ignore'
    }
  )
  await new Promise((resolve) => setTimeout(resolve, 500))
  const address = `redis://127.0.0.1:${port}/0#${name}`
  execFileSync(process.execPath, [cli, 'push', dir, address], { stdio: 'ignore' })
  return { address, end: () => void server.kill() }
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
const most = (values: readonly number[]): number => Math.max(...values)
const ms = (value: number): string => value.toFixed(1).padStart(8)

async function measure(kind: Kind): Promise<void> {
  const dir = mkdtempSync(path.join(tmpdir(), 'wikitape-bench-miss-'))
  makeCassette(dir, kind)
  const remote = usesRedis ? await pushed(dir, 'miss') : undefined
  const server = await start([
    cli,
    'replay',
    '--port',
    '0',
    '--cassette',
    remote?.address ?? dir
  ])
  const timed = async (title: string, status: string): Promise<number> => {
    const query = new URLSearchParams(
      Object.fromEntries([...kind.params(title), ['format', 'json']])
    )
    const before = performance.now()
    const response = await fetch(`${server.url}?${query}`)
    await response.arrayBuffer()
    const took = performance.now() - before
    const got = response.headers.get('x-cassette-status')
    if (got !== status) throw new Error(`${query} was ${got}`)
    return took
  }
  try {
    // What Node itself compiles for a first request is none of it.
    for (let at = 0; at < 50; at += 1) await timed(titleAt(at), 'replayed')
    const began = cpuMs(server)
    const first = await timed('Page 12x', 'miss')
    const firstCpu = cpuMs(server) - began
    const again: number[] = []
    for (let at = 0; at < 10; at += 1) again.push(await timed('Page 12x', 'miss'))
    const others: number[] = []
    const before = cpuMs(server)
    for (let at = 0; at < 10; at += 1)
      others.push(await timed(`Page ${at * 997}y of mani`, 'miss'))
    const cpu = (cpuMs(server) - before) / others.length
    const alone: number[] = []
    const beforeHits = cpuMs(server)
    for (let at = 0; at < 100; at += 1)
      alone.push(await timed(titleAt((at * 31) % count), 'replayed'))
    const hitCpu = (cpuMs(server) - beforeHits) / alone.length
    let missing = true
    const misses = (async () => {
      for (let at = 0; missing; at += 1) await timed(`Page ${at * 13}z of mani`, 'miss')
    })()
    const beside: number[] = []
    for (let at = 0; at < 100; at += 1)
      beside.push(await timed(titleAt((at * 37) % count), 'replayed'))
    missing = false
    await misses
    process.stdout.write(
      `${kind.name.padEnd(24)} first${ms(first)} (processor${ms(firstCpu)})  again${ms(median(again))} (most${ms(most(again))})  others${ms(median(others))} (most${ms(most(others))}, processor${ms(cpu)})  hits alone${ms(median(alone))} (most${ms(most(alone))}, processor${ms(hitCpu)})  beside${ms(median(beside))} (most${ms(most(beside))})\n`
    )
  } finally {
    await stop(server)
    remote?.end()
    rmSync(dir, { recursive: true, force: true })
  }
}

process.stdout.write(
  `${count} recordings ${usesRedis ? 'on Redis' : 'in a folder'}; milliseconds\n`
)
for (const kind of kinds.filter(({ name }) => name.includes(only))) await measure(kind)
