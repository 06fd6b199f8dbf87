/** Plans which recordings become which cassettes: one for each file, and for each wiki in it. */
import path from 'node:path'
import { folderNameOf } from '../cassette/interaction-path.ts'
import { pathInside } from '../store/files/paths-inside.ts'
import { uniqueName } from '../text/unique-name.ts'
import type { ImportedEntry } from './exchange/imported-exchange.ts'
import type { RecordingFile } from './find-recordings.ts'
import { type RecordedWiki, wikiOf } from './recorded-wikis.ts'

export interface RecordingUnit {
  /** Path of its cassette below the folder of cassettes; empty for that folder itself. */
  readonly name: string
  readonly files: readonly RecordingFile[]
}

/** A file of many exchanges is a unit; all files of one exchange are one unit. */
export function groupIntoUnits(files: readonly RecordingFile[]): readonly RecordingUnit[] {
  const single = sortByTime(files.filter((one) => one.isOneExchange))
  const whole = files.filter((one) => !one.isOneExchange)
  const tapes = single.length === 0 ? [] : [{ name: whole.length === 0 ? '' : 'tapes', files: single }]
  return [...whole.map((one) => ({ name: unitName(one, whole), files: [one] })), ...tapes]
}

/** All files as the sessions of one cassette; files of one exchange are one session. */
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

const stem = (file: string): string => file.slice(0, file.length - path.extname(file).length)

/** The path without extension, unless another file or a folder has that name too: no cassette is inside another. */
function unitName({ relativePath }: RecordingFile, all: readonly RecordingFile[]): string {
  const name = stem(relativePath)
  const isAmbiguous = all.some(
    (other) =>
      other.relativePath !== relativePath &&
      (stem(other.relativePath) === name || other.relativePath.startsWith(`${name}${path.sep}`)),
  )
  return isAmbiguous ? relativePath : name
}

/** An entry with its number in the file, from 1. */
export interface PlannedEntry {
  readonly number: number
  readonly entry: ImportedEntry
}

/** The entries of a file that are one wiki's. @param wikis all wikis of the recording */
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

/** @param wikiFolder of one wiki of several in the unit @throws StoreError */
export function cassetteFolderOf(root: string, unit: RecordingUnit, wikiFolder: string | undefined): string {
  const names = unit.name === '' ? [] : unit.name.split(path.sep)
  return pathInside(root, ...names.map(folderNameOf), ...(wikiFolder === undefined ? [] : [wikiFolder]))
}

/** Numbers cassettes that would share a folder. */
export function withDistinctFolders<T extends { readonly dir: string }>(planned: readonly T[]): readonly T[] {
  const used = new Set<string>()
  return planned.map((one) => ({ ...one, dir: uniqueName(one.dir, used) }))
}
