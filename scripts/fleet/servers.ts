/** Redis servers on loopback, each in a folder of its own below the temporary folder: alone, as a cluster, under sentinels. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface RedisServer {
  readonly port: number
  readonly process: ChildProcess
  /** As `redis-cli` prints it. */
  readonly cli: (...args: readonly string[]) => string
}

/** Of each node of a cluster, also of one that is started again. */
export const clusterOptions: readonly string[] = [
  ...['--cluster-enabled', 'yes', '--cluster-node-timeout', '1500'],
  ...['--repl-backlog-size', '32mb']
]

/** Starts servers, and ends all of them with `stop`. */
export class RedisServers {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'wikitape-redis-'))
  readonly #started: ChildProcess[] = []

  constructor() {
    process.once('exit', () => this.#kill())
  }

  /** One server without persistence. @param options as on the command line of redis-server */
  async start(options: readonly string[] = [], port?: number): Promise<RedisServer> {
    const at = port ?? (await freePort())
    const folder = path.join(this.#folder, String(at))
    mkdirSync(folder, { recursive: true })
    const base = [
      '--port',
      String(at),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--daemonize',
      'no'
    ]
    const child = spawn('redis-server', [...base, ...options], { stdio: 'ignore' })
    this.#started.push(child)
    const server = { port: at, process: child, cli: cliOf(at) }
    await until(() => server.cli('ping') === 'PONG', `redis-server on port ${at}`)
    return server
  }

  /** Three masters with a replica each. */
  async startCluster(): Promise<readonly RedisServer[]> {
    const nodes: RedisServer[] = []
    // Their cluster ports are 10,000 above; from 32,768 on a connection of another program may have one.
    for (let at = 0; at < 6; at += 1)
      nodes.push(await this.start(clusterOptions, await freePort(12_000, 22_000)))
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`)
    execFileSync('redis-cli', [
      '--cluster',
      'create',
      ...addresses,
      '--cluster-replicas',
      '1',
      '--cluster-yes'
    ])
    await until(
      () => nodes.every(({ cli }) => cli('cluster', 'info').includes('cluster_state:ok')),
      'the cluster'
    )
    await until(
      () => nodes.filter(isConnectedReplica).length === 3,
      'the replicas of the cluster'
    )
    return nodes
  }

  /** A master with two replicas, and three sentinels that watch them as `tape`. */
  async startSentinels(): Promise<{
    readonly nodes: readonly RedisServer[]
    readonly sentinels: readonly number[]
  }> {
    const master = await this.start()
    const follow = ['--replicaof', '127.0.0.1', String(master.port)]
    const nodes = [master, await this.start(follow), await this.start(follow)]
    await until(() => nodes.filter(isConnectedReplica).length === 2, 'the replicas')
    const sentinels: number[] = []
    for (let at = 0; at < 3; at += 1) {
      const port = await freePort()
      const file = path.join(this.#folder, `sentinel-${port}.conf`)
      const rules = [
        'down-after-milliseconds tape 1500',
        'failover-timeout tape 5000',
        'parallel-syncs tape 1'
      ]
      const lines = [
        `port ${port}`,
        'bind 127.0.0.1',
        `sentinel monitor tape 127.0.0.1 ${master.port} 2`
      ]
      writeFileSync(
        file,
        [...lines, ...rules.map((rule) => `sentinel ${rule}`), ''].join('\n')
      )
      this.#started.push(spawn('redis-server', [file, '--sentinel'], { stdio: 'ignore' }))
      await until(() => cliOf(port)('ping') === 'PONG', 'a sentinel')
      sentinels.push(port)
    }
    await until(
      () =>
        sentinels.every((port) =>
          cliOf(port)('sentinel', 'ckquorum', 'tape').startsWith('OK')
        ),
      'the quorum of the sentinels'
    )
    await until(
      () =>
        sentinels.every(
          (port) =>
            (cliOf(port)('sentinel', 'replicas', 'tape').match(/^name$/gm) ?? [])
              .length === 2
        ),
      'the sentinels to know the replicas'
    )
    return { nodes, sentinels }
  }

  /** Ends all servers, and deletes their folders. */
  async stop(): Promise<void> {
    this.#kill()
    await new Promise((resolve) => setTimeout(resolve, 200))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #kill(): void {
    for (const child of this.#started) child.kill('SIGKILL')
  }
}

const isConnectedReplica = ({ cli }: RedisServer): boolean =>
  cli('info', 'replication').includes('master_link_status:up')

/** @returns an empty text where the server does not answer */
const cliOf =
  (port: number): RedisServer['cli'] =>
  (...args) => {
    try {
      return execFileSync('redis-cli', ['-p', String(port), ...args], {
        encoding: 'utf8',
        timeout: 5000,
        stdio: ['ignore', 'pipe', 'ignore']
      }).trim()
    } catch {
      return ''
    }
  }

/** A port between these, or any. */
export async function freePort(from = 0, to = 0): Promise<number> {
  const wanted = from + Math.floor(Math.random() * (to - from))
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', () => freePort(from, to).then(resolve, reject))
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      )
    })
  })
}

export async function until(
  isTrue: () => boolean | Promise<boolean>,
  what: string,
  seconds = 30
): Promise<void> {
  const end = Date.now() + seconds * 1000
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error(`${what}: not ready after ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
