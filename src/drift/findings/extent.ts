/**
 * What an acceptance depends on: the fingerprint of a finding or cause, and in it what changed into what, i.e. types,
 * formats, codes, words of a closed set, settings. Many values at one place are content, so that only their types count.
 */
import { scalarTextOf } from '../../json/json-tree.ts'
import { digest } from '../../request/request-key.ts'
import type { Change } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { typeOf } from '../members/sample-shape.ts'

/**
 * Twelve hex digits: six of what changed (kind, scope, place, extent), six of where. The same in every run, whatever the
 * wording; a change that goes further has other ones, of which the last six stay.
 */
export type Fingerprint = string & { readonly __brand: 'Fingerprint' }

/** @param where stays when the change goes further */
export const fingerprintOf = (what: readonly string[], where: readonly string[]): Fingerprint =>
  [what, where].map((one) => digest(JSON.stringify(one), 6)).join('') as Fingerprint

/** True for fingerprints of one place or cause, whatever changed there. */
export const isSamePlace = (a: Fingerprint, b: Fingerprint): boolean => a.slice(6) === b.slice(6)

/** True for twelve hex digits. */
export const isFingerprint = (text: string): text is Fingerprint => /^[0-9a-f]{12}$/.test(text)

/** What changed into what, collected over the changes of one finding. */
export class Extent {
  readonly #types = new Set<string>()
  readonly #values = new Set<string>()

  add(change: Change): void {
    if (change.axis === 'data') return
    this.#types.add(typesOf(change))
    // Additions and removals are listed in full; of other values only those shown must be equal.
    if (isWhole(change.kind) || this.#values.size <= maxValues) this.#values.add(valuesOf(change))
  }

  /** `number → string`, `purge, writeapi`; empty where the kind says it all. */
  text(kind: Kind): string {
    const texts = isWhole(kind) || this.#values.size <= maxValues ? this.#values : this.#types
    const sorted = [...texts].filter((one) => one !== '').sort()
    return shorten(sorted.join(', '), maxText)
  }
}

const maxValues = 3

export const namesValues = (kind: Kind): boolean =>
  /\.(?:value|subtype)-(?:added|removed)$|^module\.right-/.test(kind)

/** Kinds whose note says what became what. */
const noteKinds =
  /^(?:type\.changed|field\.(?:renamed|moved)|value\.format|continuation\.(?!batch)|error\.envelope|param\.)/
/** Kinds of items that came or went: each is called by its label. */
const itemKinds = /^(?:items|configuration|extension)\.(?!changed)/
const isWhole = (kind: Kind): boolean => namesValues(kind) || itemKinds.test(kind)

/** Kinds that have nothing to compare, or a whole answer. */
const bareKinds =
  /^(?:answer|encoding|error|auth|method|warning|deprecation|interaction|stability|body|order|text)\b|^html\./

function typesOf({ kind, before, after }: Change): string {
  if (bareKinds.test(kind)) return ''
  const [a = '', b = ''] = [before, after].map((tree) => tree && typeOf(tree))
  return a === b ? a : `${a} → ${b}`.trim()
}

function valuesOf(change: Change): string {
  const { kind, note, before, after, path } = change
  if (namesValues(kind)) return scalarTextOf(before ?? after) ?? ''
  if (itemKinds.test(kind)) return path.step
  // Labels of items are content.
  if (noteKinds.test(kind) && note !== '') return note.replace(/\[[^\]]*\]/g, '[*]')
  const types = typesOf(change)
  const [a, b] = [scalarTextOf(before), scalarTextOf(after)]
  const isOfOneType = types !== '' && !types.includes('→')
  if (!isOfOneType || a === undefined || b === undefined) return types
  if (types === 'boolean') return `${a} → ${b}`
  return shorten(difference(a, b, types === 'number'), maxValue)
}

/** A list of parameters would fill a screen. */
const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length)}… (${digest(text, 6)})`
const maxValue = 60
const maxText = 240

/** `+1` for 5 and 6, `→ User:` for Bob and User:Bob: alike for all values that change alike. */
function difference(a: string, b: string, isNumber: boolean): string {
  if (isNumber) return `${Number(b) > Number(a) ? '+' : ''}${Number(b) - Number(a)}`
  let start = 0
  while (start < a.length && a[start] === b[start]) start += 1
  let end = 0
  const shorter = Math.min(a.length, b.length) - start
  while (end < shorter && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  return `${a.slice(start, a.length - end)} → ${b.slice(start, b.length - end)}`.trim()
}
