/** Copies the files of a cassette that differ. An interrupted copy goes on where it ended; at the end both sides are compared. */

import { lstatSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { manifestName } from '../recorder/cassette/format/manifest.ts'
import { stemOf } from '../recorder/cassette/interaction-path.ts'
import { commandName } from '../recorder/store/command-name.ts'
import {
  manifestFirst,
  readableManifestIn
} from '../recorder/store/contents/manifest-file.ts'
import {
  isOutsideRacyWindow,
  signatureIn
} from '../recorder/store/files/change-detector.ts'
import {
  bytesInside,
  filesIn,
  isFolder,
  isInside,
  isUnusedFolder,
  requireNoCassetteAround,
  requireWritable,
  statOrUndefined
} from '../recorder/store/files/paths-inside.ts'
import { readText, writeWhole } from '../recorder/store/files/whole-files.ts'
import { requireSameWiki, StoreError, writing } from '../recorder/store/store-error.ts'
import { readOrElse } from '../recorder/text/error-text.ts'
import { readManifest } from './redis-contents.ts'
import {
  digestOf,
  type FilesOutcome,
  type FileWrite,
  type RedisFiles
} from './redis-files.ts'

/** The files of a cassette wherever they are, by path and digest; `name` is a folder, or an address without credentials. */
export type FileSet = Pick<RedisFiles, 'name' | 'list' | 'read' | 'write' | 'close'> &
  // Of a folder the names are always those of files.
  Partial<Pick<RedisFiles, 'absent' | 'requireWhole'>>

interface CopyOptions {
  /** Deletes files that only the target has. */
  readonly deletes: boolean
  readonly isDryRun: boolean
  /** Waited for. */
  readonly onProgress: (done: number, total: number) => Promise<void> | undefined
}

export interface CopyResult {
  readonly copied: readonly string[]
  readonly deleted: readonly string[]
  /** How many are the same on both sides. */
  readonly unchanged: number
  readonly bytes: number
}

const filesPerBatch = 100
const bytesPerBatch = 4 * 1024 * 1024

/** @throws StoreError */
export async function copyCassette(
  from: FileSet,
  to: FileSet,
  options: CopyOptions
): Promise<CopyResult> {
  const [source, target] = await Promise.all([from.list(), to.list()])
  await requireCopyable(from, to)
  const absent = new Set(await to.absent?.([...target.keys()]))
  const copied = [...source.keys()]
    .filter((file) => source.get(file) !== target.get(file) || absent.has(file))
    .sort(manifestFirst)
  // Whoever may write to a server may name any path.
  const hostile = copied.find((file) => !isInside(to.name, file))
  if (hostile !== undefined) {
    throw new StoreError(
      'outside',
      'the folder of the copy',
      `${hostile} of ${from.name}`,
      `If wikitape did not write it, copy the cassette to the server again: ${commandName} push DIR '${from.name}' --delete`
    )
  }
  const deleted = options.deletes
    ? [...target.keys()].filter((file) => !source.has(file)).sort()
    : []
  const unchanged = source.size - copied.length
  if (options.isDryRun) return { copied, deleted, unchanged, bytes: 0 }
  let done = 0
  let bytes = 0
  const changes = [...copied, ...deleted]
  while (done < changes.length) {
    const files = changes.slice(done, done + filesPerBatch)
    const batch = await nextBatch(from, files, source, target)
    if ((await to.write(batch)) !== 'written') throw new StoreError('changed', to.name)
    done += batch.length
    bytes += batch.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
    await options.onProgress(done, changes.length)
  }
  const result = await to.list()
  if (
    [...source].some(([file, digest]) => result.get(file) !== digest) ||
    deleted.some((file) => result.has(file))
  )
    throw new StoreError('changed', to.name)
  return { copied, deleted, unchanged, bytes }
}

/** An interaction and its body files, which sort one after the other, are in one batch: a server changes it at once. */
async function nextBatch(
  from: FileSet,
  files: readonly string[],
  source: ReadonlyMap<string, string>,
  target: ReadonlyMap<string, string>
) {
  const contents = await from.read(files.filter((file) => source.has(file)))
  const batch: FileWrite[] = []
  let bytes = 0
  let read = 0
  for (const [at, path] of files.entries()) {
    const isFull = at >= filesPerBatch - maxBodyFiles || bytes > bytesPerBatch
    if (isFull && stemOf(path) !== stemOf(files[at - 1] ?? '')) break
    const content = source.has(path) ? contents[read++] : undefined
    if ((content && digestOf(content)) !== source.get(path)) throw await faultOf(from)
    bytes += content?.length ?? 0
    batch.push({ path, content, expected: target.get(path) ?? '' })
  }
  return batch
}

/** What the list of files does not agree with: a loss, or somebody who writes. @throws StoreError of a loss */
async function faultOf(from: FileSet) {
  await from.requireWhole?.()
  return new StoreError('changed', from.name)
}

/** An interaction with more is copied in several batches. */
const maxBodyFiles = 20

/** @throws StoreError if there is no cassette to copy, or the target is one of another wiki */
async function requireCopyable(from: FileSet, to: FileSet) {
  const source = await readManifest(from)
  if (!source) {
    if ((await from.list()).has(manifestName)) throw await faultOf(from)
    throw new StoreError('not-in-store', from.name)
  }
  const manifest = await readManifest(to)
  if (manifest) requireSameWiki({ dir: to.name, manifest }, source, true)
}

type KnownDigest = readonly [signatureId: string, digest: string]

export class FolderFiles implements FileSet {
  readonly name: string
  readonly #cacheFile: string

  private constructor(dir: string) {
    this.name = dir
    const caches = process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache')
    const folder = digestOf(Buffer.from(path.resolve(dir)))
    this.#cacheFile = path.join(caches, 'wikitape', `digests-${folder}.json`)
  }

  /** @throws StoreError if it is not there */
  static existing(dir: string): FolderFiles {
    if (!isFolder(dir)) throw new StoreError('missing', dir)
    if (!isInside(dir, manifestName) || !statOrUndefined(path.join(dir, manifestName)))
      throw new StoreError('no-manifest', dir)
    if (readableManifestIn(dir)?.sharedDescriptions !== undefined)
      throw new StoreError('not-self-contained', dir)
    return new FolderFiles(dir)
  }

  /** To be written to: a cassette, or an unused folder. @throws StoreError */
  static writable(dir: string): FolderFiles {
    requireWritable(dir)
    if (!isUnusedFolder(dir)) return FolderFiles.existing(dir)
    requireNoCassetteAround(dir)
    return new FolderFiles(dir)
  }

  async list(): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>()
    const known = this.#readCache()
    const fresh: Record<string, KnownDigest> = {}
    for (const file of filesIn(this.name)) {
      if (/(?:^|\/)\./.test(file)) continue
      const readAt = Date.now()
      const stat = statOrUndefined(path.join(this.name, file), lstatSync)
      if (!stat) continue
      const signature = signatureIn(stat)
      const [before, remembered] = known.get(file) ?? []
      const digest =
        remembered !== undefined && before === signature.id
          ? remembered
          : digestOf(bytesInside(this.name, file) ?? new Uint8Array())
      files.set(file, digest)
      if (isOutsideRacyWindow(signature, readAt)) fresh[file] = [signature.id, digest]
    }
    this.#writeCache(fresh)
    return files
  }

  async read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return paths.map((file) => bytesInside(this.name, file))
  }

  async write(files: readonly FileWrite[]): Promise<FilesOutcome> {
    for (const { path: file, content } of files) {
      // The other side may name any path.
      if (!isInside(this.name, file)) throw new StoreError('outside', this.name, file)
      const target = path.join(this.name, file)
      if (!content) rmSync(target, { force: true })
      else writing(target, () => writeWhole(target, content))
    }
    return 'written'
  }

  close(): void {
    // A folder is not held open.
  }

  #readCache() {
    const read = () => JSON.parse(readText(this.#cacheFile) ?? '{}')
    return new Map(readOrElse([], () => Object.entries<KnownDigest>(Object(read()))))
  }

  #writeCache(digests: Readonly<Record<string, KnownDigest>>) {
    try {
      writeWhole(this.#cacheFile, JSON.stringify(digests))
    } catch {
      // Without it the next copy reads all files.
    }
  }
}
