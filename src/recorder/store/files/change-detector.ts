/** Detects changes of a cassette on disk, polled on request; by signatures, not by file watchers (docs/decisions/0110). */

import { lstatSync, realpathSync, type Stats } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers'
import { LRUCache } from 'lru-cache'
import { manifestName } from '../../cassette/format/manifest.ts'
import { paraminfoFolder } from '../../cassette/interaction-path.ts'
import { readOrElse } from '../../text/error-text.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { describedFiles, statOrUndefined } from './paths-inside.ts'

/** Milliseconds between two checks at least; after a slow check, the next waits for that duration times the factor. */
export const checkEveryMs = 100
const checkIntervalFactor = 50
/** Folders, and parts of them, whose files are compared. */
const maxFolders = 1000

type Signatures = readonly (FileSignature | undefined)[]

/** Some files, to be compared with what they were when they were last read. */
class CheckedFiles {
  /** Before they were first read, in milliseconds since 1970. */
  readonly #readAt: number
  /** Undefined before the first check: when files are about to be read, they need no `stat` as well. */
  #signatures: Signatures | undefined
  /** After this time they count as changed, whatever their signatures say, in milliseconds since 1970: some were inside the racy window. */
  #expires = Number.POSITIVE_INFINITY
  /** Time of the next check, by `performance.now`. */
  #nextCheck = performance.now() + checkEveryMs

  constructor(readAt: number) {
    this.#readAt = readAt
  }

  hasChanged(read: () => Signatures) {
    const startedAt = performance.now()
    const readAt = Date.now()
    if (startedAt < this.#nextCheck) return false
    const signatures = read()
    const now = performance.now()
    this.#nextCheck =
      now + Math.max(checkEveryMs, checkIntervalFactor * (now - startedAt))
    const before = this.#signatures
    // Without earlier signatures: changed if a file may have been written since it was read.
    const changed = before
      ? readAt > this.#expires || !isSame(signatures, before)
      : this.#isRacy(signatures, this.#readAt)
    if (changed || !before) this.reset(signatures, readAt)
    return changed
  }

  /** Takes what was just read as the state to compare with. */
  reset(signatures: Signatures, readAt: number) {
    this.#signatures = signatures
    this.#expires = this.#isRacy(signatures, readAt)
      ? Date.now() + racyWindow.ms
      : Number.POSITIVE_INFINITY
  }

  #isRacy(signatures: Signatures, readAt: number) {
    return signatures.some(
      (one) => one === undefined || !isOutsideRacyWindow(one, readAt)
    )
  }
}

const isSame = (a: Signatures, b: Signatures) =>
  a.length === b.length && a.every((one, at) => one?.id === b[at]?.id)

export class ChangeDetector {
  readonly #dir: string
  /** Every folder, the manifest and the descriptions. */
  readonly #names: CheckedFiles
  /** The recordings of each folder, or of a part of it. */
  readonly #folders = new LRUCache<string, CheckedFiles>({ max: maxFolders })

  /** Folders checked in this turn of the event loop: within a turn a folder does not change. */
  readonly #checkedThisTurn = new Set<string>()

  /** @param readAt before the cassette was read, in milliseconds since 1970 */
  constructor(dir: string, readAt: number) {
    this.#dir = dir
    this.#names = new CheckedFiles(readAt)
  }

  /** True where names, manifest or descriptions may differ from those that were read. @param folders of the cassette */
  hasChanged(folders: () => readonly string[]): boolean {
    return this.#names.hasChanged(() => this.#signaturesOf(folders()))
  }

  /** To be called when the cassette was read again. @param readAt before that */
  reset(folders: readonly string[], readAt: number): void {
    this.#names.reset(this.#signaturesOf(folders), readAt)
    this.#folders.clear()
  }

  /**
   * True where recordings of a folder may differ from those at the last call.
   * @param files of the folder, relative to the cassette
   */
  hasChangedIn(folder: string, files: () => Iterable<string>): boolean {
    if (this.#checkedThisTurn.has(folder)) return false
    if (this.#checkedThisTurn.size === 0)
      setImmediate(() => this.#checkedThisTurn.clear())
    this.#checkedThisTurn.add(folder)
    const known = getOrAdd(this.#folders, folder, () => new CheckedFiles(Date.now()))
    return known.hasChanged(() =>
      [...files()].map((file) => signatureOf(path.join(this.#dir, file)))
    )
  }

  /** Empty where the cassette is gone. Another folder in its place has another signature. */
  #signaturesOf(folders: readonly string[]) {
    const dir = readOrElse(undefined, () => realpathSync.native(this.#dir))
    if (dir === undefined) return []
    const described = describedFiles(path.join(dir, paraminfoFolder)).map(
      (name) => `${paraminfoFolder}/${name}`
    )
    return ['', manifestName, ...folders, ...described].map((file) =>
      signatureOf(path.join(dir, file))
    )
  }
}

/** From `stat`. Equal ones mean an unchanged file outside the racy window, since no program can set `ctime`. */
export interface FileSignature {
  /** Device, inode, size, and the times of the last write and the last change. */
  readonly id: string
  /** Time of the last change, in milliseconds since 1970. */
  readonly ctime: number
}

/** Paths relative to the cassette, each with its signature. */
export type FileSignatures = readonly (readonly [
  file: string,
  signature: FileSignature
])[]

/** Milliseconds in which a file can change twice with the same time of change: the coarsest clock of a file system. Tests set less. */
export const racyWindow = { ms: 2000 }

/** Undefined unless it is an ordinary file or a folder. */
export function signatureOf(file: string): FileSignature | undefined {
  const stat = statOrUndefined(file, lstatSync)
  return stat && (stat.isFile() || stat.isDirectory()) ? signatureIn(stat) : undefined
}

export const signatureIn = ({
  dev,
  ino,
  size,
  mtimeMs,
  ctimeMs
}: Stats): FileSignature => ({
  id: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
  ctime: ctimeMs
})

/**
 * True for a signature that a change after `readAt` would have altered.
 * @param readAt before the file was read, in milliseconds since 1970
 */
export const isOutsideRacyWindow = (signature: FileSignature, readAt: number): boolean =>
  signature.ctime < readAt - racyWindow.ms

/** True where every file still has its signature; false for an empty list. */
export const isUnchanged = (dir: string, signatures: FileSignatures): boolean =>
  signatures.length > 0 &&
  signatures.every(
    ([file, signature]) => signatureOf(`${dir}/${file}`)?.id === signature.id
  )
