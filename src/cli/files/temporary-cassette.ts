/** A folder that exists only while a function runs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** @param use gets the path of a folder that does not exist yet; it is also deleted if the process ends meanwhile */
export async function withTemporaryCassette<T>(
  use: (dir: string) => Promise<T>
): Promise<T> {
  const root = mkdtempSync(path.join(tmpdir(), 'wikitape-'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    return await use(path.join(root, 'cassette'))
  } finally {
    process.off('exit', remove)
    remove()
  }
}
