/** The files of a cassette's folder. Digests of files that have not changed since are remembered. */
import { lstatSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { manifestName } from '../../cassette/format/manifest.ts'
import { isOutsideRacyWindow, racyWindowMs, signatureIn } from '../changes/file-signature.ts'
import { readableManifestIn } from '../contents/manifest-file.ts'
import { isFolder, isUnusedFolder, requireWritable } from '../files/cassette-folder.ts'
import { bytesInside, filesIn, isInside, statOrUndefined } from '../files/paths-inside.ts'
import { readText, writeWhole } from '../files/whole-files.ts'
import { digestOf, type FileWrite, type WriteOutcome } from '../redis/redis-files.ts'
import { StoreError, writing } from '../store-error.ts'
import type { FileSet } from './copy-cassette.ts'

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

  /** @throws StoreError where it is not there */
  static existing(dir: string): FolderFiles {
    if (!isFolder(dir)) throw StoreError.missing(dir)
    if (!isInside(dir, manifestName) || statOrUndefined(path.join(dir, manifestName)) === undefined)
      throw StoreError.noManifest(dir)
    if (readableManifestIn(dir)?.sharedDescriptions !== undefined) throw StoreError.notSelfContained(dir)
    return new FolderFiles(dir)
  }

  /** To be written to: a cassette, or an unused folder. @throws StoreError */
  static writable(dir: string): FolderFiles {
    requireWritable(dir)
    if (isUnusedFolder(dir)) return new FolderFiles(dir)
    return FolderFiles.existing(dir)
  }

  async list(): Promise<ReadonlyMap<string, string>> {
    const files = new Map<string, string>()
    const known = this.#readCache()
    const fresh: Record<string, KnownDigest> = {}
    for (const file of filesIn(this.name)) {
      if (/(?:^|\/)\./.test(file)) continue
      const readAt = Date.now()
      const stat = statOrUndefined(path.join(this.name, file), lstatSync)
      if (stat === undefined) continue
      const signature = signatureIn(stat)
      const [before, remembered] = known.get(file) ?? []
      const digest =
        remembered !== undefined && before === signature.id
          ? remembered
          : digestOf(bytesInside(this.name, file) ?? new Uint8Array())
      files.set(file, digest)
      if (isOutsideRacyWindow(signature, readAt, racyWindowMs)) fresh[file] = [signature.id, digest]
    }
    this.#writeCache(fresh)
    return files
  }

  read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    return Promise.resolve(paths.map((file) => bytesInside(this.name, file)))
  }

  write(files: readonly FileWrite[]): Promise<WriteOutcome> {
    for (const { path: file, content } of files) {
      // The other side may name any path.
      if (!isInside(this.name, file)) throw StoreError.outside(this.name, file)
      const target = path.join(this.name, file)
      if (content === undefined) rmSync(target, { force: true })
      else writing(target, () => writeWhole(target, content))
    }
    return Promise.resolve('written')
  }

  close(): void {
    // A folder is not held open.
  }

  #readCache(): ReadonlyMap<string, KnownDigest> {
    try {
      const text = readText(this.#cacheFile)
      return new Map(Object.entries<KnownDigest>(text === undefined ? {} : JSON.parse(text)))
    } catch {
      return new Map()
    }
  }

  #writeCache(digests: Readonly<Record<string, KnownDigest>>): void {
    try {
      writeWhole(this.#cacheFile, JSON.stringify(digests))
    } catch {
      // Without it the next copy reads all files.
    }
  }
}
