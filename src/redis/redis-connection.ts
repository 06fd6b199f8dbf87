/** Connection to Redis or Valkey through ioredis, loaded when it is needed. Commands are repeated during a failover, so every one must be repeatable. */
import type { Cluster, Redis } from 'ioredis'
import { commandName } from '../recorder/store/command-name.ts'
import type { RedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { errorText, systemErrorCode } from '../recorder/text/error-text.ts'
import { whyNoRedis } from './server-kind.ts'

type RedisArgument = string | number | Uint8Array

/** Milliseconds for which a command is retried; the first one less, since the address may be wrong. */
const maxRetryMs = 10_000
const maxFirstRetryMs = 4000
/** While the server is away, one command in so many milliseconds looks for it, and the others fail at once. */
const probeMs = 1000
/** Milliseconds that replicas get to confirm, before they are asked again. */
const confirmation = 500

export class RedisConnection {
  readonly address: RedisAddress
  readonly #client: Redis | Cluster
  #lastError: unknown
  #hasAnswered = false
  /** Why commands fail while the server is away. */
  #away: StoreError | undefined
  #probeAt = 0
  #refuse: (error: unknown) => void = () => undefined
  /** Rejects with what no repetition mends. */
  readonly #refused = new Promise<never>((_, reject) => {
    this.#refuse = reject
  })

  private constructor(address: RedisAddress, client: Redis | Cluster) {
    this.address = address
    this.#client = client
    this.#refused.catch(() => undefined)
    for (const event of ['error', 'node error', 'sentinelError'])
      client.on(event, (error: unknown) => {
        this.#lastError = error
        if (!this.#hasAnswered && !isPassing(error)) this.#refuse(error)
      })
  }

  /** @throws StoreError where ioredis is missing, or the server does not let this user in */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const client = await loadClient(address.shown)
    const why = await whyNoRedis(address)
    if (why !== undefined) throw new StoreError('unreachable', address.shown, why)

    const connection = new RedisConnection(address, makeClient(client, address))
    await orClose(connection, () => connection.#select(address.database))
    return connection
  }

  /** A client goes on in database 0 where the server does not have another one. */
  #select(database: number): Promise<unknown> {
    return database === 0
      ? this.command('EXISTS', [`wikitape:{${this.address.name}}`])
      : this.command('SELECT', [database])
  }

  /** Texts of an answer are UTF-8. @throws StoreError */
  command(name: string, args: readonly RedisArgument[]): Promise<unknown> {
    return this.#repeat(() => this.#client.call(name, args.map(asArgument)))
  }

  /** The same with bytes. @throws StoreError */
  bytes(name: string, args: readonly RedisArgument[]): Promise<unknown> {
    return this.#repeat(() => this.#client.callBuffer(name, ...args.map(asArgument)))
  }

  /**
   * Runs a script on the server. @param replicas have to confirm that they have its writes, and it must write something
   * @throws StoreError
   */
  script(
    script: string,
    keys: readonly string[],
    args: readonly RedisArgument[],
    replicas: number = 0,
  ): Promise<unknown> {
    const parameters = [script, keys.length, ...keys, ...args].map(asArgument)
    return this.#repeat(() =>
      replicas === 0
        ? this.#client.call('EVAL', parameters)
        : this.#runConfirmed(parameters, replicas),
    )
  }

  close(): void {
    this.#client.disconnect()
  }

  async #runConfirmed(parameters: (string | Buffer)[], replicas: number): Promise<unknown> {
    // In one pipeline: WAIT is about the writes of its own connection.
    const calls = [
      ['call', 'EVAL', ...parameters],
      ['call', 'WAIT', String(replicas), String(confirmation)],
    ]
    const [ran, waited] = (await this.#client.pipeline(calls).exec()) ?? []
    const failure = ran?.[0] ?? waited?.[0]
    if (failure) throw failure
    if (Number(waited?.[1]) < replicas)
      throw new Unconfirmed(
        `its address demands that ${replicas} replicas confirm (?replicas=${replicas}), and ${String(waited?.[1])} have`,
      )
    return ran?.[1]
  }

  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    const started = Date.now()
    if (this.#away !== undefined && started < this.#probeAt) throw this.#away
    this.#probeAt = started + probeMs
    const end = started + this.#patience()
    for (;;)
      try {
        const answer = await answerBy(end, [attempt(), this.#refused])
        this.#hasAnswered = true
        this.#away = undefined
        return answer
      } catch (error) {
        if (isPassing(error) && Date.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          continue
        }
        const failure = this.#explain(error)
        if (!isReplyError(error)) this.#away = failure
        throw failure
      }
  }

  #patience(): number {
    if (this.#away !== undefined) return probeMs
    return this.#hasAnswered ? maxRetryMs : maxFirstRetryMs
  }

  #explain(error: unknown): StoreError {
    const { shown } = this.address
    const message = errorText(error)
    if (message.startsWith('WRONGTYPE'))
      return new StoreError('not-ours', shown, 'other data is stored under its keys')
    const isReply = isReplyError(error) || error instanceof Unconfirmed
    const cause = isReply ? error : (this.#lastError ?? error)
    return new StoreError('unreachable', shown, explanationOf(cause, this.address.database))
  }
}

/** Runs what may fail once a connection is open, which is closed then. */
export async function orClose<T>(opened: { close(): void }, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    opened.close()
    throw error
  }
}

/** The first of these; a client whose servers are all away does not end a command. */
async function answerBy<T>(end: number, answers: readonly Promise<T>[]): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), end - Date.now())
  })
  try {
    return await Promise.race([...answers, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Written, but not confirmed by the replicas that the address demands. */
class Unconfirmed extends Error {}

const isReplyError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'ReplyError'
const asArgument = (value: RedisArgument): string | Buffer =>
  typeof value === 'object'
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : String(value)

/** Refusals that end by themselves: a failover, a restart, a cluster that is being put together. */
const passingReply =
  /^(?:READONLY|CLUSTERDOWN|LOADING|MASTERDOWN|TRYAGAIN|MOVED|ASK|UNBLOCKED|NOREPLICAS)\b/

const isPassing = (error: unknown): boolean =>
  isReplyError(error)
    ? passingReply.test(errorText(error))
    : !/self-signed|certificate|altname/i.test(errorText(error))

/** In words, with what to do. ioredis keeps the arguments of a command apart from the message. */
function explanationOf(error: unknown, database: number): string {
  const message = errorText(error)
  const code = systemErrorCode(error)
  if (/^(?:NOAUTH|WRONGPASS)/.test(message))
    return `the server wants a user and a password, or other ones (${message.split(' ', 1)[0]}): set WIKITAPE_STORE_USER and WIKITAPE_STORE_PASSWORD`
  if (message.startsWith('NOPERM'))
    return `${message}; docs/fleet.md lists the commands and keys that the user needs`
  if (message.startsWith('OOM'))
    return 'the server has no memory left (maxmemory): give it more, or prune the cassette'
  if (/DB index|SELECT is not allowed/.test(message))
    return `it has no database ${database} (${message}): name another one in front of #`
  if (message.startsWith('All sentinels are unreachable'))
    return 'none of its sentinels answers, or knows a master of that name'
  if (message.startsWith('Failed to refresh slots cache')) return 'no node of the cluster answers'
  if (/altname/i.test(message)) return `its certificate is for another host name (${message})`
  if (/certificate|self-signed/i.test(message))
    return `its certificate is not accepted (${message}): name the file of its authority in NODE_EXTRA_CA_CERTS`
  return code === 'ECONNREFUSED'
    ? 'nothing listens there (ECONNREFUSED)'
    : code || message || 'no answer'
}

/** After so many milliseconds without an answer a connection is given up, and another one made. */
const silence = 2500

type RedisModule = Pick<typeof import('ioredis'), 'Cluster' | 'Redis'>

/** @throws StoreError where it is not installed */
async function loadClient(shown: string): Promise<RedisModule> {
  try {
    return await import('ioredis')
  } catch (error) {
    if (systemErrorCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error
    const how =
      commandName === 'wikitape' ? 'npm install --global ioredis' : 'npm install --save-dev ioredis'
    throw new StoreError('unreachable', shown, `the package ioredis is needed for it: ${how}`)
  }
}

const retryDelay = (times: number): number => Math.min(50 * times, 500)

function makeClient({ Cluster, Redis }: RedisModule, address: RedisAddress): Redis | Cluster {
  const { hosts, kind, username, password, tls, database, masterName } = address
  const options = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
    ...(tls ? { tls: {} } : {}),
    connectTimeout: silence,
    socketTimeout: silence,
    maxRetriesPerRequest: 3,
    retryStrategy: retryDelay,
  }
  if (kind === 'cluster')
    return new Cluster([...hosts], {
      redisOptions: options,
      clusterRetryStrategy: retryDelay,
      slotsRefreshTimeout: silence,
      // A certificate names hosts, and a cluster tells addresses.
      ...(tls
        ? {
            dnsLookup: (host: string, done: (error: null, address: string) => void) =>
              done(null, host),
          }
        : {}),
    })
  if (kind === 'sentinel')
    return new Redis({
      ...options,
      db: database,
      sentinels: [...hosts],
      name: masterName,
      sentinelRetryStrategy: retryDelay,
      ...(tls ? { enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
    })
  const [{ host, port } = { host: '127.0.0.1', port: 6379 }] = hosts
  return new Redis({ ...options, host, port, db: database })
}
