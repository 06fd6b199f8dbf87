/** What a cassette holds, in bars and counts; each is a filter of its list. */
import type { ComponentChildren, JSX } from 'preact'
import type { ListingView, RowView } from '../../src/pages/views.ts'
import {
  recordedFacts,
  sortedRow,
  type UsedRecordings
} from '../filter/recorded-facts.ts'
import { termFor } from '../filter/row-filter.ts'
import { type Sort, sortRows } from '../filter/sort.ts'
import { number, plural, size } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import type { AllRows } from '../store/all-rows.ts'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { Stories } from './stories.tsx'

/** Bars of a kind. */
const maxBars = 16
const maxFirst = 10
/** Interactions up to which all listings are joined at once. */
const maxJoined = 3000

export function Overview({
  cassette,
  all,
  used
}: {
  readonly cassette: string
  readonly all: AllRows
  readonly used: UsedRecordings
}): JSX.Element {
  const { rows, total } = all
  const isWhole = rows.length === total
  const listings = useFetch<readonly ListingView[]>(
    isWhole && total > 0 && total <= maxJoined ? 'api/listings' : undefined,
    { cassette, folder: '' },
    { isCostly: true }
  )
  const facts = rows.map((row) => recordedFacts(row, used))
  const countOf = (mark: string): number =>
    facts.filter(({ marks }) => marks.has(mark)).length
  const complete = (listings.value ?? []).filter((one) => one.complete).length
  return (
    <div class="panel overview">
      <h2>Overview</h2>
      <p role="status" class="quiet">
        {isWhole
          ? `${plural(total, 'recording')}, ${size(bytesOf(rows))}`
          : `${number(rows.length)} of ${number(total)} read …`}
      </p>
      <ul class="facts">
        <Fact filter="error" count={countOf('error')} words="with an error" />
        <Fact filter="warning" count={countOf('warning')} words="with warnings" />
        <Fact filter="write" count={countOf('write')} words="that write" />
        {used.size > 0 && (
          <Fact
            filter="unused"
            count={countOf('unused')}
            words="that this run has not used"
          />
        )}
        {listings.value !== undefined && listings.value.length > 0 && (
          <li>
            <a href={linkTo('coverage', { cassette })}>
              {number(complete)} of {plural(listings.value.length, 'listing')} complete
            </a>
          </li>
        )}
      </ul>
      <Stories rows={rows} cassette={cassette} />
      <Bars title="Modules" field="module" rows={rows} nameOf={(row) => row.folder} />
      <Bars title="Errors" field="error" rows={rows} nameOf={(row) => row.error} />
      <Bars title="Users" field="user" rows={rows} nameOf={(row) => row.who} />
      {isWhole && rows.length > 1 && (
        <>
          <FirstRows title="Largest" sort="size" rows={rows} textOf={sizeOf} />
          {new Set(rows.map(dayOf)).size > 1 && (
            <FirstRows title="Oldest" sort="age" rows={rows} textOf={dayOf} />
          )}
        </>
      )}
    </div>
  )
}

const bytesOf = (rows: readonly RowView[]): number =>
  rows.reduce((sum, { bytes }) => sum + bytes, 0)

/** A link that filters the list beside. */
function FilterLink({
  filter,
  children
}: {
  readonly filter: string
  readonly children: ComponentChildren
}): JSX.Element {
  const route = useStore((state) => state.route)
  const place = { ...route, view: 'cassette' as const }
  return <a href={linkWith(place, { q: filter, from: '', folder: '' })}>{children}</a>
}

const Fact = ({
  filter,
  count,
  words
}: {
  readonly filter: string
  readonly count: number
  readonly words: string
}): JSX.Element | null =>
  count === 0 ? null : (
    <li>
      <FilterLink filter={filter}>
        {number(count)} {words}
      </FilterLink>
    </li>
  )

/** A bar for each group, as long as it has recordings; below it one for its bytes. */
function Bars({
  title,
  field,
  rows,
  nameOf
}: {
  readonly title: string
  readonly field: string
  readonly rows: readonly RowView[]
  readonly nameOf: (row: RowView) => string
}): JSX.Element | null {
  const groups = new Map<string, { count: number; bytes: number }>()
  for (const row of rows) {
    const name = nameOf(row)
    const group = groups.get(name) ?? { count: 0, bytes: 0 }
    group.count += 1
    group.bytes += row.bytes
    groups.set(name, group)
  }
  groups.delete('')
  if (groups.size === 0) return null
  const sorted = [...groups].sort(([, a], [, b]) => b.count - a.count)
  const most = Math.max(...sorted.map(([, { count }]) => count))
  const largest = Math.max(...sorted.map(([, { bytes }]) => bytes))
  return (
    <>
      <h3>
        {title} <span class="quiet">recordings and bytes</span>
      </h3>
      <ul class="bars">
        {sorted.slice(0, maxBars).map(([name, { count, bytes }]) => (
          <li key={name}>
            <FilterLink filter={termFor(field, name)}>
              <Text>{name}</Text>
            </FilterLink>
            <span class="two-bars" aria-hidden="true">
              <span class="of-count" style={{ width: `${(100 * count) / most}%` }} />
              <span class="of-bytes" style={{ width: `${(100 * bytes) / largest}%` }} />
            </span>
            <span class="number">{number(count)}</span>
            <span class="number">{size(bytes)}</span>
          </li>
        ))}
      </ul>
      {sorted.length > maxBars && (
        <p class="quiet">and {number(sorted.length - maxBars)} more</p>
      )}
    </>
  )
}

const sizeOf = ({ bytes }: RowView): string => size(bytes)
const dayOf = ({ written }: RowView): string =>
  new Date(written).toISOString().slice(0, 10)

/** The first recordings of an order, which leads to all of them. */
function FirstRows({
  title,
  sort,
  rows,
  textOf
}: {
  readonly title: string
  readonly sort: Sort
  readonly rows: readonly RowView[]
  readonly textOf: (row: RowView) => string
}): JSX.Element {
  const route = useStore((state) => state.route)
  const place = { ...route, view: 'cassette' as const }
  return (
    <>
      <h3>
        {title} <a href={linkWith(place, { sort, from: '' })}>all by {sort}</a>
      </h3>
      <ul class="bars">
        {sortRows(rows, sort, sortedRow)
          .slice(0, maxFirst)
          .map((row) => (
            <li key={row.key}>
              <a href={linkWith(place, { key: row.key })}>
                <Text>{row.words === '' ? row.file : row.words}</Text>
              </a>
              <span class="number">{textOf(row)}</span>
            </li>
          ))}
      </ul>
    </>
  )
}
