/** The folders in which ready replies of earlier runs lie: this user's own, and no larger than they may be. */
import { hash } from 'node:crypto'
import { lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { endianness } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Bytes of all cassettes together. */
const mostBytes = 2 * 1024 ** 3
/** Milliseconds after which what a process left half written is cleared away: a server that runs adds to it now and then. */
const abandoned = 4 * 3_600_000

/** The newest first, by the time in their names. */
export function readyFiles(place: string): readonly string[] {
  const names = readdirSync(place).filter((name) => name.endsWith('.ready'))
  return names
    .sort((a, b) => Number.parseInt(b, 10) - Number.parseInt(a, 10))
    .map((name) => path.join(place, name))
}

/** Another cassette, other settings, another build of wikitape: another name. */
export function nameOf(dir: string, settings: string): string {
  // Packages come with the same times of writing whatever their version; none has the same time of change.
  const { mtimeMs, ctimeMs, size, ino } = statSync(fileURLToPath(import.meta.url))
  const build = [mtimeMs, ctimeMs, size, ino, endianness(), process.version]
  const text = JSON.stringify([dir, settings, ...build])
  return hash('sha256', text, 'hex').slice(0, 32)
}

/** Keeps to the limits, the newest stays; a run that is still reading a file goes on reading it. */
export function clearAway(folder: string): void {
  try {
    const all = readdirSync(folder).flatMap((one) => filesIn(path.join(folder, one)))
    let bytes = 0
    for (const { file, size, time } of all.sort((a, b) => b.time - a.time)) {
      bytes += size
      const isDraft = file.endsWith('.tmp') && Date.now() - time > abandoned
      if (bytes > mostBytes || isDraft) rmSync(file, { force: true })
    }
  } catch {
    // Another process clears away the same.
  }
}

const filesIn = (place: string): { readonly file: string; readonly size: number; readonly time: number }[] =>
  readdirSync(place).flatMap((name) => {
    const file = path.join(place, name)
    const stat = lstatSync(file, { throwIfNoEntry: false })
    return stat?.isFile() === true ? [{ file, size: stat.size, time: stat.mtimeMs }] : []
  })
