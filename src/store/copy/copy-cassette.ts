/** Copies the files of a cassette that differ. An interrupted copy goes on where it ended; at the end both sides are compared. */
import { manifestName } from '../../cassette/format/manifest.ts'
import { stemOf } from '../../cassette/interaction-path.ts'
import { commandName } from '../command-name.ts'
import { manifestFirst, parseManifest } from '../contents/manifest-file.ts'
import { isInside } from '../files/paths-inside.ts'
import { digestOf, type FileWrite, type WriteOutcome } from '../redis/redis-files.ts'
import { requireSameWiki, StoreError } from '../store-error.ts'

/** The files of a cassette wherever they are, by path and digest. */
export interface FileSet {
  /** A folder, or an address without credentials. */
  readonly name: string
  /** Digest by path. @throws StoreError */
  list(): Promise<ReadonlyMap<string, string>>
  /** Undefined for a file that is not there. @throws StoreError */
  read(paths: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>
  /** @returns anything but `written` where nothing was written, since a file is not what it was. @throws StoreError */
  write(files: readonly FileWrite[]): Promise<WriteOutcome>
  close(): void
}

export interface CopyOptions {
  /** Deletes files that only the target has. */
  readonly deletes: boolean
  readonly isDryRun: boolean
  readonly onProgress: (done: number, total: number) => void
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
export async function copyCassette(from: FileSet, to: FileSet, options: CopyOptions): Promise<CopyResult> {
  const [source, target] = await Promise.all([from.list(), to.list()])
  await requireCopyable(from, to)
  const copied = [...source.keys()]
    .filter((file) => source.get(file) !== target.get(file))
    .sort(manifestFirst)
  // Whoever may write to a server may name any path.
  const hostile = copied.find((file) => !isInside(to.name, file))
  if (hostile !== undefined) {
    const advice = `If wikitape did not write it, copy the cassette to the server again: ${commandName} push DIR '${from.name}' --delete`
    throw StoreError.outside('the folder of the copy', `${hostile} of ${from.name}`, advice)
  }
  const deleted = options.deletes ? [...target.keys()].filter((file) => !source.has(file)).sort() : []
  const unchanged = source.size - copied.length
  if (options.isDryRun) return { copied, deleted, unchanged, bytes: 0 }
  let [done, bytes] = [0, 0]
  const changes = [...copied, ...deleted]
  while (done < changes.length) {
    const batch = await nextBatch(from, changes.slice(done, done + filesPerBatch), source, target)
    if ((await to.write(batch)) !== 'written') throw StoreError.changedMeanwhile(to.name)
    done += batch.length
    bytes += batch.reduce((sum, { content }) => sum + (content?.length ?? 0), 0)
    options.onProgress(done, changes.length)
  }
  const result = await to.list()
  const wrong = [...source].find(([file, digest]) => result.get(file) !== digest)?.[0]
  const left = deleted.find((file) => result.has(file))
  if (wrong !== undefined || left !== undefined) throw StoreError.changedMeanwhile(to.name)
  return { copied, deleted, unchanged, bytes }
}

/** An interaction and its body files, which sort one after the other, are in one batch: a server changes it at once. */
async function nextBatch(
  from: FileSet,
  files: readonly string[],
  source: ReadonlyMap<string, string>,
  target: ReadonlyMap<string, string>,
): Promise<readonly FileWrite[]> {
  const contents = await from.read(files.filter((file) => source.has(file)))
  const batch: FileWrite[] = []
  let bytes = 0
  let read = 0
  for (const [at, path] of files.entries()) {
    const isFull = at >= filesPerBatch - maxBodyFiles || bytes > bytesPerBatch
    if (isFull && stemOf(path) !== stemOf(files[at - 1] ?? '')) break
    const content = source.has(path) ? contents[read++] : undefined
    if (source.has(path) && (content === undefined || digestOf(content) !== source.get(path)))
      throw StoreError.changedMeanwhile(from.name)
    bytes += content?.length ?? 0
    batch.push({ path, content, expected: target.get(path) ?? '' })
  }
  return batch
}

/** An interaction with more is copied in several batches. */
const maxBodyFiles = 20

/** @throws StoreError where there is no cassette to copy, or the target is one of another wiki */
async function requireCopyable(from: FileSet, to: FileSet): Promise<void> {
  const [[ours], [theirs]] = await Promise.all([from.read([manifestName]), to.read([manifestName])])
  if (ours === undefined) throw StoreError.missingInStore(from.name, 'DIR')
  const source = parseManifest(Buffer.from(ours).toString(), `${from.name}/${manifestName}`)
  if (theirs === undefined) return
  const target = parseManifest(Buffer.from(theirs).toString(), `${to.name}/${manifestName}`)
  requireSameWiki({ dir: to.name, manifest: target }, source, true)
}
