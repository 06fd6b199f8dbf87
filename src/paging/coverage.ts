/** What is recorded of a listing, what is missing, and what to ask for it. */

import { readJson } from '../json/read.ts'
import { type JsonTree, jsonLiteral } from '../json/tree.ts'
import type { RequestKey } from '../request/key.ts'
import { writeQuery } from '../wiki/params.ts'
import { plural } from '../words/plural.ts'
import { type Gap, gapsBetween, type Interval, intervalsIn } from './intervals.ts'
import type { Listing } from './joining/listing.ts'
import type { Conflict } from './joining/places.ts'
import { paramsIn } from './reading/listing-request.ts'
import { describeRule } from './rules/rule.ts'

export interface Coverage {
  /** The request, less limit and continuation. */
  readonly listing: string
  readonly items: number
  readonly batches: number
  readonly intervals: readonly Interval[]
  readonly gaps: readonly Gap[]
  readonly complete: boolean
  readonly rule:
    | { readonly words: string; readonly boundaries: number; readonly by: 'learned' | 'known' }
    | undefined
  /** What in the recording speaks against what is known of the wiki's version, which is then left aside. */
  readonly against: string | undefined
  readonly conflicts: readonly Conflict[]
  /** Batches that could not be placed, because rows are hidden or stand in an unknown order. */
  readonly unclear: readonly RequestKey[]
}

export function coverageOf(listing: Listing): Coverage {
  const intervals = intervalsIn(listing.runs)
  const gaps = gapsBetween(intervals)
  const { rule, by, against, conflicts, unclear } = listing
  return {
    listing: nameOf(listing),
    items: intervals.reduce((sum, one) => sum + one.items, 0),
    batches: listing.batches.length,
    intervals,
    gaps,
    complete: gaps.length === 0 && conflicts.length === 0,
    rule: rule && { words: describeRule(rule), boundaries: rule.boundaries, by },
    against,
    conflicts,
    unclear,
  }
}

/** The listing as a query string, for people. */
const nameOf = ({ identity }: Listing): string =>
  readable(writeQuery(paramsIn(identity).filter(([name]) => !name.endsWith(' in order'))))

/** Letters of other scripts as they are; what means something in a URL stays encoded. */
const readable = (query: string): string =>
  query.replace(/(?:%[0-9A-F]{2})+/g, (bytes) => {
    const text = Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8')
    if (text.includes('\ufffd')) return bytes
    return [...text]
      .map((letter) => (/[\p{L}\p{N}\p{M}]/u.test(letter) ? letter : encodeURIComponent(letter)))
      .join('')
  })

/**
 * For the terminal: one listing, its intervals and gaps, a line each.
 * @param commands that close the gaps
 * @param conflicts in words
 */
export function coverageText(
  coverage: Coverage,
  commands: readonly string[],
  conflicts: readonly string[],
): string {
  const { rule, against } = coverage
  const lines = [
    coverage.listing,
    `  ${coverage.complete ? 'complete' : 'incomplete'}: ${plural(coverage.items, 'item')} in ${plural(coverage.batches, 'batch', 'batches')}`,
    `  continue rule: ${ruleText(rule)}`,
    ...(against === undefined ? [] : [`  what is known of this version is left aside: ${against}`]),
    ...coverage.intervals.map((one) => `  has ${rangeText(one)}`),
    ...coverage.gaps.map((gap) => `  lacks ${gapText(gap)}`),
    ...commands.map((command) => `  to record it: ${command}`),
    ...conflicts.map((one) => `  conflict: ${one}`),
    ...(coverage.unclear.length === 0
      ? []
      : [
          `  cannot be cut: ${coverage.unclear.join(' ')} (fewer rows than asked for, or in an unknown order)`,
        ]),
  ]
  return `${lines.join('\n')}\n`
}

/** The continue rule in words, and what it rests on. */
export function ruleText(rule: Coverage['rule']): string {
  if (rule === undefined) return 'none learned (wikitape hands out values of its own)'
  const { words, boundaries, by } = rule
  const seen = plural(boundaries, 'boundary', 'boundaries')
  if (by === 'learned') return `${words}, learned from ${seen}`
  return `${words}, known of this version${boundaries === 0 ? '' : `, agrees with ${seen}`}`
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

/** The same as JSON, for `--json`; what is not known is null. */
export function coverageJson(coverage: Coverage, commands: readonly string[]): JsonTree {
  const { listing, complete, items, intervals, gaps, rule, against, conflicts, unclear } = coverage
  const told = { listing, complete, items, intervals, gaps, commands, rule, against, conflicts, unclear }
  const reading = readJson(JSON.stringify(told, (_, value: unknown) => value ?? null))
  return reading.ok ? reading.tree : jsonLiteral(null)
}
