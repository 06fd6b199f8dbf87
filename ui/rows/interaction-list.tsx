/** The interactions of a cassette, page by page: by words of their names on the server, by anything else here. */
import type { JSX } from 'preact'
import type { RowPage, RowView } from '../../src/pages/views.ts'
import {
  recordedFacts,
  sortedRow,
  type UsedRecordings
} from '../filter/recorded-facts.ts'
import { matches, parseFilter } from '../filter/row-filter.ts'
import { type Sort, sortRows } from '../filter/sort.ts'
import { Fetched } from '../parts/fetched.tsx'
import { number, plural } from '../parts/format.ts'
import { Pager } from '../parts/pager.tsx'
import type { AllRows } from '../store/all-rows.ts'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { distinctWords } from './distinct-words.ts'
import { InteractionRow } from './interaction-row.tsx'

const pageLength = 100

interface ListProps {
  readonly cassette: string
  readonly folder: string
  readonly q: string
  readonly from: number
  readonly current: string | null
}

/** True if a filter or an order needs the contents of recordings. */
export const needsRows = (q: string, sort: Sort): boolean =>
  sort !== 'newest' || parseFilter(q).some(({ name, isNot }) => name !== '' || isNot)

export function NamedInteractions(props: ListProps): JSX.Element {
  const { cassette, folder, q, from } = props
  const query = { cassette, folder, q, from }
  const found = useFetch<RowPage<RowView>>('api/interactions', query)
  return (
    <Fetched state={found}>
      {({ rows, total }) => (
        <>
          {q !== '' && (
            <p role="status" class="quiet pad">
              {plural(total, 'request')} found by name
            </p>
          )}
          <InteractionPage {...props} rows={rows} total={total} />
        </>
      )}
    </Fetched>
  )
}

export function FilteredInteractions({
  all,
  used,
  sort,
  ...props
}: ListProps & {
  readonly all: AllRows
  readonly used: UsedRecordings
  readonly sort: Sort
}): JSX.Element {
  const { folder, q, from } = props
  const terms = parseFilter(q).map((term) =>
    term.name === '' ? { ...term, value: wordOf(term.value) } : term
  )
  const found = all.rows.filter(
    (row) =>
      (folder === '' || row.folder === folder) && matches(terms, recordedFacts(row, used))
  )
  const sorted = sortRows(found, sort, sortedRow)
  const isWhole = all.rows.length === all.total
  return (
    <>
      <p role="status" class="quiet pad">
        {plural(found.length, 'request')} found
        {!isWhole && `; ${number(all.rows.length)} of ${number(all.total)} read …`}
      </p>
      <InteractionPage
        {...props}
        rows={sorted.slice(from, from + pageLength)}
        total={found.length}
      />
    </>
  )
}

/** As names of files have it: `list=allpages` is the folder of `allpages`. */
const wordOf = (value: string): string =>
  value.replace(/^(?:action|list|meta|prop|generator)=/, '')

function InteractionPage({
  rows,
  total,
  cassette,
  from,
  current
}: ListProps & {
  readonly rows: readonly RowView[]
  readonly total: number
}): JSX.Element {
  const route = useStore((state) => state.route)
  const words = distinctWords(rows.map((row) => row.words))
  return (
    <>
      <ol class="rows interactions">
        {rows.map((row, at) => (
          <InteractionRow
            key={row.key}
            row={row}
            words={words[at] ?? row.words}
            isCurrent={row.key === current}
            href={linkTo('cassette', {
              ...Object.fromEntries(route.params),
              cassette,
              key: row.key
            })}
          />
        ))}
      </ol>
      <Pager
        from={from}
        count={rows.length}
        total={total}
        link={(at) => linkWith(route, { from: at, key: '' })}
      />
    </>
  )
}
