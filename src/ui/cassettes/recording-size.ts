/** Sizes of files before they are read; 0 where there is no file. */
import { statOrUndefined } from '../../store/files/paths-inside.ts'

export const fileSize = (file: string): number => statOrUndefined(file)?.size ?? 0

/** Bytes of a recording: its file and its body files (docs/cassette-format.md). */
export function recordingSize(file: string): number {
  const stem = file.slice(0, -'.json'.length)
  let sum = fileSize(file)
  for (let at = 0; ; at += 1) {
    const bytes = fileSize(`${stem}.${at}.bin`)
    if (bytes === 0) return sum
    sum += bytes
  }
}
