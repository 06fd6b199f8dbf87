/**
 * Starts that nobody recorded. A listing is in the order of its titles (the UTF-8 bytes of their DB keys) only where
 * every recorded row says so and its continue values name the next title; then a title has its place among the rows.
 */

import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { isVersionSince } from '../../wiki/site/generator-version.ts'
import { getOrCreate } from '../get-or-create.ts'
import type { Listing } from '../joining/listing.ts'
import type { RowRun, RunPosition } from '../joining/run-layout.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { keyText } from '../rules/continue-rule.ts'
import { namesTitle, type ValueSpelling } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'

/** The place of the first row whose name is not less; undefined where that is not proven. */
export function startInOrder(listing: Listing, name: string, facts: WikiFacts): RunPosition | undefined {
  const keys = sortedKeys(listing)
  const wanted = keys === undefined ? undefined : startKey(name, nameSpelling(listing, facts))
  if (keys === undefined || wanted === undefined) return undefined
  for (const [index, run] of listing.runs.entries()) {
    const inRun = keys[index] ?? []
    const at = firstNotLess(inRun, wanted)
    if ((at > 0 || run.start) && (at < inRun.length || run.end)) return { run: index, at }
  }
  return undefined
}

type SortKeys = readonly (readonly string[])[]

const sortedKeysCache = new WeakMap<Listing, SortKeys | undefined>()

/** The name that each row sorts by, run by run; undefined where the rows do not prove that order. */
const sortedKeys = (listing: Listing): SortKeys | undefined =>
  getOrCreate(sortedKeysCache, listing, () =>
    sortKeysIn(listing, ['itself', 'db-key', 'db-key-without-namespace'], 1),
  )

/** What continue values begin with, row by row, where every row has it and none lies on the wrong side of the one before it. */
export function sortKeysIn(
  { rule, runs }: Listing,
  spellings: readonly ValueSpelling[],
  direction: 1 | -1,
): SortKeys | undefined {
  const found: string[][] = []
  for (const run of runs) {
    const keys: string[] = []
    for (const known of run.rows) {
      const key = rule && known && keyText(rule, known.row, spellings)
      if (key === undefined || direction * compareUtf8(keys.at(-1) ?? key, key) > 0) return undefined
      keys.push(key)
    }
    found.push(keys)
  }
  return found
}

/** Where in an ascending list of names the first lies that is not less. */
export function firstNotLess(keys: readonly string[], wanted: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compareUtf8(keys[middle] ?? '', wanted) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Names of titles are spelled as DB keys, with a capital letter where all namespaces concerned want one; names of
 * users with spaces, in newer versions with a capital letter; any other name (of a tag) is compared as it is.
 */
export interface NameSpelling {
  /** What stands between words; undefined where names are compared as they are. */
  readonly space: '_' | ' ' | undefined
  readonly capital: boolean
}

export function nameSpelling({ rule, batches, driver }: Listing, { site }: WikiFacts): NameSpelling {
  if (hasQuirk('names-users', driver.module))
    return { space: ' ', capital: isVersionSince(site?.generator, quirkSince('names-users-capital')) }
  // The namespace of a list that none of its parameters names.
  const own = hasQuirk('names-files', driver.module)
    ? 6
    : hasQuirk('names-categories', driver.module)
      ? 14
      : undefined
  if (own === undefined && rule?.parts[0]?.every(namesTitle) !== true)
    return { space: undefined, capital: false }
  const described = driver.description.parameters.get('namespace')
  const sent = batches[0].request.params.get(`${driver.prefix}namespace`) ?? described?.default
  const one = own ?? (described !== undefined && /^\d+$/.test(sent ?? '') ? Number(sent) : undefined)
  const concerned = site?.namespaces.filter(({ id }) => one === undefined || id === one) ?? []
  return { space: '_', capital: concerned.length > 0 && concerned.every(({ firstLetter }) => firstLetter) }
}

/** Characters that neither end a title nor are changed in it, in any version. */
const plainName = /^[\p{L}\p{N}()\-,.!'"*/ _]+$/u
const plainLetter = /^[a-zà-öø-þα-ωа-яѐ-џ]$/

/** The start as the wiki compares it, with its first letter as the wiki wants it; undefined where that is not certain. */
export function startKey(name: string, { space, capital }: NameSpelling): string | undefined {
  if (!plainName.test(name) || name.normalize('NFC') !== name || /^[ _]|[ _]$|[ _]{2}/.test(name))
    return undefined
  const [first = ''] = name
  const isCanonical = !/\p{L}/u.test(first) || (first === first.toUpperCase() && !/\p{Ll}/u.test(first))
  if (!isCanonical && !(capital && plainLetter.test(first))) return undefined
  if (space === undefined) return /[ _]/.test(name) ? undefined : name
  return (isCanonical ? name : first.toUpperCase() + name.slice(first.length)).replace(/[ _]/g, space)
}

/** What a request narrows or turns a listing by; keys are in the spelling of the database. */
export interface RowBounds {
  readonly low: string | undefined
  readonly high: string | undefined
  readonly prefix: string | undefined
  readonly descending: boolean
}

/** A run whose rows ascend by these keys. */
export interface AscendingRun {
  readonly run: RowRun
  readonly keys: readonly string[]
}

/**
 * The runs with the names that their rows sort by.
 * @param unique whether each must be there once: how rows of one name stand in the reverse is not known
 */
export function runsByName(listing: Listing, unique: boolean): readonly AscendingRun[] | undefined {
  const names = listing.driver.description.parameters.has('from') ? sortedKeys(listing) : undefined
  const isUnique = names?.every((keys) => keys.every((name, at) => at === 0 || name !== keys[at - 1]))
  if (names === undefined || (unique && isUnique !== true)) return undefined
  return listing.runs.map((run, at) => ({ run, keys: names[at] ?? [] }))
}

/** What the request narrows or turns; undefined where that is not certain. */
export function boundsOf(
  { params, driver, startName }: ListingRequest,
  spelling: NameSpelling,
): RowBounds | undefined {
  const [prefix, to, dir] = ['prefix', 'to', 'dir'].map((name) => params.get(driver.prefix + name))
  if (dir !== undefined && dir !== 'descending' && dir !== 'ascending') return undefined
  const sent = [prefix, to, startName]
  const keys = sent.map((text) => (text === undefined ? undefined : startKey(text, spelling)))
  if (sent.some((text, at) => text !== undefined && keys[at] === undefined)) return undefined
  const [inside, end, start] = keys
  const descending = dir === 'descending'
  return { prefix: inside, low: descending ? end : start, high: descending ? start : end, descending }
}
