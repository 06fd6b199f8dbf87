/** The files of a cassette on the server (docs/fleet.md): listed, read and changed by path. What they mean is for others to know. */

import { createHash } from 'node:crypto'
import { plainItems } from '../recorder/json/plain-json.ts'
import { commandName } from '../recorder/store/command-name.ts'
import { type RedisAddress, readRedisAddress } from '../recorder/store/redis-address.ts'
import { StoreError } from '../recorder/store/store-error.ts'
import { orClose, RedisConnection } from './redis-connection.ts'
import {
  absentScript,
  changesScript,
  layoutNumber,
  layoutOf,
  writeScript
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
/** Damaged files that a message names. */
const maxNamed = 5

export class RedisFiles {
  readonly address: RedisAddress
  /** The address without credentials. */
  readonly name: string
  readonly layout: ReturnType<typeof layoutOf>
  readonly connection: RedisConnection

  /** Nothing is checked: `open` does that. */
  constructor(connection: RedisConnection) {
    this.connection = connection
    this.address = connection.address
    this.name = connection.address.shown
    this.layout = layoutOf(connection.address.name)
  }

  /** @throws StoreError also if the keys are not a cassette's */
  static async open(address: string): Promise<RedisFiles> {
    const files = new RedisFiles(await RedisConnection.open(readRedisAddress(address)))
    await orClose(files, () => files.changesSince(0))
    return files
  }

  close(): void {
    this.connection.close()
  }

  /** @returns `files`: digest by path, empty for a deleted file; undefined if all has to be read again. @throws StoreError */
  async changesSince(version: number): Promise<{
    readonly version: number
    readonly files: ReadonlyMap<string, string> | undefined
  }> {
    const { meta, index, changes } = this.layout
    const keys = [meta, index, changes]
    const answer = await this.connection.script(changesScript, keys, [
      layoutNumber,
      version
    ])
    const [, current, pairs] = this.#checked(answer)
    const files = Array.isArray(pairs) ? pairsOf(pairs) : undefined
    return { version: Number(current), files }
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
        namesPerPage
      ])
      const [next = '0', texts] = plainItems(page)
      yield pairsOf(plainItems(texts))
      cursor = String(next)
    } while (cursor !== '0')
  }

  /** Undefined for a file that is not there. @throws StoreError */
  async read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const contents: (Uint8Array | undefined)[] = []
    for (let at = 0; at < paths.length; at += filesPerRead) {
      const keys = paths
        .slice(at, at + filesPerRead)
        .map((path) => this.layout.file(path))
      for (const one of plainItems(await this.connection.bytes('MGET', keys)))
        contents.push(one instanceof Uint8Array ? one : undefined)
    }
    return contents
  }

  /** All of them, or none. Without files it makes the cassette's keys. @param lease of a recorder; it ends with the write. @throws StoreError */
  async write(
    files: readonly FileWrite[],
    lease?: { readonly key: string; readonly value: string }
  ): Promise<FilesOutcome> {
    const { meta, index, changes } = this.layout
    const { replicas } = this.address
    const fileKeys = files.map(({ path }) => this.layout.file(path))
    const keys = [meta, index, changes, lease?.key ?? meta, ...fileKeys]
    const args = files.flatMap(({ path, content, expected = '*' }) => [
      path,
      expected,
      content ? digestOf(content) : '',
      content ?? ''
    ])
    const flags = [layoutNumber, lease?.value ?? '', replicas > 0 ? 1 : 0]
    const answer = await this.connection
      .script(writeScript, keys, [...flags, ...args], replicas)
      .catch((error: unknown) => {
        throw new StoreError(
          'cannot-write',
          `${this.name}/${files[0]?.path ?? ''}`,
          error
        )
      })
    const [outcome] = this.#checked(answer)
    return outcome === 'changed' || outcome === 'fenced' ? outcome : 'written'
  }

  /** What the index says of these files; undefined for those that it does not name. @throws StoreError */
  async digests(paths: readonly string[]): Promise<readonly (string | undefined)[]> {
    const found = await this.connection.command('HMGET', [this.layout.index, ...paths])
    return plainItems(found).map((one) => (one === null ? undefined : String(one)))
  }

  /** Of these files, those that are not on the server, whatever the index says. @throws StoreError */
  async absent(paths: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    for (let at = 0; at < paths.length; at += filesPerTest) {
      const part = paths.slice(at, at + filesPerTest)
      const keys = part.map((path) => this.layout.file(path))
      const absent = await this.connection.script(absentScript, keys, [])
      for (const one of plainItems(absent)) found.push(part[Number(one) - 1] ?? '')
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
        if (!content || digestOf(content) !== digest) found.push(path)
      }
    }
    return [...new Set(found)].sort()
  }

  /** @throws StoreError that names what is damaged */
  async requireWhole(): Promise<void> {
    const lost = await this.damaged()
    if (lost.length === 0) return
    const more = lost.length > maxNamed ? `, and ${lost.length - maxNamed} more` : ''
    throw new StoreError(
      'lost',
      this.name,
      `${lost.slice(0, maxNamed).join(', ')}${more}: not there, or not as written`
    )
  }

  /** Replaces a file by what is made of it, anew if somebody else changes it meanwhile. @throws StoreError */
  async update(
    path: string,
    change: (text: string | undefined) => string
  ): Promise<void> {
    for (let outcome: FilesOutcome | undefined; outcome !== 'written'; ) {
      const [before] = await this.read([path])
      const content = Buffer.from(change(before && Buffer.from(before).toString()))
      outcome = await this.write([
        { path, content, expected: before ? digestOf(before) : '' }
      ])
    }
  }

  /** @throws StoreError if a script has refused */
  #checked(answer: unknown) {
    const parts = plainItems(answer)
    const [outcome, first, second] = parts
    if (outcome === 'layout')
      throw new StoreError(
        'not-ours',
        this.name,
        `its layout is number ${first}, and this version reads ${layoutNumber}`
      )
    if (outcome === 'foreign')
      throw new StoreError(
        'not-ours',
        this.name,
        `its keys have no layout number (${commandName} check '${this.name}' --repair writes it if somebody has deleted it)`
      )
    if (outcome === 'lost')
      throw new StoreError(
        'lost',
        this.name,
        `its index names ${second} of ${first} files`
      )
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

/** Of names and values in turn. */
function pairsOf(items: readonly unknown[]) {
  const pairs = new Map<string, string>()
  for (let at = 0; at + 1 < items.length; at += 2)
    pairs.set(String(items[at]), String(items[at + 1]))
  return pairs
}
