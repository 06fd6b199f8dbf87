/** Checks of a folder before a cassette is opened in it. Each throws a StoreError where the folder cannot be used. */
import { accessSync, constants, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { isStoreAddress, withoutCredentials } from '../store-address.ts'
import { StoreError } from '../store-error.ts'
import { systemErrorCode } from '../system-error-code.ts'

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

/** True where there is no folder, or one with only hidden files, and temporary files that another process is writing. */
export const isUnused = (dir: string): boolean =>
  !isFolder(dir) || readdirSync(dir).every((name) => name.startsWith('.') || name.endsWith('.tmp'))
