/** Connection to Redis or Valkey through ioredis, loaded when it is needed. Commands are repeated during a failover, so every one must be repeatable. */
import type { Cluster, Redis } from 'ioredis'
import type { RedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { errorText } from '../recorder/text/error-text.ts'
import {
  explanationOf,
  isPassing,
  isReplyError,
  loadClient,
  makeClient,
  Unconfirmed
} from './redis-client.ts'
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

  /** @throws StoreError if ioredis is missing, or the server does not let this user in */
  static async open(address: RedisAddress): Promise<RedisConnection> {
    const client = await loadClient(address.shown)
    const why = await whyNoRedis(address)
    if (why !== undefined) throw new StoreError('unreachable', address.shown, why)

    const connection = new RedisConnection(address, makeClient(client, address))
    await orClose(connection, () => connection.#select(address.database))
    return connection
  }

  /** A client goes on in database 0 if the server does not have another one. */
  #select(database: number) {
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
    replicas: number = 0
  ): Promise<unknown> {
    const parameters = [script, keys.length, ...keys, ...args].map(asArgument)
    return this.#repeat(() =>
      replicas === 0
        ? this.#client.call('EVAL', parameters)
        : this.#runConfirmed(parameters, replicas)
    )
  }

  /** Keys that match a pattern, of all masters. @throws StoreError */
  async keys(pattern: string): Promise<readonly string[]> {
    const found = new Set<string>()
    for (const node of this.#masters()) {
      let cursor = '0'
      do {
        const from = cursor
        const [next, keys] = await this.#repeat(() =>
          node.scan(from, 'MATCH', pattern, 'COUNT', 1000)
        )
        for (const key of keys) found.add(key)
        cursor = next
      } while (cursor !== '0')
    }
    return [...found]
  }

  /** The policy by which the server deletes keys if its memory is full; undefined if it deletes none. @throws StoreError */
  async evictionPolicy(): Promise<string | undefined> {
    for (const node of this.#masters()) {
      const memory = await this.#repeat(() => node.info('memory'))
      const policy = /^maxmemory_policy:(\S+)/m.exec(memory)?.[1] ?? 'noeviction'
      if (policy !== 'noeviction' && !/^maxmemory:0\s/m.test(memory)) return policy
    }
    return undefined
  }

  #masters() {
    return 'nodes' in this.#client ? this.#client.nodes('master') : [this.#client]
  }

  close(): void {
    this.#client.disconnect()
  }

  async #runConfirmed(parameters: (string | Buffer)[], replicas: number) {
    // In one pipeline: WAIT is about the writes of its own connection.
    const calls = [
      ['call', 'EVAL', ...parameters],
      ['call', 'WAIT', String(replicas), String(confirmation)]
    ]
    const [ran, waited] = (await this.#client.pipeline(calls).exec()) ?? []
    const failure = ran?.[0] ?? waited?.[0]
    if (failure) throw failure
    if (Number(waited?.[1]) < replicas)
      throw new Unconfirmed(
        `its address demands that ${replicas} replicas confirm (?replicas=${replicas}), and ${String(waited?.[1])} have`
      )
    return ran?.[1]
  }

  async #repeat<T>(attempt: () => Promise<T>) {
    const started = Date.now()
    if (this.#away && started < this.#probeAt) throw this.#away
    this.#probeAt = started + probeMs
    const end = started + this.#patience()
    let last: unknown
    for (;;)
      try {
        const answer = await answerBy(end, [attempt(), this.#refused])
        this.#hasAnswered = true
        this.#away = undefined
        return answer
      } catch (error) {
        if (!(error instanceof NoAnswer)) last = error
        if (isPassing(error) && Date.now() < end) {
          await new Promise((resolve) => setTimeout(resolve, 100))
          continue
        }
        const failure = this.#explain(last ?? error)
        if (isPassing(error) && !(last instanceof Unconfirmed)) this.#away = failure
        throw failure
      }
  }

  #patience() {
    if (this.#away) return probeMs
    return this.#hasAnswered ? maxRetryMs : maxFirstRetryMs
  }

  #explain(error: unknown) {
    const { shown, database } = this.address
    if (errorText(error).startsWith('WRONGTYPE'))
      return new StoreError('not-ours', shown, 'other data is stored under its keys')
    const isReply = isReplyError(error) || error instanceof Unconfirmed
    const cause = isReply ? error : (this.#lastError ?? error)
    return new StoreError('unreachable', shown, explanationOf(cause, database))
  }
}

/** Runs what may fail once a connection is open, which is closed then. */
export async function orClose<T>(
  opened: { close(): void },
  run: () => Promise<T>
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    opened.close()
    throw error
  }
}

class NoAnswer extends Error {}

/** The first of these; a client whose servers are all away does not end a command. */
async function answerBy<T>(end: number, answers: readonly Promise<T>[]) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer('no answer')), end - Date.now())
  })
  try {
    return await Promise.race([...answers, late])
  } finally {
    clearTimeout(timer)
  }
}

const asArgument = (value: RedisArgument) =>
  typeof value === 'object'
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : String(value)
