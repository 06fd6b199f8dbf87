/** Parts of the shipped cassettes, for tests that need a real recording but not all of it. */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll } from 'vitest'

export const shippedVersions = ['1.35', '1.39', '1.43'] as const
export type ShippedVersion = (typeof shippedVersions)[number]

/** The whole of one. */
export const shipped = (version: ShippedVersion): string =>
  fileURLToPath(new URL(`../../cassettes/ru-${version}`, import.meta.url))

/** A new cassette with what a shipped one says of its wiki and these of its folders; it lives as long as the file's tests. */
export function partOf(version: ShippedVersion, folders: readonly string[]): string {
  const place = mkdtempSync(path.join(tmpdir(), 'wikitape-part-'))
  afterAll(() => rmSync(place, { recursive: true, force: true }))
  const dir = path.join(place, `ru-${version}`)
  for (const name of ['cassette.json', 'paraminfo', ...folders]) {
    const from = path.join(shipped(version), name)
    if (existsSync(from)) cpSync(from, path.join(dir, name), { recursive: true })
  }
  return dir
}
