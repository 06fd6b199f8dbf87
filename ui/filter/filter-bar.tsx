/** The chips and choosers that write the filter. */
import type { JSX } from 'preact'
import { number } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import {
  type FilterField,
  hasTerm,
  termFor,
  toggleTerm,
  withField
} from './row-filter.ts'

interface FilterProps {
  readonly filter: string
  readonly onFilter: (filter: string) => void
}

/** A term that is in the filter or not. */
export const FilterChip = ({
  term,
  label = term,
  count,
  filter,
  onFilter
}: FilterProps & {
  readonly term: string
  readonly label?: string
  readonly count: number
}): JSX.Element => (
  <button
    type="button"
    class="chip"
    aria-pressed={hasTerm(filter, term)}
    onClick={() => onFilter(toggleTerm(filter, term))}
  >
    <Text>{label}</Text> <span class="quiet">{number(count)}</span>
  </button>
)

/** Chooses a value of a field among those that rows have; nothing if there are fewer than two. */
export function FieldChooser({
  field,
  label,
  values,
  filter,
  onFilter
}: FilterProps & {
  readonly field: FilterField
  readonly label: string
  /** Of each row; empty for none. */
  readonly values: readonly string[]
}): JSX.Element | null {
  const counts = new Map<string, number>()
  for (const value of values)
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1)
  if (counts.size < 2) return null
  const sorted = [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
  const current = sorted.find(([value]) => hasTerm(filter, termFor(field, value)))
  return (
    <select
      aria-label={label}
      value={current?.[0] ?? ''}
      onChange={(event) => onFilter(withField(filter, field, event.currentTarget.value))}
    >
      <option value="">all {label.toLowerCase()}s</option>
      {sorted.map(([value, count]) => (
        <option key={value} value={value}>
          {value} ({number(count)})
        </option>
      ))}
    </select>
  )
}
