/** Interactions of a cassette on the server, loaded when they are first read, and kept in a bounded cache. */
import { isUtf8 } from 'node:buffer'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { decodeInteraction } from '../recorder/cassette/format/decode-interaction.ts'
import { commandName } from '../recorder/store/command-name.ts'
import type { InteractionReadResult } from '../recorder/store/contents/interaction-reader.ts'
import { notUtf8 } from '../recorder/store/files/whole-files.ts'
import { PendingRead } from '../recorder/store/pending-read.ts'
import { digestOf, type RedisFiles } from './redis-files.ts'

interface LoadedInteraction {
  readonly result: InteractionReadResult
  /** Of its file; empty if there is none. */
  readonly digest: string
}

/** Bytes of files. A parsed interaction takes several times as much. */
const maxBytes = 4 * 1024 * 1024
/** Milliseconds that whatever has been loaded stays at least, so that the request that waited for it finds it. */
const minKeepMs = 250
/** It stays longer where loading takes long: the request may have to load something else before it is answered. */
const keepPerLoadMs = 4
/** Files that are read one after the other, so that other requests get their turn. */
const filesPerTurn = 500

export class InteractionLoader {
  readonly #files: RedisFiles
  readonly #cache = new LRUCache<string, LoadedInteraction>({ maxSize: maxBytes })
  /** What was loaded just now, of any size, oldest first. */
  readonly #recent = new Map<string, LoadedInteraction & { readonly until: number }>()
  readonly #loading = new Map<string, Promise<void>>()
  /** Files that have changed while they are loaded. */
  readonly #stale = new Set<string>()

  constructor(files: RedisFiles) {
    this.#files = files
  }

  /** @throws PendingRead until all of them are loaded */
  get(paths: readonly string[]): readonly InteractionReadResult[] {
    const loaded = paths.map((file) => this.#loaded(file))
    const missing = paths.filter((_, at) => loaded[at] === undefined)
    if (missing.length > 0) throw new PendingRead(this.#loadAll(missing))
    return loaded.flatMap((one) => one?.result ?? [])
  }

  /** Of the content that was read last; undefined if it is not loaded. */
  digestOf(file: string): string | undefined {
    return this.#loaded(file)?.digest
  }

  /** The file has another content now. */
  forget(file: string): void {
    this.#cache.delete(file)
    this.#recent.delete(file)
    if (this.#loading.has(file)) this.#stale.add(file)
  }

  forgetAll(): void {
    for (const all of [this.#cache, this.#recent, this.#loading])
      for (const file of [...all.keys()]) this.forget(file)
  }

  #loaded(file: string) {
    return this.#recent.get(file) ?? this.#cache.get(file)
  }

  async #loadAll(files: readonly string[]) {
    const started = Date.now()
    try {
      const fresh = files.filter((file) => !this.#loading.has(file))
      for (let at = 0; at < fresh.length; at += filesPerTurn) {
        const part = fresh.slice(at, at + filesPerTurn)
        const loading = this.#load(part).finally(() => {
          for (const all of [this.#loading, this.#stale])
            for (const file of part) all.delete(file)
        })
        for (const file of part) this.#loading.set(file, loading)
        await loading
      }
      await Promise.all(files.map((file) => this.#loading.get(file)))
    } finally {
      const now = Date.now()
      const until = now + minKeepMs + keepPerLoadMs * (now - started)
      for (const file of files) {
        const loaded = this.#recent.get(file)
        this.#recent.delete(file)
        if (loaded !== undefined) this.#recent.set(file, { ...loaded, until })
      }
    }
  }

  async #load(files: readonly string[]) {
    const [sources, digests] = await Promise.all([
      this.#files.read(files),
      this.#files.digests(files)
    ])
    const now = Date.now()
    for (const [file, { until }] of this.#recent) {
      if (until > now) break
      this.#recent.delete(file)
    }
    for (const [at, file] of files.entries()) {
      const source = sources[at]
      const isTrue = source !== undefined && digestOf(source) === digests[at]
      const [result, content] = isTrue
        ? await this.#decode(file, source)
        : await this.#readAgain(file)
      if (this.#stale.has(file)) continue
      const loaded = { result, digest: content ? digestOf(content) : '' }
      this.#cache.set(file, loaded, { size: (content?.length ?? 0) + 500 })
      this.#recent.delete(file)
      // Until all that was asked for with it is loaded.
      this.#recent.set(file, { ...loaded, until: Number.POSITIVE_INFINITY })
    }
  }

  /** Somebody has just changed or deleted it; or else it is broken, since the server has not what its index says. */
  async #readAgain(file: string): Promise<readonly [InteractionReadResult, Uint8Array?]> {
    const [digest] = await this.#files.digests([file])
    const [source] = await this.#files.read([file])
    if (digest === undefined) return [absent]
    if (source && digestOf(source) === digest) return this.#decode(file, source)
    const { name } = this.#files
    return [
      brokenFile(
        `${name}/${file}`,
        `the server has lost what was written there: ${commandName} push DIR '${name}' copies it again`
      )
    ]
  }

  /**
   * With its body files: their names are in the text, which is read again with them, so that all are of one recording.
   * @param bodies by path, as far as they have been read
   */
  async #decode(
    file: string,
    source: Uint8Array,
    bodies: ReadonlyMap<string, Uint8Array | undefined> = new Map()
  ): Promise<readonly [InteractionReadResult, Uint8Array?]> {
    const shown = `${this.#files.name}/${file}`
    const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength)
    if (!isUtf8(text)) return [brokenFile(shown, notUtf8), source]
    const names = new Set<string>()
    const reading = decodeInteraction(text.toString(), (name) => {
      const body = path.posix.join(path.posix.dirname(file), path.posix.basename(name))
      names.add(body)
      return bodies.has(body) ? bodies.get(body) : new Uint8Array()
    })
    if ([...names].every((name) => bodies.has(name)))
      return reading.ok
        ? [{ kind: 'found', interaction: reading.interaction, path: shown }, source]
        : [{ kind: 'broken', path: shown, fault: reading.fault }, source]
    const [again, ...contents] = await this.#files.read([file, ...names])
    if (!again) return [absent]
    const isSame = Buffer.compare(again, source) === 0
    const read = new Map([...names].map((name, at) => [name, contents[at]] as const))
    return this.#decode(file, again, isSame ? read : undefined)
  }
}

const absent: InteractionReadResult = { kind: 'absent' }

const brokenFile = (path: string, message: string): InteractionReadResult => ({
  kind: 'broken',
  path,
  fault: { line: 1, column: 1, message }
})
