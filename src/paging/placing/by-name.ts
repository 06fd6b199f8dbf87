/**
 * Listings in the order of names: where a title lies among the rows, recorded or not. That order (UTF-8 bytes of DB
 * keys) is proven where every row follows it and the continue values name the next title.
 */
import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { isVersionSince } from '../../wiki/site/site-facts.ts'
import type { Listing } from '../joining/listing.ts'
import type { RowRun, RunPosition } from '../joining/run-layout.ts'
import { keyText } from '../rules/continue-rule.ts'
import { namesTitle, type ValueSpelling } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'

/** The position of the first row whose name is not less; undefined where that is not proven. */
export function startInOrder(listing: Listing, name: string, facts: WikiFacts): RunPosition | undefined {
  const wanted = startKey(name, nameSpelling(listing, facts))
  if (wanted === undefined) return undefined
  for (const { run, keys } of runsByName(listing) ?? []) {
    const at = firstNotLess(keys, wanted)
    if ((at > 0 || run.start) && (at < keys.length || run.end)) return { run, at }
  }
  return undefined
}

/** A run with the key that each row sorts by. */
export interface SortedRun {
  readonly run: RowRun
  readonly keys: readonly string[]
}

const runsByNameCache = new WeakMap<Listing, readonly SortedRun[] | undefined>()

/** The runs with the names that rows sort by. */
export const runsByName = (listing: Listing): readonly SortedRun[] | undefined =>
  getOrAdd(runsByNameCache, listing, () =>
    sortedRuns(listing, ['itself', 'db-key', 'db-key-without-namespace'], 1),
  )

/** Keys are the first parts of continue values. Undefined where a row lacks one or is out of order. */
export function sortedRuns(
  { rule, runs }: Listing,
  spellings: readonly ValueSpelling[],
  direction: 1 | -1,
): readonly SortedRun[] | undefined {
  const found: SortedRun[] = []
  for (const run of runs) {
    const keys: string[] = []
    for (const known of run.rows) {
      const key = rule && known && keyText(rule, known.row, spellings)
      if (key === undefined || direction * compareUtf8(keys.at(-1) ?? key, key) > 0) return undefined
      keys.push(key)
    }
    found.push({ run, keys })
  }
  return found
}

/** The index of the first name that is not less, in an ascending list. */
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
 * The spelling of names in the database. Titles are DB keys, with a capital letter where all their namespaces want
 * one; users have spaces, and since 1.39 a capital letter; other names (of tags) are compared as they are.
 */
export interface NameSpelling {
  /** The character between words; undefined where names are compared as they are. */
  readonly space: '_' | ' ' | undefined
  readonly capital: boolean
}

export function nameSpelling({ rule, batches, driver }: Listing, { site }: WikiFacts): NameSpelling {
  if (hasQuirk('names-users', driver.module))
    return { space: ' ', capital: isVersionSince(site?.generator, quirkSince('names-users-capital')) }
  // The fixed namespace of a list.
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

/** Characters that no version changes in a title. */
const plainName = /^[\p{L}\p{N}()\-,.!'"*/ _]+$/u
const plainLetter = /^[a-zà-öø-þα-ωа-яѐ-џ]$/

/** The name as the wiki compares it; undefined where that is not certain. */
export function startKey(name: string, { space, capital }: NameSpelling): string | undefined {
  if (!plainName.test(name) || name.normalize('NFC') !== name || /^[ _]|[ _]$|[ _]{2}/.test(name))
    return undefined
  const [first = ''] = name
  const isCanonical = !/\p{L}/u.test(first) || (first === first.toUpperCase() && !/\p{Ll}/u.test(first))
  if (!isCanonical && !(capital && plainLetter.test(first))) return undefined
  if (space === undefined) return /[ _]/.test(name) ? undefined : name
  return (isCanonical ? name : first.toUpperCase() + name.slice(first.length)).replace(/[ _]/g, space)
}
