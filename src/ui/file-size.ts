/** How large a file is, before it is read. */
import { statSync } from 'node:fs'

/** Bytes; 0 where there is none. */
export function fileSize(file: string): number {
  try {
    return statSync(file, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}
