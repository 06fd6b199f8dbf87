/** Detects changes of a cassette on disk, polled on request; by signatures, not by file watchers (docs/decisions/0110). */
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { paraminfoFolder } from '../../cassette/interaction-path.ts'
import { describedFiles } from '../files/paths-inside.ts'
import {
  type FileSignature,
  type FileSignatures,
  isOutsideRacyWindow,
  isSameSignature,
  isUnchanged,
  signatureOf,
} from './file-signature.ts'

/** Milliseconds between two checks at least; after a slow check, the next waits for that duration times the factor. */
export const checkEveryMs = 100
const checkIntervalFactor = 50

/** A folder's recordings at their last check. */
interface CheckedFolder {
  /** Undefined after the first check, which takes none: the files are about to be read. */
  readonly signatures: readonly (FileSignature | undefined)[] | undefined
  /** Before they were read, in milliseconds since 1970. */
  readonly readAt: number
  /** Time of the next check, by `performance.now`. */
  readonly nextCheck: number
  /** When they count as changed whatever their signatures say, in milliseconds since 1970: some were inside the racy window. */
  readonly expires: number
}

export class ChangeDetector {
  readonly #dir: string
  readonly #windowMs: number
  #real: string | undefined
  /** Of every folder, the manifest and the descriptions; undefined before the first check. */
  #signatures: FileSignatures | undefined
  #nextCheck = performance.now() + checkEveryMs
  #expires = Number.POSITIVE_INFINITY
  readonly #folders = new Map<string, CheckedFolder>()

  /** Folders checked in this turn of the event loop: within a turn a folder does not change. */
  readonly #checkedThisTurn = new Set<string>()

  /** @param windowMs see `racyWindowMs` */
  constructor(dir: string, windowMs: number) {
    this.#dir = dir
    this.#windowMs = windowMs
    this.#real = realPath(dir)
  }

  /**
   * True where names, manifest or descriptions may differ from those that were read.
   * @param folders of the cassette. @param readAt before they were read, in milliseconds since 1970
   */
  hasChanged(folders: () => readonly string[], readAt: number): boolean {
    const startedAt = performance.now()
    if (startedAt < this.#nextCheck) return false
    const changed = this.#differs(folders, readAt)
    this.#nextCheck = nextCheckAfter(startedAt)
    return changed
  }

  /** Takes what was just read as the state to compare with. */
  reset(folders: readonly string[], readAt: number): void {
    this.#real = realPath(this.#dir)
    this.#signatures = this.#signaturesOf(folders)
    this.#folders.clear()
    const isRacy =
      this.#signatures?.some(([, one]) => !isOutsideRacyWindow(one, readAt, this.#windowMs)) === true
    this.#expires = isRacy ? Date.now() + this.#windowMs : Number.POSITIVE_INFINITY
  }

  /**
   * True where recordings of a folder may differ from those at the last call.
   * @param files of the folder, relative to the cassette
   */
  hasChangedIn(folder: string, files: () => Iterable<string>): boolean {
    if (this.#checkedThisTurn.has(folder)) return false
    if (this.#checkedThisTurn.size === 0) setImmediate(() => this.#checkedThisTurn.clear())
    this.#checkedThisTurn.add(folder)
    const [startedAt, readAt] = [performance.now(), Date.now()]
    const known = this.#folders.get(folder)
    if (known !== undefined && startedAt < known.nextCheck) return false
    // The first time they are about to be read: no need to stat each as well.
    const signatures = known && [...files()].map((file) => signatureOf(path.join(this.#dir, file)))
    const isRacy = (moment: number): boolean =>
      signatures?.some((one) => one === undefined || !isOutsideRacyWindow(one, moment, this.#windowMs)) ===
      true
    const expires = isRacy(readAt) ? readAt + this.#windowMs : Number.POSITIVE_INFINITY
    this.#folders.set(folder, { signatures, readAt, expires, nextCheck: nextCheckAfter(startedAt) })
    if (known === undefined) return false
    if (readAt > known.expires) return true
    // Without earlier signatures: changed if a file may have been written since it was read.
    return known.signatures === undefined ? isRacy(known.readAt) : !isSame(signatures, known.signatures)
  }

  #differs(folders: () => readonly string[], readAt: number): boolean {
    if (this.#real === undefined || realPath(this.#dir) !== this.#real) return true
    if (this.#signatures !== undefined)
      return Date.now() > this.#expires || !isUnchanged(this.#real, this.#signatures)
    this.#signatures = this.#signaturesOf(folders())
    return this.#signatures?.every(([, one]) => isOutsideRacyWindow(one, readAt, this.#windowMs)) !== true
  }

  /** Undefined where a folder is gone. */
  #signaturesOf(folders: readonly string[]): FileSignatures | undefined {
    const dir = this.#real
    if (dir === undefined) return undefined
    const described = describedFiles(path.join(dir, paraminfoFolder)).map(
      (name) => `${paraminfoFolder}/${name}`,
    )
    const files = ['', 'cassette.json', ...folders, ...described]
    const signatures = files.flatMap((file) => {
      const signature = signatureOf(path.join(dir, file))
      return signature === undefined ? [] : [[file, signature] as const]
    })
    return signatures.length === files.length ? signatures : undefined
  }
}

const isSame = (a: CheckedFolder['signatures'] = [], b: CheckedFolder['signatures'] = []): boolean =>
  a.length === b.length && a.every((one, at) => isSameSignature(one, b[at]))

/** @param startedAt when the last check began, by the clock of `performance.now` */
function nextCheckAfter(startedAt: number): number {
  const now = performance.now()
  return now + Math.max(checkEveryMs, checkIntervalFactor * (now - startedAt))
}

function realPath(dir: string): string | undefined {
  try {
    return realpathSync.native(dir)
  } catch {
    return undefined
  }
}
