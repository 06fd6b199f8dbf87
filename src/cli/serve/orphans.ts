/** Cassettes of deleted and renamed tests: those that the file of `WIKITAPE_SUITE` does not name. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { shellQuote } from '../../recorder/store/command-name.ts'
import { type Invocation, orUsageError, UsageError } from '../args/command.ts'

/** A cassette that no test opened, and the one of a renamed test that holds the same. */
interface Orphan {
  readonly dir: string
  readonly sameAs: string | undefined
}

/** Undefined if the run opened none of them: it was another suite's. */
function findOrphans(dirs: readonly string[], file: string) {
  const folders = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const opened = new Set(folders.map((one) => path.resolve(path.dirname(file), one)))
  const isOpened = (dir: string) => opened.has(path.resolve(dir))
  if (!dirs.some(isOpened)) return undefined
  const byKeys = new Map(dirs.filter(isOpened).map((dir) => [keysText(dir), dir]))
  return dirs
    .filter((dir) => !isOpened(dir))
    .map((dir) => ({ dir, sameAs: byKeys.get(keysText(dir)) }))
}

const keysText = (dir: string) =>
  [...CassetteStore.open(dir).paths()]
    .map(([key]) => key)
    .sort()
    .join(' ')

/** @param dirs all cassettes of the suite. @throws UsageError */
export function orphansIn(call: Invocation, dirs: readonly string[]): readonly Orphan[] {
  const file = call.value('suite')
  if (file === undefined) return []
  const first = `run the whole suite with WIKITAPE_SUITE=${shellQuote(file)} first`
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}; ${first}`)
  const orphans = orUsageError(`cannot read ${file}`, () => findOrphans(dirs, file))
  if (orphans) return orphans
  throw new UsageError(`${file} names none of these cassettes; ${first}`)
}

/** Whose cassette it was, as far as others show it. */
export const orphanText = ({ sameAs }: Orphan): string =>
  sameAs === undefined
    ? 'no test opened it'
    : `no test opened it; ${sameAs} holds the same, so its test was renamed`
