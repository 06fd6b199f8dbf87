/** The files of a cassette on the server (docs/fleet.md): listed, read and changed by path. What they mean is for others to know. */
import { createHash } from 'node:crypto'
import { commandName } from '../recorder/store/command-name.ts'
import { type RedisAddress, readRedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { orClose, RedisConnection } from './redis-connection.ts'
import {
  absentScript,
  changesScript,
  rebuiltScript,
  writeScript,
} from './redis-scripts.ts'

export interface FileWrite {
  readonly path: string
  /** Undefined to delete it. */
  readonly content: Uint8Array | undefined
  /** Digest that it must have until now, '' where it must not exist; anything unless given. */
  readonly expected?: string
}

/** `changed`: a file is not what was expected. `fenced`: another recorder has taken over. Then nothing was written. */
export type FilesOutcome = 'written' | 'changed' | 'fenced'

/** Files of one read, and of one page of the index. */
const filesPerRead = 100
const filesPerTest = 500
const namesPerPage = 200

export class RedisFiles {
  readonly address: RedisAddress
  /** The address without credentials. */
  readonly name: string
  readonly layout: Readonly<ReturnType<typeof layoutOf>>
  readonly connection: RedisConnection

  private constructor(connection: RedisConnection) {
    this.connection = connection
    this.address = connection.address
    this.name = connection.address.shown
    this.layout = layoutOf(connection.address.name)
  }

  /** @throws StoreError also where the keys are not a cassette's */
  static async open(address: string): Promise<RedisFiles> {
    const files = new RedisFiles(await RedisConnection.open(readRedisAddress(address)))
    await orClose(files, () => files.changesSince(0))
    return files
  }

  close(): void {
    this.connection.close()
  }

  /** @returns `files`: digest by path, empty for a deleted file; undefined where all has to be read again. @throws StoreError */
  async changesSince(version: number): Promise<{
    readonly version: number
    readonly files: ReadonlyMap<string, string> | undefined
  }> {
    const { meta, index, changes } = this.layout
    const keys = [meta, index, changes]
    const answer = await this.connection.script(changesScript, keys, [
      layoutNumber,
      version,
    ])
    const [, current, pairs] = this.#checked(answer)
    const texts = Array.isArray(pairs) ? pairs.map(String) : undefined
    return { version: Number(current), files: texts && pairsOf(texts) }
  }

  /** Every file: digest by path. @throws StoreError */
  async list(): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>()
    for await (const page of this.pages())
      for (const [path, digest] of page) found.set(path, digest)
    return found
  }

  /** The same in parts: a million names and digests need not be in memory at once. A file may come twice. */
  async *pages(): AsyncIterableIterator<ReadonlyMap<string, string>> {
    let cursor = '0'
    do {
      const page = await this.connection.command('HSCAN', [
        this.layout.index,
        cursor,
        'COUNT',
        namesPerPage,
      ])
      const [next, texts] = Array.isArray(page) ? page : []
      yield pairsOf(Array.isArray(texts) ? texts.map(String) : [])
      cursor = String(next ?? '0')
    } while (cursor !== '0')
  }

  /** Undefined for a file that is not there. @throws StoreError */
  async read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const contents: (Uint8Array | undefined)[] = []
    for (let at = 0; at < paths.length; at += filesPerRead) {
      const keys = paths
        .slice(at, at + filesPerRead)
        .map((path) => this.layout.file(path))
      const found = await this.connection.bytes('MGET', keys)
      for (const one of Array.isArray(found) ? found : [])
        contents.push(one instanceof Uint8Array ? one : undefined)
    }
    return contents
  }

  /** All of them, or none. Without files it makes the cassette's keys. @param lease of a recorder; it ends with the write. @throws StoreError */
  async write(
    files: readonly FileWrite[],
    lease?: { readonly key: string; readonly value: string },
  ): Promise<FilesOutcome> {
    const { meta, index, changes } = this.layout
    const { replicas } = this.address
    const fileKeys = files.map(({ path }) => this.layout.file(path))
    const keys = [meta, index, changes, lease?.key ?? meta, ...fileKeys]
    const args = files.flatMap(({ path, content, expected = '*' }) => [
      ...[path, expected, content === undefined ? '' : digestOf(content)],
      content ?? '',
    ])
    const flags = [layoutNumber, lease?.value ?? '', replicas > 0 ? 1 : 0]
    const answer = await this.connection
      .script(writeScript, keys, [...flags, ...args], replicas)
      .catch((error: unknown) => {
        throw new StoreError(
          'cannot-write',
          `${this.name}/${files[0]?.path ?? ''}`,
          error,
        )
      })
    const [outcome] = this.#checked(answer)
    return outcome === 'changed' || outcome === 'fenced' ? outcome : 'written'
  }

  /** What the index says of these files; undefined for those that it does not name. @throws StoreError */
  async digests(paths: readonly string[]): Promise<readonly (string | undefined)[]> {
    const found = await this.connection.command('HMGET', [this.layout.index, ...paths])
    return (Array.isArray(found) ? found : []).map((one) =>
      one === null ? undefined : String(one),
    )
  }

  /** Of these files, those that are not on the server, whatever the index says. @throws StoreError */
  async absent(paths: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (let at = 0; at < paths.length; at += filesPerTest) {
      const part = paths.slice(at, at + filesPerTest)
      const keys = part.map((path) => this.layout.file(path))
      const absent = await this.connection.script(absentScript, keys, [])
      for (const one of Array.isArray(absent) ? absent : [])
        found.push(part[Number(one) - 1] ?? '')
    }
    return found
  }

  /** Those of which the server has another content than the index says, or none. @throws StoreError */
  async damaged(): Promise<readonly string[]> {
    const found: string[] = []
    for await (const page of this.pages()) {
      const contents = await this.read([...page.keys()])
      for (const [at, [path, digest]] of [...page].entries()) {
        const content = contents[at]
        if (content === undefined || digestOf(content) !== digest) found.push(path)
      }
    }
    return [...new Set(found)].sort()
  }

  /**
   * Makes the index true: takes out of it what is not on the server as it was written, and takes in the files that it does
   * not name. Nobody may record meanwhile. @returns the changed names. @throws StoreError
   */
  static async repair(
    address: string,
  ): Promise<{ readonly out: number; readonly in: number }> {
    const files = new RedisFiles(await RedisConnection.open(readRedisAddress(address)))
    return orClose(files, async () => {
      const { meta, index, changes } = files.layout
      const out = await files.damaged()
      for (const path of out) await files.connection.command('HDEL', [index, path])
      const named = await files.list()
      const start = files.layout.file('').length
      const stored = await files.connection.keys(`${files.layout.file('')}*`)
      const unnamed = stored
        .map((key) => key.slice(start))
        .filter((path) => !named.has(path))
      const added = unnamed.filter((path) => !out.includes(path))
      for (const [at, content] of (await files.read(added)).entries())
        if (content !== undefined)
          await files.connection.command('HSET', [
            index,
            added[at] ?? '',
            digestOf(content),
          ])
      if (named.size + added.length > 0)
        await files.connection.script(
          rebuiltScript,
          [meta, index, changes],
          [layoutNumber, Date.now()],
        )
      files.close()
      return { out: out.length, in: added.length }
    })
  }

  /** Replaces a file by what is made of it, anew where somebody else changes it meanwhile. @throws StoreError */
  async update(
    path: string,
    change: (text: string | undefined) => string,
  ): Promise<void> {
    for (let outcome: FilesOutcome | undefined; outcome !== 'written'; ) {
      const [before] = await this.read([path])
      const content = Buffer.from(change(before && Buffer.from(before).toString()))
      outcome = await this.write([
        { path, content, expected: before === undefined ? '' : digestOf(before) },
      ])
    }
  }

  /** @throws StoreError where a script has refused */
  #checked(answer: unknown): readonly unknown[] {
    const parts = Array.isArray(answer) ? answer : []
    if (parts[0] === 'layout')
      throw new StoreError(
        'not-ours',
        this.name,
        `its layout is number ${String(parts[1])}, and this version reads ${layoutNumber}`,
      )
    if (parts[0] === 'foreign')
      throw new StoreError(
        'not-ours',
        this.name,
        `its keys have no layout number (${commandName} check '${this.name}' --repair writes it if somebody has deleted it)`,
      )
    if (parts[0] === 'lost') {
      const what = `its index names ${String(parts[2])} of ${String(parts[1])} files`
      throw new StoreError('lost', this.name, what)
    }
    return parts
  }
}

/** Before anything is written there. @throws StoreError */
export async function requireNoEviction({ name, connection }: RedisFiles): Promise<void> {
  const policy = await connection.evictionPolicy()
  if (policy !== undefined) throw new StoreError('evicting', name, policy)
}

/** By which contents are compared. */
export const digestOf = (content: Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32)

function pairsOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (let at = 0; at + 1 < texts.length; at += 2)
    pairs.set(texts[at] ?? '', texts[at + 1] ?? '')
  return pairs
}

const layoutNumber = 1

/** All keys have one hash tag, the name in braces: a cluster keeps them on one master, where a script changes them together. */
const layoutOf = (name: string) => ({
  /** Hash: `layout`, `version` (counts changes), `fence` (counts leases). */
  meta: `wikitape:{${name}}:meta`,
  /** Hash: path of each file → digest of its content. */
  index: `wikitape:{${name}}:index`,
  /** Stream of the last changes: entry `<version>-0`, paths with their new digests (empty: deleted). */
  changes: `wikitape:{${name}}:changes`,
  /** The content of a file. */
  file: (path: string): string => `wikitape:{${name}}:file:${path}`,
  /** Who asks the wiki for a key: `<fence>:<owner>`, with a time to live. */
  lease: (key: string): string => `wikitape:{${name}}:lease:${key}`,
  /** What a client of a replay has done, with a time to live. */
  session: (id: string): string => `wikitape:{${name}}:session:${id}`,
})
