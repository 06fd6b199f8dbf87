/** Leases: of all recorders of a cassette one at a time asks the wiki for a key. A lease of a recorder that has died expires. */
import { randomUUID } from 'node:crypto'
import type { RequestKey } from '../recorder/request/request-key.ts'
import { PendingRead } from '../recorder/store/pending-read.ts'
import type { Leases } from '../recorder/store/store.ts'
import type { RedisContents } from './redis-contents.ts'
import { acquireScript, releaseScript, renewScript } from './redis-scripts.ts'

interface Lease {
  readonly key: string
  /** `<fence>:<owner>`: a later holder has a larger number. */
  readonly value: string
}

/** A lease outlives its recorder for so many milliseconds; while that works, the lease is renewed. */
const leaseMs = 5000
const renewMs = 1500

export class RedisLeases implements Leases {
  readonly #contents: RedisContents
  readonly #leases = new Map<RequestKey, Lease>()
  #timer: ReturnType<typeof setInterval> | undefined

  constructor(contents: RedisContents) {
    this.#contents = contents
  }

  async acquire(key: RequestKey, isRecorded: () => boolean): Promise<void> {
    const wasRecorded = isRecorded()
    const { layout, connection } = this.#contents.files
    const lease = layout.lease(key)
    const answer = await connection.script(
      acquireScript,
      [layout.meta, lease],
      [randomUUID(), leaseMs]
    )
    const [value, version] = Array.isArray(answer) ? answer.map(String) : []
    if (!value) throw new PendingRead(this.whenFree(key))
    this.#leases.set(key, { key: lease, value })
    this.#timer ??= setInterval(() => void this.#renew(), renewMs).unref()
    try {
      if (Number(version) !== this.#contents.version) await this.#contents.refreshNow()
      if (wasRecorded || !isRecorded()) return
      throw new PendingRead(Promise.resolve())
    } catch (error) {
      // Nobody would ever get it, for it would be renewed.
      await this.release(key)
      throw error
    }
  }

  get(key: RequestKey | undefined): Lease | undefined {
    return key === undefined ? undefined : this.#leases.get(key)
  }

  /** Resolves once nobody has the lease, and what its holder has recorded is known. */
  async whenFree(key: RequestKey): Promise<void> {
    const { layout, connection } = this.#contents.files
    const lease = layout.lease(key)
    let wait = 10
    while (Number(await connection.command('EXISTS', [lease])) > 0) {
      await new Promise((resolve) => setTimeout(resolve, wait))
      wait = Math.min(2 * wait, 100)
    }
    await this.#contents.refreshNow()
  }

  /** The lease has expired, and somebody else asks the wiki: resolves once that one has recorded. */
  handOver(key: RequestKey): Promise<void> {
    this.#leases.delete(key)
    return this.whenFree(key)
  }

  /** A recording has ended its lease already. */
  async release(key: RequestKey): Promise<void> {
    const lease = this.#leases.get(key)
    this.#leases.delete(key)
    if (this.#leases.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    if (lease)
      await this.#contents.files.connection
        .script(releaseScript, [lease.key], [lease.value])
        .catch(() => undefined)
  }

  async close(): Promise<void> {
    for (const key of [...this.#leases.keys()]) await this.release(key)
  }

  async #renew() {
    const all = [...this.#leases.values()]
    const keys = all.map(({ key }) => key)
    const values = all.map(({ value }) => value)
    await this.#contents.files.connection
      .script(renewScript, keys, [leaseMs, ...values])
      .catch(() => undefined)
  }
}
