/** Folders of cassettes, and paths that must stay inside one: it may hold links that lead out, endless pipes, and devices. */
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  opendirSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync
} from 'node:fs'
import path from 'node:path'
import { manifestName } from '../../cassette/format/manifest.ts'
import { keyInFileName } from '../../cassette/interaction-path.ts'
import { errorText, systemErrorCode } from '../../text/error-text.ts'
import { isStoreAddress, withoutCredentials } from '../redis-address.ts'
import { rethrowSystemFault, StoreError } from '../store-error.ts'
import { readBytes, readText } from './whole-files.ts'

/** False where nothing is there. Not with `throwIfNoEntry: false`: newer versions of Node.js then give undefined for a path below a file, too. */
export function isFolder(dir: string): boolean {
  if (isStoreAddress(dir)) throw new StoreError('folder-needed', withoutCredentials(dir))
  try {
    if (statSync(dir).isDirectory()) return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw new StoreError('unreadable', dir, error)
  }
  throw new StoreError('not-a-folder', dir)
}

/** Creates nothing: where the folder does not exist yet, its nearest existing parent counts. */
export function requireWritable(dir: string, nearest: string = path.resolve(dir)): void {
  const parent = path.dirname(nearest)
  if (!existsSync(nearest) && parent !== nearest) {
    requireWritable(dir, parent)
    return
  }
  try {
    accessSync(nearest, constants.W_OK)
  } catch (error) {
    throw new StoreError(
      'cannot-write',
      nearest === path.resolve(dir) ? dir : `${dir} in ${nearest}`,
      error
    )
  }
}

/** True where nothing is there, or only hidden files, and temporary files that another process is writing. */
export const isUnusedFolder = (dir: string): boolean =>
  !isFolder(dir) ||
  readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))

/** A new cassette must not lie in another one, whose recordings its own would be taken for. @throws StoreError */
export function requireNoCassetteAround(dir: string): void {
  const whole = path.resolve(dir)
  const around = path.dirname(whole)
  if (existsSync(path.join(around, manifestName)))
    throw new StoreError('nested', dir, around)
  if (around !== whole) requireNoCassetteAround(around)
}

/**
 * The cassettes in a folder, sorted; the folder itself where it is one. Links are not followed.
 * @param maxDepth how many levels below the folder are searched
 */
export function cassettesIn(
  dir: string,
  maxDepth: number = Number.POSITIVE_INFINITY
): readonly string[] {
  if (existsSync(path.join(dir, manifestName))) return [dir]
  if (maxDepth === 0 || !statOrUndefined(dir)?.isDirectory()) return []
  const entries = readdirSync(dir, { withFileTypes: true })
  // A cassette whose manifest was lost: opening it says so.
  if (entries.some(({ name }) => keyInFileName(name) !== undefined))
    return [path.dirname(dir)]
  const folders = entries.flatMap((one) =>
    one.isDirectory() ? [path.join(dir, one.name)] : []
  )
  return [
    ...new Set(folders.flatMap((folder) => cassettesIn(folder, maxDepth - 1)))
  ].sort()
}

/**
 * False where the path leads out of the folder, or ends at anything but an ordinary file. True where nothing is there yet.
 * @param file relative to the folder
 */
export const isInside = (dir: string, file: string): boolean =>
  statInside(dir, file) !== 'outside'

/** The same, with what is there, links not followed; undefined where nothing is. */
export function statInside(dir: string, file: string): Stats | undefined | 'outside' {
  const parts = path.normalize(file).split(/[\\/]/)
  if (!parts.every(isPathSegment)) return 'outside'
  let location = dir
  let stat: Stats | undefined
  for (const [at, part] of parts.entries()) {
    location = `${location}/${part}`
    stat = statOrUndefined(location, lstatSync)
    if (!stat) return undefined
    const real = stat.isSymbolicLink() ? linkTargetInside(dir, location) : stat
    const isRight = at === parts.length - 1 ? real?.isFile() : real?.isDirectory()
    if (!isRight) return 'outside'
  }
  return stat
}

/** One step down: not empty, `.` or `..`, and without NUL. */
const isPathSegment = (name: string) => !/^\.{0,2}$|\0/.test(name)

/**
 * The path of a folder or file whose name came from outside (a client, a file, a host). Every such path is built here.
 * @param names one a folder. @throws StoreError where the path would lead out of the root
 */
export function pathInside(root: string, ...names: readonly string[]): string {
  const location = path.join(root, ...names)
  const isBelow = names.every((name) => isPathSegment(name) && !/[\\/]/.test(name))
  const leadsOut = (step: string) =>
    statOrUndefined(step, lstatSync)?.isSymbolicLink() === true &&
    linkTargetInside(root, step) === undefined
  if (
    !isBelow ||
    names.some((_, at) => leadsOut(path.join(root, ...names.slice(0, at + 1))))
  )
    throw new StoreError('outside', root, location)
  return location
}

export const leadsOutMessage =
  'it is a link that leads out of the cassette, or not a regular file'

/** The text of a file in a folder; undefined where there is none. @throws Error where it leads out, or is not UTF-8 */
export const textInside = (dir: string, file: string): string | undefined =>
  readText(ordinaryFileIn(dir, file))

/** The same. @throws StoreError */
export function readableTextInside(dir: string, file: string): string | undefined {
  try {
    return textInside(dir, file)
  } catch (error) {
    rethrowSystemFault(path.join(dir, file), error)
    throw new StoreError('broken', path.join(dir, file), {
      line: 1,
      column: 1,
      message: errorText(error)
    })
  }
}

export const bytesInside = (dir: string, file: string): Uint8Array | undefined =>
  readBytes(ordinaryFileIn(dir, file))

/** The path of a file in a folder. @throws Error where it leads out, or ends at anything but an ordinary file */
export function ordinaryFileIn(dir: string, file: string): string {
  if (!isInside(dir, file)) throw new Error(leadsOutMessage)
  return path.join(dir, file)
}

/** Undefined where a link leads out. Links within the folder are allowed. */
function linkTargetInside(dir: string, location: string) {
  const stat = statOrUndefined(location)
  return stat && realpathSync(location).startsWith(realpathSync(dir) + path.sep)
    ? stat
    : undefined
}

type StatFunction = (
  location: string,
  options: { readonly throwIfNoEntry: false }
) => Stats | undefined

/** Undefined where nothing is there, or where the system denies access. */
export function statOrUndefined(
  location: string,
  stat: StatFunction = statSync
): Stats | undefined {
  try {
    return stat(location, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export interface FolderEntry {
  /** Relative to the folder, `/` as separator. */
  readonly path: string
  /** The last part of the path. To search in the path itself takes longer than to read the entry: it is a concatenated string. */
  readonly name: string
  /** What is before it; empty for the folder itself. */
  readonly folder: string
  /** `irregular`: a link (not followed), a pipe or a device. */
  readonly kind: 'file' | 'folder' | 'irregular'
}

/** Everything in a folder and below it, without other cassettes in it. Unsorted: sorting 100,000 names costs as much as reading them. */
export function* entriesIn(dir: string, below = ''): IterableIterator<FolderEntry> {
  const handle = opendirSync(path.join(dir, below), { bufferSize: 256 })
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      const { name } = entry
      const location = below === '' ? name : `${below}/${name}`
      const kind = entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'irregular'
      if (kind === 'folder' && existsSync(path.join(dir, location, manifestName)))
        continue
      yield { path: location, name, folder: below, kind }
      if (kind === 'folder') yield* entriesIn(dir, location)
    }
  } finally {
    handle.closeSync()
  }
}

/** The paths of the ordinary files in a folder and below it, without those that another process is writing. */
export const filesIn = (dir: string): readonly string[] =>
  existsSync(dir)
    ? [...entriesIn(dir)].flatMap(({ path, kind }) =>
        kind === 'file' && !path.endsWith('.tmp') ? [path] : []
      )
    : []

/** The names of the files that describe the wiki's modules, sorted. @param folder that holds them and nothing else */
export function describedFiles(folder: string): readonly string[] {
  if (!statOrUndefined(folder, lstatSync)?.isDirectory()) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) =>
      entry.isFile() && entry.name.endsWith('.json') ? [entry.name] : []
    )
    .sort()
}
