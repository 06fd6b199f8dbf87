/**
 * What lies inside of a cassette. One from a stranger may hold links that lead out of it, pipes that never end, and
 * devices: they are neither read nor written to, nor found.
 */
import { lstatSync, opendirSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import path from 'node:path'
import { paraminfoFolder } from '../../cassette/interaction-path.ts'
import { StoreError } from '../store-error.ts'
import { readBytes, readText } from './whole-files.ts'

/**
 * False where the way to a file leads out of the cassette, or ends at something else than an ordinary file. What is not
 * there is inside, since it can be made.
 * @param file relative to the cassette's folder
 */
export function isInside(dir: string, file: string): boolean {
  const parts = path.normalize(file).split(/[\\/]/)
  if (!parts.every(isPathSegment)) return false
  return parts.every((_, at) => {
    const location = path.join(dir, ...parts.slice(0, at + 1))
    const stat = statOrUndefined(location, lstatSync)
    if (stat === undefined) return true
    const real = stat.isSymbolicLink() ? linkTargetInside(dir, location) : stat
    return at === parts.length - 1 ? real?.isFile() === true : real?.isDirectory() === true
  })
}

/** One step down: neither back up, nor to the root of the system, nor a name that no system takes. */
const isPathSegment = (name: string): boolean => !/^\.{0,2}$|\0/.test(name)

/**
 * The place of a folder or file whose name came from outside (a client, a file, a host). Every such place is made here.
 * @param names one for each folder on the way @throws StoreError where it would not be inside
 */
export function pathInside(root: string, ...names: readonly string[]): string {
  const location = path.join(root, ...names)
  const isBelow = names.every((name) => isPathSegment(name) && !/[\\/]/.test(name))
  if (!isBelow || names.some((_, at) => isLinkLeadingOut(root, path.join(root, ...names.slice(0, at + 1)))))
    throw StoreError.outside(root, location)
  return location
}

function isLinkLeadingOut(root: string, location: string): boolean {
  return (
    statOrUndefined(location, lstatSync)?.isSymbolicLink() === true &&
    linkTargetInside(root, location) === undefined
  )
}

export const leadsOutMessage = 'it is a link that leads out of the cassette, or no ordinary file'

/** The text of a file of a cassette, undefined where there is none. @throws where it leads out, or is not UTF-8 */
export const textInside = (dir: string, file: string): string | undefined =>
  readText(ordinaryFileIn(dir, file))

/** The same as bytes. */
export const bytesInside = (dir: string, file: string): Uint8Array | undefined =>
  readBytes(ordinaryFileIn(dir, file))

function ordinaryFileIn(dir: string, file: string): string {
  if (!isInside(dir, file)) throw new Error(leadsOutMessage)
  return path.join(dir, file)
}

/** Links from one place of the cassette to another are good. */
function linkTargetInside(dir: string, location: string): Stats | undefined {
  const stat = statOrUndefined(location, statSync)
  return stat !== undefined && realpathSync(location).startsWith(realpathSync(dir) + path.sep)
    ? stat
    : undefined
}

type StatFunction = (location: string, options: { readonly throwIfNoEntry: false }) => Stats | undefined

/** Undefined also where nobody may look. To throw where nothing is would take longer than to look. */
function statOrUndefined(location: string, stat: StatFunction): Stats | undefined {
  try {
    return stat(location, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** Everything that lies in a folder and below it, folders too, `/` as separator; links are told, not followed. */
export function* entriesIn(
  dir: string,
  below = '',
): IterableIterator<{ readonly file: string; readonly irregular: boolean; readonly folder: boolean }> {
  for (const entry of readdirSync(path.join(dir, below), { withFileTypes: true })) {
    const file = below === '' ? entry.name : `${below}/${entry.name}`
    const folder = entry.isDirectory()
    yield { file, irregular: !entry.isFile() && !folder, folder }
    if (folder) yield* entriesIn(dir, file)
  }
}

/** Calls back for every file and every folder that lies in a folder, unsorted: sorting 100,000 names costs as much as reading them. */
export function readNames(
  dir: string,
  visit: { readonly file: (name: string) => void; readonly folder: (name: string) => void },
): void {
  const handle = opendirSync(dir, { bufferSize: 256 })
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync())
      if (entry.isFile()) visit.file(entry.name)
      else if (entry.isDirectory()) visit.folder(entry.name)
  } finally {
    handle.closeSync()
  }
}

/** The names of the files in which the wiki's modules are described, sorted. */
export function describedFiles(dir: string): readonly string[] {
  if (statOrUndefined(path.join(dir, paraminfoFolder), lstatSync)?.isDirectory() !== true) return []
  return readdirSync(path.join(dir, paraminfoFolder), { withFileTypes: true })
    .flatMap((entry) => (entry.isFile() && entry.name.endsWith('.json') ? [entry.name] : []))
    .sort()
}
