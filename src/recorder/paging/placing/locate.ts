/**
 * Where in the recorded runs a request begins: at a continue value, also one of wikitape's own, or at a title. Where a
 * title lies is proven if every row is in the order of names (UTF-8 bytes of DB keys) and continue values name the next.
 */
import { writeCompact } from '../../json/write-json.ts'
import { hasQuirk, quirkSince } from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { digest } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import {
  isVersionSince,
  plainLetter,
  relativePathStep
} from '../../wiki/site/site-facts.ts'
import type { Listing } from '../joining/listing.ts'
import { predictedPosition } from '../joining/rule-check.ts'
import type { RecordedRow, RowRun, RunPosition } from '../joining/run-layout.ts'
import { namePosition, positionOf } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { keyText } from '../rules/continue-rule.ts'
import { namesTitle, type ValueSpelling } from '../rules/explanation.ts'
import { compareUtf8 } from '../rules/row-order.ts'

/** The position that the request begins at, or why it is not known. */
export function locate(
  request: ListingRequest,
  listing: Listing,
  facts: WikiFacts
): RunPosition | string {
  const [value, second] = request.cursor.values()
  if (value !== undefined && second === undefined && isOwnValue(value))
    return (
      readOwnValue(listing, value) ??
      'wikitape made this continue value, and the recordings have changed since; start the listing again'
    )
  const only = second === undefined ? request.cursor : new Map()
  const named: string | undefined = only.get(listing.param ?? '')
  // The requested start, or a continue value that is a start (`aufrom`).
  const name: string | undefined =
    value === undefined ? request.startName : only.get(`${request.driver.prefix}from`)
  const position =
    listing.positions.get(positionOf(request)) ??
    // The row for which the wiki would write that continue value, which is not recorded.
    (named === undefined ? undefined : predictedPosition(listing, named)) ??
    (name === undefined ? undefined : startInOrder(listing, name, facts))
  if (value === undefined) return position ?? 'no recorded batch begins here'
  if (!position) return 'no recorded batch begins or ends at this continue value'
  const isAfter = isAfterStart(request, listing, position, facts)
  return isAfter ? position : 'the requested start lies after the continue value'
}

/** A request with a start and a continue value: usable only if the start is not behind the value. */
function isAfterStart(
  request: ListingRequest,
  listing: Listing,
  at: RunPosition,
  facts: WikiFacts
) {
  if (request.startName === undefined || request.startName === '') return true
  const start =
    listing.positions.get(namePosition(request.startName)) ??
    startInOrder(listing, request.startName, facts)
  return start !== undefined && start.run === at.run && start.at <= at.at
}

/** wikitape's own value for continuing at a row: its digest does not outlive a change of listing, position or row. */
export function ownValue(
  listing: Listing,
  { run, at }: RunPosition,
  { row }: RecordedRow
): string {
  // The run's first position is the same in every process that reads the same recordings.
  const [anchor] = [...listing.positions]
    .flatMap(([name, position]) =>
      position.run === run && position.at === 0 ? [name] : []
    )
    .sort()
  const seal = JSON.stringify([
    listing.identity,
    anchor,
    at,
    writeCompact(row.item, 'utf8')
  ])
  return `wikitape-${at}-${digest(seal, 20)}`
}

/** True for a value of wikitape's own, valid or not. */
export const isOwnValue = (value: string): boolean => value.startsWith('wikitape-')

/** The position of a value of wikitape's own; undefined where it was made for another recording. */
export function readOwnValue(listing: Listing, value: string): RunPosition | undefined {
  const at = Number(/^wikitape-(\d{1,9})-/.exec(value)?.[1])
  const run = listing.runs.find((one) => {
    const known = one.rows[at]
    return known !== undefined && ownValue(listing, { run: one, at }, known) === value
  })
  return run && { run, at }
}

/** The position of the first row whose name is not less; undefined where that is not proven. */
export function startInOrder(
  listing: Listing,
  name: string,
  facts: WikiFacts
): RunPosition | undefined {
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
  /** The names between which no row is missing, beyond those of its rows. */
  readonly first?: string | undefined
  readonly last?: string | undefined
}

/** How continue values spell what lists of names are sorted by. */
export const nameSpellings: readonly ValueSpelling[] = [
  'itself',
  'db-key',
  'db-key-without-namespace'
]

const runsByNameCache = new WeakMap<Listing, readonly SortedRun[] | undefined>()

/** The runs with the names that rows sort by; undefined unless they ascend, which a single row does not show by itself. */
export const runsByName = (listing: Listing): readonly SortedRun[] | undefined =>
  getOrAdd(runsByNameCache, listing, () =>
    isRecordedIn(listing, 'ascending') ? sortedRuns(listing, nameSpellings, 1) : undefined
  )

/** True for a listing that was recorded in that direction, if the wiki does not describe another as its default. */
export function isRecordedIn(
  { batches: [{ request }], driver: { prefix, description } }: Listing,
  direction: 'ascending' | 'older'
): boolean {
  const standard = description.parameters.get('dir')?.default ?? direction
  return (request.params.get(`${prefix}dir`) ?? standard) === direction
}

/** Keys are the first parts of continue values. Undefined where a row lacks one or is out of order. */
export function sortedRuns(
  { rule, runs }: Listing,
  spellings: readonly ValueSpelling[],
  direction: 1 | -1
): readonly SortedRun[] | undefined {
  const found: SortedRun[] = []
  for (const run of runs) {
    const keys: string[] = []
    for (const known of run.rows) {
      const key = rule && known && keyText(rule, known.row, spellings)
      if (key === undefined || direction * compareUtf8(keys.at(-1) ?? key, key) > 0)
        return undefined
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

export function nameSpelling(
  { rule, batches, driver }: Listing,
  { site }: WikiFacts
): NameSpelling {
  if (hasQuirk('names-users', driver.module))
    return {
      space: ' ',
      capital: isVersionSince(site?.generator, quirkSince('names-users-capital'))
    }
  // The fixed namespace of a list.
  const own = hasQuirk('names-files', driver.module)
    ? 6
    : hasQuirk('names-categories', driver.module)
      ? 14
      : undefined
  if (own === undefined && !rule?.parts[0]?.every(namesTitle))
    return { space: undefined, capital: false }
  const described = driver.description.parameters.get('namespace')
  const sent =
    batches[0].request.params.get(`${driver.prefix}namespace`) ?? described?.default
  const one = own ?? (described && /^\d+$/.test(sent ?? '') ? Number(sent) : undefined)
  const concerned =
    site?.namespaces.filter(({ id }) => one === undefined || id === one) ?? []
  return {
    space: '_',
    capital: concerned.length > 0 && concerned.every(({ firstLetter }) => firstLetter)
  }
}

/** Characters that no version changes in a title. */
const plainName = /^[\p{L}\p{N}()\-,.!'"*/ _]+$/u

/** Titles have at most 255 bytes, and the wiki adds a letter to a start before it reads it as a title. Source: ApiQueryBase::titlePartToKey */
const maxNameBytes = 254

/** The name as the wiki compares it; undefined where that is not certain, as for what is no title. */
export function startKey(
  name: string,
  { space, capital }: NameSpelling
): string | undefined {
  const isPlain =
    plainName.test(name) &&
    name.normalize('NFC') === name &&
    !/^[ _]|[ _]$|[ _]{2}/.test(name) &&
    !relativePathStep.test(name)
  if (!isPlain || Buffer.byteLength(name) > maxNameBytes) return undefined
  const [first = ''] = name
  const isCanonical =
    !/\p{L}/u.test(first) || (first === first.toUpperCase() && !/\p{Ll}/u.test(first))
  if (!isCanonical && !(capital && plainLetter.test(first))) return undefined
  if (space === undefined) return /[ _]/.test(name) ? undefined : name
  return (isCanonical ? name : first.toUpperCase() + name.slice(first.length)).replace(
    /[ _]/g,
    space
  )
}
