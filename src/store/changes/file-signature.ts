/** Signatures from `stat`: equal ones mean an unchanged file outside the racy window, since no program can set `ctime`. */
import { lstatSync, type Stats } from 'node:fs'
import { statOrUndefined } from '../files/paths-inside.ts'

export interface FileSignature {
  /** Device, inode, size, and the times of the last write and the last change. */
  readonly id: string
  /** Time of the last change, in milliseconds since 1970. */
  readonly ctime: number
}

/** Paths relative to the cassette, each with its signature. */
export type FileSignatures = readonly (readonly [file: string, signature: FileSignature])[]

/** Milliseconds in which a file can change twice with the same time of change: the coarsest clock of a file system. */
export const racyWindowMs = 2000

/** Undefined unless it is an ordinary file or a folder. */
export function signatureOf(file: string): FileSignature | undefined {
  const stat = statOrUndefined(file, lstatSync)
  return stat !== undefined && (stat.isFile() || stat.isDirectory()) ? signatureIn(stat) : undefined
}

export const signatureIn = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): FileSignature => ({
  id: `${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}`,
  ctime: ctimeMs,
})

/**
 * True for a signature that a change after `readAt` would have altered.
 * @param readAt before the file was read, in milliseconds since 1970
 */
export const isOutsideRacyWindow = (signature: FileSignature, readAt: number, windowMs: number): boolean =>
  signature.ctime < readAt - windowMs

/** True where every file still has its signature; false for an empty list. */
export const isUnchanged = (dir: string, signatures: FileSignatures): boolean =>
  signatures.length > 0 &&
  signatures.every(([file, signature]) => signatureOf(`${dir}/${file}`)?.id === signature.id)
