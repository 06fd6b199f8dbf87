/**
 * What a cassette's folder looked like, by the file system's own marks, so that another process can tell later that not
 * a name and not a description in it has changed. The time of a change (`ctime`) is set by nobody: not by `touch`,
 * `cp -p` or `git checkout`.
 */
import { lstatSync, type Stats, statfsSync } from 'node:fs'
import path from 'node:path'
import { describedFolder } from '../cassette/name.ts'
import { describedFiles } from './inside.ts'

/** Device, number, size, and the times of the last writing and the last change, in milliseconds. */
export type Marks = readonly [dev: number, ino: number, size: number, mtime: number, ctime: number]

/** Paths relative to the cassette, with what marked them. */
export type Footing = readonly (readonly [file: string, marks: Marks])[]

/** Undefined for what is not there, or is neither an ordinary file nor a folder. */
export function marksOf(file: string): Marks | undefined {
  const stat = lookAt(file)
  return stat !== undefined && isOrdinary(stat) ? marksIn(stat) : undefined
}

export const sameMarks = (a: Marks, b: Marks): boolean => a.every((one, at) => one === b[at])

/** True where `marksOf` would say the same of it now; asked once a request. */
export function isAsMarked(file: string, [dev, ino, size, mtime, ctime]: Marks): boolean {
  const stat = lookAt(file)
  return (
    stat !== undefined &&
    stat.ctimeMs === ctime &&
    stat.mtimeMs === mtime &&
    stat.size === size &&
    stat.ino === ino &&
    stat.dev === dev &&
    isOrdinary(stat)
  )
}

/**
 * True where a file is as it was since some moment. Clocks of file systems stand still for milliseconds, in which a file
 * can change twice: what is younger than `settling` may have.
 * @param since milliseconds since 1970
 */
export const wasLeftAlone = (marks: Marks, since: number, settling: number): boolean =>
  marks[4] < since - settling

/** Of every folder, the manifest and the descriptions. @param folders of the cassette, however deep. @returns undefined where one is gone */
export function footingOf(dir: string, folders: readonly string[]): Footing | undefined {
  const described = describedFiles(dir).map((name) => `${describedFolder}/${name}`)
  const footing: (readonly [string, Marks])[] = []
  for (const file of ['', 'cassette.json', ...folders, ...described]) {
    const marks = marksOf(path.join(dir, file))
    if (marks === undefined) return undefined
    footing.push([file, marks])
  }
  return footing
}

/** True where all is as it was. */
export const stands = (dir: string, footing: Footing): boolean =>
  footing.length > 0 &&
  // Whoever noted it has joined its path already.
  footing.every(([file, marks]) => isAsMarked(file === '' ? dir : `${dir}/${file}`, marks))

/** File systems whose marks may be a copy of what they were seconds ago, or another machine's. Source: statfs(2) */
const remote: ReadonlySet<number> = new Set([
  ...[0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x5346414f, 0x73757245],
  ...[0x00c36400, 0x0bd00bd0, 0x564c],
])

/** False where the marks of files prove nothing. */
export function marksCount(dir: string): boolean {
  try {
    return process.platform !== 'win32' && !remote.has(statfsSync(dir).type >>> 0)
  } catch {
    return false
  }
}

const isOrdinary = (stat: Stats): boolean => stat.isFile() || stat.isDirectory()

export const marksIn = ({ dev, ino, size, mtimeMs, ctimeMs }: Stats): Marks => [
  dev,
  ino,
  size,
  mtimeMs,
  ctimeMs,
]

function lookAt(file: string): Stats | undefined {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
