/** What is recorded of a listing, what is missing, and what to ask for it. */
import { type JsonTree, jsonArray, jsonLiteral, jsonObject, jsonString } from '../json/tree.ts'
import type { RequestKey } from '../request/key.ts'
import { writeQuery } from '../wiki/params.ts'
import { sentBack } from './batch.ts'
import { type Gap, gapsBetween, type Interval, intervalsIn } from './intervals.ts'
import type { Listing } from './listing.ts'
import type { Conflict } from './places.ts'
import { describeRule } from './rule.ts'

export interface Coverage {
  /** The request, less limit and continuation. */
  readonly listing: string
  readonly items: number
  readonly batches: number
  readonly intervals: readonly Interval[]
  readonly gaps: readonly Gap[]
  readonly complete: boolean
  readonly rule: { readonly words: string; readonly boundaries: number } | undefined
  readonly conflicts: readonly Conflict[]
  /** Batches that could not be placed, because rows are hidden or stand in an unknown order. */
  readonly unclear: readonly RequestKey[]
}

export function coverageOf(listing: Listing): Coverage {
  const intervals = intervalsIn(listing.runs)
  const gaps = gapsBetween(intervals)
  const { rule, conflicts, unclear } = listing
  return {
    listing: nameOf(listing),
    items: intervals.reduce((sum, one) => sum + one.items, 0),
    batches: listing.batches.length,
    intervals,
    gaps,
    complete: gaps.length === 0 && conflicts.length === 0,
    rule: rule && { words: describeRule(rule), boundaries: rule.boundaries },
    conflicts,
    unclear,
  }
}

/** The listing as a query string, for people. */
function nameOf(listing: Listing): string {
  const { params, cursor, inner, driver } = listing.batches[0]?.request ?? {}
  const without = new Set([
    ...(cursor?.keys() ?? []),
    ...(inner?.keys() ?? []),
    `${driver?.prefix ?? ''}limit`,
    `${driver?.prefix ?? ''}from`,
    'continue',
    'rawcontinue',
    'as sent',
  ])
  return writeQuery([...(params ?? [])].filter(([name]) => !without.has(name)))
}

/** For the terminal: one listing, its intervals and gaps, a line each. */
export function coverageText(coverage: Coverage): string {
  const { rule } = coverage
  const lines = [
    coverage.listing,
    `  ${coverage.complete ? 'complete' : 'incomplete'}: ${coverage.items} items in ${coverage.batches} batches`,
    rule === undefined
      ? '  continue rule: none learned (wikitape hands out values of its own)'
      : `  continue rule: ${rule.words}, learned from ${rule.boundaries} ${rule.boundaries === 1 ? 'boundary' : 'boundaries'}`,
    ...coverage.intervals.map((one) => `  has ${rangeText(one)}`),
    ...coverage.gaps.map((gap) => `  lacks ${gapText(gap)}`),
    ...coverage.conflicts.map((one) => `  conflict between ${one.between.join(' and ')}: ${one.what}`),
    ...(coverage.unclear.length === 0
      ? []
      : [
          `  cannot be cut: ${coverage.unclear.join(' ')} (fewer rows than asked for, or in an unknown order)`,
        ]),
  ]
  return `${lines.join('\n')}\n`
}

const rangeText = ({ items, first, last, fromStart, toEnd }: Interval): string =>
  items === 0
    ? 'an empty listing'
    : `${fromStart ? 'the start, ' : ''}${first} … ${last}${toEnd ? ', the end' : ''} (${items})`

/** A gap in words: `what lies between Й and У`. */
export const gapText = ({ after, before }: Gap): string =>
  after === undefined
    ? before === undefined
      ? 'everything'
      : `what comes before ${before}`
    : before === undefined
      ? `what comes after ${after}`
      : `what lies between ${after} and ${before}`

/** The same as JSON, for `--json`. */
export function coverageJson(coverage: Coverage): JsonTree {
  const { rule } = coverage
  const text = (value: string | undefined): JsonTree =>
    value === undefined ? jsonLiteral(null) : jsonString(value)
  return jsonObject([
    ['listing', jsonString(coverage.listing)],
    ['complete', jsonLiteral(coverage.complete)],
    ['items', jsonLiteral(coverage.items)],
    ['batches', jsonLiteral(coverage.batches)],
    [
      'intervals',
      jsonArray(
        coverage.intervals.map((one) =>
          jsonObject([
            ['first', jsonString(one.first)],
            ['last', jsonString(one.last)],
            ['items', jsonLiteral(one.items)],
            ['fromStart', jsonLiteral(one.fromStart)],
            ['toEnd', jsonLiteral(one.toEnd)],
          ]),
        ),
      ),
    ],
    [
      'gaps',
      jsonArray(
        coverage.gaps.map((gap) =>
          jsonObject([
            ['after', text(gap.after)],
            ['before', text(gap.before)],
          ]),
        ),
      ),
    ],
    [
      'rule',
      rule === undefined
        ? jsonLiteral(null)
        : jsonObject([
            ['words', jsonString(rule.words)],
            ['boundaries', jsonLiteral(rule.boundaries)],
          ]),
    ],
    [
      'conflicts',
      jsonArray(
        coverage.conflicts.map((one) =>
          jsonObject([
            ['between', jsonArray(one.between.map(jsonString))],
            ['what', jsonString(one.what)],
          ]),
        ),
      ),
    ],
    ['unclear', jsonArray(coverage.unclear.map(jsonString))],
  ])
}

/** Parameters of a request to send to the wiki. */
export type Ask = ReadonlyMap<string, string>

/**
 * The requests that go on where the recording breaks off; asked and recorded again and again they close all gaps.
 * Empty where the listing is complete.
 */
export function asksToComplete(listing: Listing): readonly Ask[] {
  const { runs } = listing
  if (ofSomebody(listing)) return []
  const asks: Ask[] = []
  if (!runs.some((run) => run.start)) asks.push(askAt(listing, new Map(), undefined))
  for (const run of runs) {
    const emitted = run.emitted.get(run.rows.length)
    if (run.end || emitted === undefined) continue
    const values = new Map([...emitted.values].map(([name, value]) => [name, sentBack(value)] as const))
    asks.push(askAt(listing, values, undefined))
  }
  return asks
}

/**
 * The request that begins a walk at limit 1, so that every continue value is the wiki's own; undefined where all of
 * them are recorded.
 */
export function askForBoundaries(listing: Listing): Ask | undefined {
  if (ofSomebody(listing)) return undefined
  const known = listing.runs.every((run) => run.rows.every((_, at) => at === 0 || run.emitted.has(at)))
  return known ? undefined : askAt(listing, new Map(), '1')
}

/** Only the client that was logged in there, or had written before, could ask for more of it. */
const ofSomebody = ({ batches }: Listing): boolean =>
  batches.some(({ request }) => request.params.has('as user') || request.params.has('after writes'))

/** A recorded request of the listing, from another place and with another limit. */
function askAt(listing: Listing, cursor: ReadonlyMap<string, string>, limit: string | undefined): Ask {
  const { batches, driver, frames } = listing
  const model = batches[0]?.request
  const drop = new Set([
    ...(model?.cursor.keys() ?? []),
    ...(model?.inner.keys() ?? []),
    `${driver.prefix}from`,
    'continue',
  ])
  const params = new Map(
    [...(model?.params ?? [])].filter(([name]) => !drop.has(name) && !name.includes(' ')),
  )
  params.set('format', 'json')
  if (limit !== undefined) params.set(`${driver.prefix}limit`, limit)
  if (model?.dialect === 'continue') {
    const [companion = ''] = frames.companions
    params.set('continue', cursor.size === 0 ? '' : companion)
  }
  for (const [name, value] of cursor) params.set(name, value)
  return params
}
