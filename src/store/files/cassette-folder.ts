/** Folders of cassettes: which there are, and whether one can be used. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { manifestName } from '../../cassette/format/manifest.ts'
import { keyInFileName } from '../../cassette/interaction-path.ts'
import { isStoreAddress, withoutCredentials } from '../store-address.ts'
import { StoreError } from '../store-error.ts'
import { systemErrorCode } from '../system-error-code.ts'
import { statOrUndefined } from './paths-inside.ts'

/** False where nothing is there. Not with `throwIfNoEntry: false`: newer versions of Node.js then give undefined for a path below a file, too. */
export function isFolder(dir: string): boolean {
  if (isStoreAddress(dir)) throw StoreError.folderNeeded(withoutCredentials(dir))
  try {
    if (statSync(dir).isDirectory()) return true
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false
    throw StoreError.unreadable(dir, error)
  }
  throw StoreError.notAFolder(dir)
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
    throw StoreError.cannotWrite(nearest === path.resolve(dir) ? dir : `${dir} in ${nearest}`, error)
  }
}

/** True where nothing is there, or only hidden files, and temporary files that another process is writing. */
export const isUnusedFolder = (dir: string): boolean =>
  !isFolder(dir) || readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))

/**
 * The cassettes in a folder, sorted; the folder itself where it is one. Links are not followed.
 * @param maxDepth how many levels below the folder are searched
 */
export function cassettesIn(dir: string, maxDepth: number = Number.POSITIVE_INFINITY): readonly string[] {
  if (existsSync(path.join(dir, manifestName))) return [dir]
  if (maxDepth === 0 || statOrUndefined(dir)?.isDirectory() !== true) return []
  const entries = readdirSync(dir, { withFileTypes: true })
  // A cassette whose manifest was lost: opening it says so.
  if (entries.some(({ name }) => keyInFileName(name) !== undefined)) return [path.dirname(dir)]
  const folders = entries.flatMap((one) => (one.isDirectory() ? [path.join(dir, one.name)] : []))
  return [...new Set(folders.flatMap((folder) => cassettesIn(folder, maxDepth - 1)))].sort()
}
