/** A cassette on Redis or Valkey: interactions are loaded when first read, all else is in memory and kept current (docs/fleet.md). */
import path from 'node:path'
import type { EncodedInteraction } from '../recorder/cassette/format/encode-interaction.ts'
import type { Manifest } from '../recorder/cassette/format/manifest.ts'
import {
  encodePageStates,
  type PageStates,
  pagesFile
} from '../recorder/cassette/format/pages-file.ts'
import type { RequestKey } from '../recorder/request/request-key.ts'
import { parsePageStates } from '../recorder/store/contents/description-files.ts'
import type { InteractionReadResult } from '../recorder/store/contents/interaction-reader.ts'
import { type MayWrite, type SessionStates, Store } from '../recorder/store/store.ts'
import { InteractionLoader } from './interaction-loader.ts'
import type { RedisContents } from './redis-contents.ts'
import type { RedisFiles } from './redis-files.ts'
import { RedisLeases } from './redis-leases.ts'
import { sessionScript } from './redis-scripts.ts'

export class RedisStore extends Store<RedisContents> {
  override readonly leases: RedisLeases
  override readonly sessions: SessionStates
  readonly #loader: InteractionLoader
  readonly #pending = new PendingWrites()

  constructor(contents: RedisContents) {
    super(contents.files.name, contents)
    this.#loader = new InteractionLoader(contents.files)
    this.leases = new RedisLeases(contents)
    this.sessions = redisSessions(contents.files)
    contents.onChange = (file) =>
      file === undefined ? this.#loader.forgetAll() : this.#loader.forget(file)
  }

  override refresh(): Promise<void> | undefined {
    return this.contents.refresh()
  }

  override generation(): number {
    return this.contents.generation
  }

  get(key: RequestKey): InteractionReadResult {
    return this.getAll([key])[0] ?? { kind: 'absent' }
  }

  getAll(keys: readonly RequestKey[]): readonly InteractionReadResult[] {
    return this.#loader.get(keys.flatMap((key) => this.contents.index.get(key) ?? []))
  }

  getOrDiscover(key: RequestKey): InteractionReadResult {
    return this.get(key)
  }

  override readFolder(folder: string): IterableIterator<InteractionReadResult> {
    const entries = this.contents.index.entries(folder)
    return this.#loader.get(entries.map(([, file]) => file)).values()
  }

  async putEncoded(
    key: RequestKey,
    file: string,
    { text, bodyFiles }: EncodedInteraction,
    leased?: RequestKey
  ): Promise<boolean> {
    // What was read last is what this recording replaces: where somebody else has changed it, nothing is written.
    const expected = this.has(key) ? (this.#loader.digestOf(file) ?? '*') : ''
    this.#pending.throwFailure()
    await this.contents.manifest.save()
    const folder = path.posix.dirname(file)
    const bodies = [...bodyFiles].map(([name, content]) => ({
      path: path.posix.join(folder, name),
      content
    }))
    const files = [{ path: file, content: Buffer.from(text), expected }, ...bodies]
    const outcome = await this.contents.files.write(files, this.leases.get(leased))
    this.#loader.forget(file)
    if (outcome === 'written') this.contents.index.add(key, file)
    else if (outcome === 'changed' || leased === undefined)
      await this.contents.refreshNow()
    else await this.leases.handOver(leased)
    return outcome === 'written'
  }

  delete(key: RequestKey): void {
    const file = this.contents.index.get(key)
    if (file === undefined) return
    this.contents.index.delete(key)
    this.#loader.forget(file)
    const paths = [file, ...this.contents.bodyFilesOf(file)]
    const deletions = paths.map((each) => ({ path: each, content: undefined }))
    this.#pending.add(this.contents.files.write(deletions))
  }

  override async forgetLost(keys: readonly RequestKey[]): Promise<void> {
    const { files, index } = this.contents
    const named = keys.flatMap((key) => index.get(key) ?? [])
    const absent = new Set(await files.absent(named))
    for (const key of keys) if (absent.has(index.get(key) ?? '')) index.delete(key)
  }

  setManifest(manifest: Manifest): void {
    this.contents.manifest.set(manifest)
  }

  saveManifest(): void {
    this.#pending.add(this.contents.manifest.save())
  }

  protected putDescription(file: string, text: string): void {
    this.contents.setDescription(file, text)
    this.#pending.add(this.#putFile(file, text))
  }

  putPageStates(states: PageStates, mayWrite: MayWrite = () => true): void {
    if (states.size === 0 || !mayWrite(encodePageStates(states))) return
    this.#pending.add(this.#mergePageStates(states))
  }

  checkpoint(): void {
    // `checkpointAsync` and `close` wait for the server.
  }

  checkpointAsync(): Promise<void> {
    return this.#pending.settle()
  }

  override async close(): Promise<void> {
    try {
      if (this.size > 0) await this.contents.manifest.save()
      await this.checkpointAsync()
    } finally {
      await this.leases.close()
      this.contents.files.connection.close()
    }
  }

  async #putFile(file: string, text: string) {
    await this.contents.manifest.save()
    await this.contents.files.write([{ path: file, content: Buffer.from(text) }])
  }

  async #mergePageStates(states: PageStates) {
    await this.contents.manifest.save()
    await this.contents.files.update(pagesFile, (text) => {
      const recorded = parsePageStates(text, `${this.dir}/${pagesFile}`)
      return encodePageStates(new Map([...recorded, ...states]))
    })
  }
}

/** Writes that nobody waits for yet. One that has failed is reported by the next recording, or at the end of the run. */
class PendingWrites {
  #settled: Promise<unknown> = Promise.resolve()
  #failure: unknown

  add(write: Promise<unknown>) {
    const tracked = write.catch((error: unknown) => {
      this.#failure ??= error
    })
    this.#settled = Promise.all([this.#settled, tracked])
  }

  /** @throws what a write has failed of since the last call */
  throwFailure() {
    const failure = this.#failure
    this.#failure = undefined
    if (failure !== undefined) throw failure
  }

  /** Waits for all of them. @throws the same */
  async settle() {
    await this.#settled
    this.throwFailure()
  }
}

/** Milliseconds for which a client may be silent: six hours. */
const timeToLive = 6 * 60 * 60 * 1000

const redisSessions = ({ connection, layout }: RedisFiles): SessionStates => ({
  load: async (id) => {
    const key = layout.session(id)
    const stored = await connection.command('GETEX', [key, 'PX', timeToLive])
    if (typeof stored !== 'string') return undefined
    const end = stored.indexOf('\n')
    return { version: Number(stored.slice(0, end)), text: stored.slice(end + 1) }
  },
  save: async (id, version, text) => {
    const args = [version - 1, `${version}\n${text}`, timeToLive]
    const saved = await connection.script(sessionScript, [layout.session(id)], args)
    return Number(saved) === 1
  }
})
