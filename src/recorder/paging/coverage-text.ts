/** The coverage of a listing as text: what is recorded, and what is missing. */

import { escapeControls } from '../text/escape-control-characters.ts'
import { plural } from '../text/words.ts'
import type { Coverage, Gap, Interval } from './listing-coverage.ts'

/** One listing for the terminal: a line for each interval and gap. @param commands that record what is missing */
export function coverageText(
  coverage: Coverage,
  commands: readonly string[],
  conflicts: readonly string[]
): string {
  const { rule, against } = coverage
  const lines = [
    coverage.listing,
    `  ${coverage.complete ? 'complete' : 'incomplete'}: ${plural(coverage.items, 'item')} in ${plural(coverage.batches, 'batch', 'batches')}`,
    `  continue rule: ${ruleText(rule)}`,
    ...(against === undefined
      ? []
      : [`  the rule known of this version was not used: ${against}`]),
    ...coverage.intervals.map((one) => `  has ${rangeText(one)}`),
    ...missingLines(coverage, commands, conflicts)
  ]
  return `${lines.map(escapeControls).join('\n')}\n`
}

/** One listing in a line, with a bar of what is recorded; below one that is incomplete, what is missing. */
export function coverageLine(...listing: Parameters<typeof coverageText>): string {
  const [coverage] = listing
  const line = `${coverageBar(coverage)} ${String(coverage.items).padStart(6)}  ${coverage.listing}`
  const lines = coverage.complete ? [line] : [line, ...missingLines(...listing)]
  return `${lines.map(escapeControls).join('\n')}\n`
}

const barWidth = 12

/** Intervals as long as their items are many, with one column for each gap. */
function coverageBar({ intervals, gaps, items }: Coverage) {
  const room = (barWidth - gaps.length) / Math.max(1, items)
  const cells = intervals.map((one) =>
    '█'.repeat(Math.max(1, Math.floor(one.items * room)))
  )
  const bar = (intervals[0]?.fromStart ? cells : ['', ...cells]).join('░')
  return bar.slice(0, barWidth).padEnd(barWidth, intervals.at(-1)?.toEnd ? '█' : '░')
}

function missingLines(
  { gaps, unclear }: Coverage,
  commands: readonly string[],
  conflicts: readonly string[]
) {
  const lines = [
    ...gaps.map((gap) => `  lacks ${gapText(gap)}`),
    ...commands.map((command) => `  to record it: ${command}`),
    ...conflicts.map((one) => `  conflict: ${one}`)
  ]
  if (unclear.length === 0) return lines
  return [
    ...lines,
    `  cannot be cut: ${unclear.join(' ')} (fewer rows than requested, or in an unknown order)`
  ]
}

/** The continue rule in words, and how it is known. */
export function ruleText(rule: Coverage['rule']): string {
  if (!rule) return 'none learned (wikitape hands out values of its own)'
  const { words, boundaries, by } = rule
  const boundaryCount = plural(boundaries, 'boundary', 'boundaries')
  if (by === 'learned') return `${words}, learned from ${boundaryCount}`
  return `${words}, known of this version${boundaries === 0 ? '' : `, agrees with ${boundaryCount}`}`
}

const rangeText = ({ items, first, last, fromStart, toEnd }: Interval) =>
  items === 0
    ? 'an empty listing'
    : `${fromStart ? 'the start, ' : ''}${first} … ${last}${toEnd ? ', the end' : ''} (${items})`

/** A gap in words: `what lies between Й and У`. */
export function gapText({ after, before }: Gap): string {
  if (after !== undefined && before !== undefined)
    return `what lies between ${after} and ${before}`
  if (after !== undefined) return `what comes after ${after}`
  return before === undefined ? 'everything' : `what comes before ${before}`
}
