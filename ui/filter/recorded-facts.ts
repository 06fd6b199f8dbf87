/** A recording as the filter sees it. */
import type { UsedView } from '../../src/pages/run-views.ts'
import type { RowView } from '../../src/pages/views.ts'
import type { FilterFacts } from './row-filter.ts'
import type { SortedRow } from './sort.ts'

/** Recordings that a run used, with the tests that did. */
export type UsedRecordings = ReadonlyMap<string, ReadonlySet<string>>

export function usedRecordings(views: readonly UsedView[]): UsedRecordings {
  const used = new Map<string, Set<string>>()
  for (const { keys, test } of views)
    for (const key of keys) used.set(key, (used.get(key) ?? new Set()).add(test))
  return used
}

export function recordedFacts(row: RowView, used: UsedRecordings): FilterFacts {
  const { key, file, folder, words, who, statuses, error } = row
  return {
    text: `${file} ${words} ${who} ${row.state} ${error} ${key}`.toLowerCase(),
    fields: {
      module: folder,
      user: who || 'anonymous',
      status: statuses.join(' '),
      error,
      epoch: String(epochOf(row)),
      test: [...(used.get(key) ?? [])].join(' ')
    },
    marks: new Set([
      ...(row.wrote ? ['write'] : []),
      ...(row.hasWarnings ? ['warning'] : []),
      ...(error === '' ? [] : ['error']),
      ...(used.has(key) ? [] : ['unused'])
    ]),
    ...sortedRow(row)
  }
}

/** A recording as it is put in an order. */
export const sortedRow = ({
  bytes,
  seconds = 0,
  written,
  words
}: RowView): SortedRow => ({
  bytes,
  ms: seconds * 1000,
  at: written,
  words
})

/** Writes of its session before it. Of very many, a key has only their number. */
export function epochOf({ after }: RowView): number {
  const [first = '', second] = after.split(' ').filter((one) => one !== '')
  if (second === 'writes') return Number(first)
  return first === '' ? 0 : after.split(' ').length
}
