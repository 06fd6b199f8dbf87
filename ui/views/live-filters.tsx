/** What of a run is shown: chips and choosers above its requests, and how many are found. */
import type { JSX } from 'preact'
import type { RequestView } from '../../src/pages/run-views.ts'
import { FieldChooser, FilterChip } from '../filter/filter-bar.tsx'
import { requestFacts } from '../filter/request-facts.ts'
import { hasTerm, toggleTerm } from '../filter/row-filter.ts'
import { SortChooser } from '../filter/sort-chooser.tsx'
import { number, plural } from '../parts/format.ts'
import { type State, setState, useStore } from '../store/store.ts'

const outcomes = [
  'replayed',
  'synthesized',
  'recorded',
  'passthrough',
  'override',
  'miss',
  'trouble',
  'failed'
] as const

export function LiveFilters({
  requests,
  found,
  maxShown,
  filter,
  onFilter
}: {
  readonly requests: readonly RequestView[]
  /** How many of them the filter finds. */
  readonly found: number
  readonly maxShown: number
  readonly filter: string
  readonly onFilter: (filter: string) => void
}): JSX.Element {
  const connection = useStore((state) => state.connection)
  const paused = useStore((state) => state.paused)
  const present = new Set(requests.map(({ outcome }) => outcome))
  const facts = requests.map(requestFacts)
  const marks = ['write', 'warning', 'error'].map((mark) => ({
    mark,
    count: facts.filter(({ marks }) => marks.has(mark)).length
  }))
  const change = { filter, onFilter }
  const choosers = [
    ['module', 'Module'],
    ['user', 'User'],
    ['test', 'Test'],
    ['cassette', 'Cassette of requests']
  ] as const
  return (
    <fieldset class="filters">
      <legend class="hidden">Show</legend>
      {outcomes
        .filter((one) => present.has(one))
        .map((one) => (
          <label key={one}>
            <input
              type="checkbox"
              checked={!hasTerm(filter, `-outcome:${one}`)}
              onChange={() => onFilter(toggleTerm(filter, `-outcome:${one}`))}
            />
            <span class={`dot ${one}`} />
            {one}
          </label>
        ))}
      {marks
        .filter(({ count }) => count > 0)
        .map(({ mark, count }) => (
          <FilterChip key={mark} term={mark} count={count} {...change} />
        ))}
      {choosers.map(([field, label]) => (
        <FieldChooser
          key={field}
          field={field}
          label={label}
          values={facts.map(({ fields }) => fields[field] ?? '')}
          {...change}
        />
      ))}
      {requests.length > 1 && <SortChooser />}
      <span role="status" class="quiet">
        {statusText({ connection, paused }, { found, maxShown, requests })}
      </span>
      {connection === 'ended' && (
        <button type="button" onClick={() => setState(() => ({ connection: 'lost' }))}>
          Connect again
        </button>
      )}
    </fieldset>
  )
}

function statusText(
  { connection, paused }: Pick<State, 'connection' | 'paused'>,
  {
    found,
    maxShown,
    requests
  }: {
    readonly found: number
    readonly maxShown: number
    readonly requests: readonly RequestView[]
  }
): string {
  const kept = requests.length
  const all = requests[0]?.id ?? 0
  const whole = `${found < kept ? `${number(found)} of ` : ''}${plural(all, 'request')}`
  if (paused) return 'Paused.'
  if (connection === 'ended')
    return `The run has ended: the server does not answer any more. ${whole} had come until then.`
  if (connection === 'lost') return 'Connection lost. Retrying…'
  if (all === 0) return connection === 'connecting' ? 'Connecting…' : 'No requests yet.'
  const lost = kept < all ? `, of which the newest ${number(kept)} are kept` : ''
  const cut = found > maxShown ? `; ${maxShown} are shown` : ''
  return `${whole}${lost}${cut}.`
}
