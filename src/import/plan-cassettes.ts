/** Which recordings become which cassettes: one for each file, and for each wiki in it. */
import path from 'node:path'
import { folderNameOf } from '../cassette/interaction-path.ts'
import { wikiFolderName } from '../cli/flags/cassette-flags.ts'
import { pathInside } from '../store/files/paths-inside.ts'
import type { ImportedEntry } from './exchange/imported-exchange.ts'
import type { RecordingFile } from './find-recordings.ts'
import { type RecordedWiki, wikiOf } from './recorded-wikis.ts'

/** What one session recorded. */
export interface RecordingUnit {
  /** What its cassette is called below the folder of cassettes; empty where it is that folder. */
  readonly name: string
  readonly files: readonly RecordingFile[]
}

/** Files that hold many exchanges are a unit each; those that hold one are so together. */
export function groupIntoUnits(files: readonly RecordingFile[]): readonly RecordingUnit[] {
  const single = sortByTime(files.filter((one) => one.isOneExchange))
  const whole = files.filter((one) => !one.isOneExchange)
  const tapes = single.length === 0 ? [] : [{ name: whole.length === 0 ? '' : 'tapes', files: single }]
  return [...whole.map((one) => ({ name: unitName(one, whole), files: [one] })), ...tapes]
}

/** All files as the sessions of one cassette: scattered exchanges are of one session. */
export const asOneUnit = (files: readonly RecordingFile[]): RecordingUnit => ({
  name: '',
  files: [
    ...files.filter((one) => !one.isOneExchange),
    ...sortByTime(files.filter((one) => one.isOneExchange)),
  ],
})

const sortByTime = (files: readonly RecordingFile[]): readonly RecordingFile[] =>
  files.toSorted((a, b) => timeOf(a).moment - timeOf(b).moment || timeOf(a).order - timeOf(b).order)

const timeOf = ({ readings: [entry] }: RecordingFile): { readonly moment: number; readonly order: number } =>
  entry?.kind === 'exchange' ? entry.exchange : { moment: 0, order: 0 }

const stem = (below: string): string => below.slice(0, below.length - path.extname(below).length)

/** The path less its ending, unless another file has that too, or a folder is called so: no cassette lies in another. */
function unitName({ relativePath: below }: RecordingFile, all: readonly RecordingFile[]): string {
  const name = stem(below)
  const isAmbiguous = all.some(
    (other) =>
      other.relativePath !== below &&
      (stem(other.relativePath) === name || other.relativePath.startsWith(`${name}${path.sep}`)),
  )
  return isAmbiguous ? below : name
}

/** The entries of a file that are one wiki's, each with its number in the file, from 1. */
export interface PlannedEntry {
  readonly number: number
  readonly entry: ImportedEntry
}

/** @param wikis all that the readings are of: what belongs to another one is left to it */
export const entriesOfWiki = (
  entries: readonly ImportedEntry[],
  wiki: RecordedWiki,
  wikis: readonly RecordedWiki[],
): readonly PlannedEntry[] =>
  entries.flatMap((entry, index) =>
    wikiOf(addressOf(entry), wikis) === wiki ? [{ number: index + 1, entry }] : [],
  )

const addressOf = (entry: ImportedEntry): string =>
  entry.kind === 'exchange' ? entry.exchange.url.href : entry.address

/** @param several true where the unit is a recording of several wikis @throws StoreError */
export function cassetteFolderOf(
  root: string,
  unit: RecordingUnit,
  wiki: RecordedWiki,
  several: boolean,
): string {
  const names = unit.name === '' ? [] : unit.name.split(path.sep)
  return pathInside(root, ...names.map(folderNameOf), ...(several ? [wikiFolderName(wiki.api)] : []))
}

/** Cassettes that would share a folder, also where case or the composition of letters does not count, are numbered. */
export function withDistinctFolders<T extends { readonly dir: string }>(planned: readonly T[]): readonly T[] {
  const used = new Set<string>()
  return planned.map((one) => {
    let { dir } = one
    for (let number = 2; used.has(foldCase(dir)); number += 1) dir = `${one.dir}-${number}`
    used.add(foldCase(dir))
    return { ...one, dir }
  })
}

const foldCase = (dir: string): string => dir.normalize('NFKC').toLowerCase()
