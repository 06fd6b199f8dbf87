/** Sizes of files before they are read, and times of their last change. */
import { statSync } from 'node:fs'

interface FileSizeAndTime {
  readonly bytes: number
  readonly mtimeMs: number
}

/** Zeros where there is no file. */
export function fileSizeAndTime(file: string): FileSizeAndTime {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    return { bytes: stat?.size ?? 0, mtimeMs: stat?.mtimeMs ?? 0 }
  } catch {
    return { bytes: 0, mtimeMs: 0 }
  }
}

/** Bytes of a recording: its file and its body files (docs/cassette-format.md). */
export function recordingSize(file: string): number {
  const stem = file.slice(0, -'.json'.length)
  let sum = fileSizeAndTime(file).bytes
  for (let at = 0; ; at += 1) {
    const { bytes } = fileSizeAndTime(`${stem}.${at}.bin`)
    if (bytes === 0) return sum
    sum += bytes
  }
}
