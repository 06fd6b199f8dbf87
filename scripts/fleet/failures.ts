/**
 * `npx tsx scripts/fleet/failures.ts KIND [--moments N] [--replicas N]`: two recorders write to one cassette while something
 * fails again and again: `server` (one that keeps an append-only file, killed), `master` (of a cluster, killed), `sentinel`
 * (the same under sentinels), `network` (cut for 5 s), `recorder` (killed -9). Every title is requested of both recorders at once. At the end everything that was acknowledged
 * is read from the server, byte for byte. Exits with 1 where something is torn or wrong, or did not go on within 10 s, or,
 * with --replicas, is lost.
 */
import http from 'node:http'
import { parseArgs } from 'node:util'
import { decodeInteraction } from '../../src/recorder/cassette/format/decode-interaction.ts'
import { keyInFileName } from '../../src/recorder/cassette/interaction-path.ts'
import { digestOf, RedisFiles } from '../../src/redis/redis-files.ts'
import { cutProxy } from './cut-proxy.ts'
import { get, startWikitape, type WikitapeProcess } from './processes.ts'
import { clusterOptions, type RedisServer, RedisServers, until } from './servers.ts'
import { answerFor, countingWiki, queryFor } from './wiki.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    moments: { type: 'string', default: '100' },
    replicas: { type: 'string', default: '0' }
  }
})
const kind = positionals[0] ?? ''
const moments = Number(values.moments)
const servers = new RedisServers()
const wiki = await countingWiki(5)
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms))
let drawn = 20_261_125
/** From 0 to `below`, the same in each run. */
const draw = (below: number): number => {
  drawn = (drawn * 48_271) % 2_147_483_647
  return drawn % below
}

interface Setup {
  readonly address: string
  readonly fail: () => Promise<void>
}

const parameters = values.replicas === '0' ? '' : `?replicas=${values.replicas}`
const recorders: WikitapeProcess[] = []
const startRecorder = (address: string): Promise<WikitapeProcess> =>
  startWikitape(['record', wiki.api, '--cassette', address, '--allow-live'])

/** Kills a master, waits for its successor, and brings it back as a replica. */
async function replaceMaster(
  master: RedisServer,
  options: readonly string[],
  isBack: (again: RedisServer) => boolean
): Promise<RedisServer> {
  master.process.kill('SIGKILL')
  await pause(2500 + draw(1500))
  const again = await servers.start(options, master.port)
  await until(() => isBack(again), `the server on port ${master.port} to be a replica`)
  return again
}

async function setUp(): Promise<Setup> {
  if (kind === 'master') {
    const nodes = [...(await servers.startCluster())]
    const address = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}${parameters}#fleet`
    const slot = Number(nodes[0]?.cli('cluster', 'keyslot', '{fleet}'))
    const fail = async (): Promise<void> => {
      const port = masterOf(nodes, slot)
      const at = nodes.findIndex((node) => node.port === port)
      const master = nodes[at]
      if (master === undefined) throw new Error(`no master for slot ${slot}`)
      const replaced = replaceMaster(master, clusterOptions, ({ cli }) =>
        /master_link_status:up/.test(cli('info', 'replication'))
      )
      const killed = performance.now()
      await until(
        () => ![port, undefined].includes(masterOf(nodes, slot)),
        'a successor',
        60
      )
      failoverMs = Math.max(failoverMs, performance.now() - killed)
      nodes[at] = await replaced
    }
    return { address, fail }
  }
  if (kind === 'sentinel') {
    const { nodes: started, sentinels } = await servers.startSentinels()
    const nodes = [...started]
    const address = `redis+sentinel://${sentinels.map((port) => `127.0.0.1:${port}`).join(',')}/tape${parameters}#fleet`
    const fail = async (): Promise<void> => {
      const at = nodes.findIndex(({ cli }) => cli('role').startsWith('master'))
      const master = nodes[at]
      if (master === undefined) throw new Error('no master')
      // It comes back as what it was; the sentinels make it a replica.
      nodes[at] = await replaceMaster(master, [], ({ cli }) =>
        /master_link_status:up/.test(cli('info', 'replication'))
      )
    }
    return { address, fail }
  }
  if (kind === 'server') {
    const options = ['--appendonly', 'yes', '--appendfsync', 'always']
    let server = await servers.start(options)
    const fail = async (): Promise<void> => {
      server.process.kill('SIGKILL')
      await pause(draw(3000))
      server = await servers.start(options, server.port)
    }
    return { address: `redis://127.0.0.1:${server.port}/0#fleet`, fail }
  }
  const server = await servers.start()
  if (kind === 'network') {
    const proxy = await cutProxy(server.port)
    const fail = async (): Promise<void> => {
      proxy.cut()
      await pause(5000)
      proxy.heal()
    }
    return { address: `redis://127.0.0.1:${proxy.port}/0#fleet`, fail }
  }
  if (kind !== 'recorder')
    throw new Error('expected server, master, sentinel, network or recorder')
  const address = `redis://127.0.0.1:${server.port}/0#fleet`
  const fail = async (): Promise<void> => {
    const at = draw(recorders.length)
    recorders[at]?.process.kill('SIGKILL')
    recorders[at] = await startRecorder(address)
  }
  return { address, fail }
}

/** Undefined while nobody has the slot. */
function masterOf(nodes: readonly RedisServer[], slot: number): number | undefined {
  for (const { cli } of nodes)
    for (const line of cli('cluster', 'nodes').split('\n')) {
      const [, address = '', flags = '', , , , , link, ...ranges] = line.split(' ')
      const isOwner = ranges.some((range) => {
        const [first = -1, last = first] = range.split('-').map(Number)
        return slot >= first && slot <= last
      })
      if (
        flags.includes('master') &&
        !flags.includes('fail') &&
        link === 'connected' &&
        isOwner
      )
        return Number(/:(\d+)@/.exec(address)?.[1])
    }
  return undefined
}

/** Titles whose recording was acknowledged. */
const acknowledged = new Set<string>()
/** Milliseconds between two acknowledgements, from the first one on. */
let wrong = 0
let unrecorded = 0
let requests = 0
let longestGap = 0
/** Milliseconds that one request waited, and that the cluster itself took to name a successor. */
let longestAnswer = 0
let failoverMs = 0
let lastAt = Number.POSITIVE_INFINITY
let isRunning = true

/** One title after the other, each of both recorders at once. */
async function client(name: string): Promise<void> {
  const agent = new http.Agent({ keepAlive: true })
  for (let at = 0; isRunning; at += 1) {
    const title = `${name}${at}`
    await Promise.all(recorders.map((_, which) => request(title, which, agent)))
    await pause(30)
  }
}

async function request(title: string, which: number, agent: http.Agent): Promise<void> {
  requests += 1
  const began = performance.now()
  try {
    const { text, status } = await get(
      recorders[which]?.origin ?? '',
      queryFor(title),
      agent
    )
    const isAnswer =
      status === 'recorded' || status === 'replayed' || status === 'passthrough'
    if (isAnswer && text !== answerFor(title)) wrong += 1
    if (status !== 'recorded' && status !== 'replayed') {
      unrecorded += 1
      return
    }
    acknowledged.add(title)
    longestAnswer = Math.max(longestAnswer, performance.now() - began)
    longestGap = Math.max(longestGap, performance.now() - lastAt)
    lastAt = performance.now()
  } catch {
    // The recorder was killed, or the store stayed away for too long: nothing was acknowledged.
    unrecorded += 1
  }
}

/** What of the acknowledged is not there, and what is there but not whole. */
async function inspect(
  address: string
): Promise<{ readonly lost: number; readonly torn: number }> {
  const files = await RedisFiles.open(address)
  const listed = [...(await files.list())]
  const contents = await files.read(listed.map(([path]) => path))
  const found = new Set<string>()
  let torn = 0
  for (const [at, [path, digest]] of listed.entries()) {
    const content = contents[at]
    if (content === undefined || digestOf(content) !== digest) torn += 1
    else if (keyInFileName(path) !== undefined && !path.startsWith('paraminfo/')) {
      const reading = decodeInteraction(Buffer.from(content).toString(), () => undefined)
      const title = reading.ok ? (reading.interaction.request.get('titles') ?? '') : ''
      const [body] = reading.ok
        ? reading.interaction.responses.map((response) => response.body)
        : []
      if (
        body?.kind !== 'json' ||
        !Buffer.from(content).toString().includes(title.repeat(200))
      )
        torn += 1
      else found.add(title)
    }
  }
  files.close()
  return { lost: [...acknowledged].filter((title) => !found.has(title)).length, torn }
}

const { address, fail } = await setUp()
recorders.push(await startRecorder(address), await startRecorder(address))
const clients = ['A', 'B', 'C'].map(client)
const started = performance.now()
for (let moment = 0; moment < moments; moment += 1) {
  await pause(300 + draw(700))
  lastAt = performance.now()
  await fail()
  const before = acknowledged.size
  await until(() => acknowledged.size > before + 5, 'recordings after the failure', 60)
}
isRunning = false
await Promise.all(clients)
const { lost, torn } = await inspect(address)
const counts = [...wiki.hits.values()]
const result = {
  kind,
  replicas: Number(values.replicas),
  moments,
  seconds: Math.round((performance.now() - started) / 1000),
  requests,
  acknowledged: acknowledged.size,
  unrecorded,
  lost,
  torn,
  wrong,
  longestGapMs: Math.round(longestGap),
  longestAnswerMs: Math.round(longestAnswer),
  failoverMs: Math.round(failoverMs),
  hitsPerTitle: Number(
    (counts.reduce((sum, one) => sum + one, 0) / counts.length).toFixed(3)
  )
}
console.log(JSON.stringify(result))
for (const recorder of recorders) recorder.process.kill('SIGKILL')
wiki.close()
await servers.stop()
const isFine =
  torn + wrong === 0 &&
  longestGap <= 10_000 &&
  (lost === 0 || (values.replicas === '0' && (kind === 'master' || kind === 'sentinel')))
process.exit(isFine ? 0 : 1)
