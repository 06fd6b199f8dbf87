/**
 * What an acceptance depends on: the fingerprint of a finding or cause, and in it what changed into what, i.e. types,
 * formats, codes, words of a closed set, settings. Many values at one place are content, so that only their types count.
 */
import { scalarTextOf } from '../../recorder/json/json-tree.ts'
import { digest } from '../../recorder/request/request-key.ts'
import {
  type Change,
  type Note,
  noteText,
  type Transition,
  turn
} from '../changes/change.ts'
import { type Kind, kinds } from '../changes/kinds.ts'
import { typeOf } from '../members/sample-shape.ts'

/**
 * Twelve hex digits: six of what changed (kind, scope, place, extent), six of where. The same in every run, whatever the
 * wording; a change that goes further has other ones, of which the last six stay.
 */
export type Fingerprint = string & { readonly __brand: 'Fingerprint' }

/** @param where stays when the change goes further */
export const fingerprintOf = (
  what: readonly string[],
  where: readonly string[]
): Fingerprint =>
  [what, where].map((one) => digest(JSON.stringify(one), 6)).join('') as Fingerprint

/** True for fingerprints of one place or cause, whatever changed there. */
export const isSamePlace = (a: Fingerprint, b: Fingerprint): boolean =>
  a.slice(6) === b.slice(6)

/** True for twelve hex digits. */
export const isFingerprint = (text: string): text is Fingerprint =>
  /^[0-9a-f]{12}$/.test(text)

/** What changed into what, collected over the changes of one finding. */
export class Extent {
  readonly #types = new Map<string, Note>()
  readonly #values = new Map<string, Note>()

  add(change: Change): void {
    if (change.axis === 'data') return
    addNote(this.#types, typesOf(change))
    // Additions and removals are listed in full; of other values only those shown must be equal.
    if (isWhole(change.kind) || this.#values.size <= maxValues)
      addNote(this.#values, valuesOf(change))
  }

  /** `number → string`, `purge, writeapi`; empty if the kind says it all. */
  text(kind: Kind): string {
    const texts = [...this.#used(kind).keys()].filter((one) => one !== '').sort()
    return shorten(texts.join(', '), maxText)
  }

  /** What became what, as far as the text says it. */
  turns(kind: Kind): readonly Transition[] {
    return [...this.#used(kind).values()].filter((one) => typeof one !== 'string')
  }

  #used(kind: Kind) {
    return isWhole(kind) || this.#values.size <= maxValues ? this.#values : this.#types
  }
}

const addNote = (notes: Map<string, Note>, note: Note) =>
  void notes.set(noteText(note).trim(), note)

const maxValues = 3

/** True for kinds of values that came or went: the title lists them. */
export const namesValues = (kind: Kind): boolean => kinds[kind].extent === 'values'

const isWhole = (kind: Kind) => namesValues(kind) || kinds[kind].extent === 'item'

function typesOf({ kind, before, after }: Change) {
  if (kinds[kind].extent === undefined) return ''

  const from = before ? typeOf(before) : ''
  const to = after ? typeOf(after) : ''
  return from === to ? from : turn(from, to)
}

function valuesOf(change: Change) {
  const { kind, note, before, after, path } = change
  switch (kinds[kind].extent) {
    case 'values':
      return scalarTextOf(before ?? after) ?? ''
    case 'item':
      return path.step
    case 'note':
      return note === '' ? differenceOf(change) : withoutLabels(note)
    default:
      return differenceOf(change)
  }
}

/** Labels of items are content. */
function withoutLabels(note: Note) {
  const bare = (text: string) => text.replace(/\[[^\]]*\]/g, '[*]')
  return typeof note === 'string' ? bare(note) : turn(bare(note.from), bare(note.to))
}

function differenceOf(change: Change) {
  const types = typesOf(change)
  const before = scalarTextOf(change.before)
  const after = scalarTextOf(change.after)
  const isOfOneType = typeof types === 'string' && types !== ''
  if (!isOfOneType || before === undefined || after === undefined) return types
  if (types === 'boolean') return turn(before, after)
  if (types === 'number') return numberDifference(Number(before), Number(after))

  const difference = textDifference(before, after)
  const text = noteText(difference).trim()
  return text.length > maxValue ? shorten(text, maxValue) : difference
}

/** A list of parameters would fill a screen. */
const shorten = (text: string, length: number) =>
  text.length <= length ? text : `${text.slice(0, length)}… (${digest(text, 6)})`
const maxValue = 60
const maxText = 240

/** `+1` for 5 and 6: alike for all numbers that change alike. */
const numberDifference = (a: number, b: number) =>
  shorten(`${b > a ? '+' : ''}${b - a}`, maxValue)

/** `→ User:` for Bob and User:Bob: alike for all texts that change alike. */
function textDifference(a: string, b: string) {
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1

  let end = 0
  const shorter = Math.min(a.length, b.length) - start
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1

  return turn(a.slice(start, a.length - end), b.slice(start, b.length - end))
}
