/** Folders kept in memory. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Every file of a folder by its path inside, bytes as latin-1. */
export function copyFolder(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile()
  )
  return new Map(
    entries.map((entry) => {
      const file = path.join(entry.parentPath, entry.name)
      return [path.relative(folder, file), readFileSync(file, 'latin1')]
    })
  )
}
