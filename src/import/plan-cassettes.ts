/** Which recordings become which cassettes: one for each file, and for each wiki in it. */
import path from 'node:path'
import { folderNameOf } from '../cassette/interaction-path.ts'
import { wikiFolder } from '../cli/flags/cassette-flags.ts'
import { placeInside } from '../store/files/paths-inside.ts'
import type { KeptReading } from './exchange/imported-exchange.ts'
import type { KeptFile } from './find-recordings.ts'
import { type Wiki, wikiOf } from './recorded-wikis.ts'

/** What one session recorded. */
export interface Unit {
  /** What its cassette is called below the folder of cassettes; empty where it is that folder. */
  readonly name: string
  readonly files: readonly KeptFile[]
}

/** Files that hold many exchanges are a unit each; those that hold one are so together. */
export function unitsOf(files: readonly KeptFile[]): readonly Unit[] {
  const scattered = byMoment(files.filter((one) => one.scattered))
  const whole = files.filter((one) => !one.scattered)
  const tapes = scattered.length === 0 ? [] : [{ name: whole.length === 0 ? '' : 'tapes', files: scattered }]
  return [...whole.map((one) => ({ name: nameIn(one, whole), files: [one] })), ...tapes]
}

/** All files as the sessions of one cassette: scattered exchanges are of one session. */
export const allTogether = (files: readonly KeptFile[]): Unit => ({
  name: '',
  files: [...files.filter((one) => !one.scattered), ...byMoment(files.filter((one) => one.scattered))],
})

const byMoment = (files: readonly KeptFile[]): readonly KeptFile[] =>
  files.toSorted((a, b) => timeOf(a).moment - timeOf(b).moment || timeOf(a).turn - timeOf(b).turn)

const timeOf = ({ readings: [one] }: KeptFile): { readonly moment: number; readonly turn: number } =>
  one?.kind === 'exchange' ? one.exchange : { moment: 0, turn: 0 }

const stem = (below: string): string => below.slice(0, below.length - path.extname(below).length)

/** The path less its ending, unless another file has that too, or a folder is called so: no cassette lies in another. */
function nameIn({ below }: KeptFile, all: readonly KeptFile[]): string {
  const name = stem(below)
  const isTaken = all.some(
    (other) =>
      other.below !== below && (stem(other.below) === name || other.below.startsWith(`${name}${path.sep}`)),
  )
  return isTaken ? below : name
}

/** The entries of a file that are one wiki's, each with its number in the file, from 1. */
export interface Entry {
  readonly number: number
  readonly reading: KeptReading
}

/** @param wikis all that the readings are of: what belongs to another one is left to it */
export const entriesOf = (
  readings: readonly KeptReading[],
  wiki: Wiki,
  wikis: readonly Wiki[],
): readonly Entry[] =>
  readings.flatMap((reading, index) =>
    wikiOf(addressOf(reading), wikis) === wiki ? [{ number: index + 1, reading }] : [],
  )

const addressOf = (reading: KeptReading): string =>
  reading.kind === 'exchange' ? reading.exchange.url.href : reading.address

/** @param several true where the unit is a recording of several wikis @throws StoreError */
export function placeOf(root: string, unit: Unit, wiki: Wiki, several: boolean): string {
  const names = unit.name === '' ? [] : unit.name.split(path.sep)
  return placeInside(root, ...names.map(folderNameOf), ...(several ? [wikiFolder(wiki.api)] : []))
}

/** Cassettes that would share a folder, also where case or the composition of letters does not count, are numbered. */
export function apart<T extends { readonly dir: string }>(planned: readonly T[]): readonly T[] {
  const taken = new Set<string>()
  return planned.map((one) => {
    let { dir } = one
    for (let number = 2; taken.has(folded(dir)); number += 1) dir = `${one.dir}-${number}`
    taken.add(folded(dir))
    return { ...one, dir }
  })
}

const folded = (dir: string): string => dir.normalize('NFKC').toLowerCase()
