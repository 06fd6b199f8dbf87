/** The interactions of a cassette, page by page, and the search for them. */
import type { JSX } from 'preact'
import type { RowPage, RowView } from '../../src/pages/views.ts'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Pager } from '../parts/pager.tsx'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { distinctWords } from './distinct-words.ts'
import { FileSearch } from './file-search.tsx'
import { InteractionRow } from './interaction-row.tsx'

export function InteractionList({
  cassette,
  folder,
  q,
  from,
  current
}: {
  readonly cassette: string
  readonly folder: string
  readonly q: string
  readonly from: number
  readonly current: string | null
}): JSX.Element {
  const route = useStore((state) => state.route)
  const found = useFetch<RowPage<RowView>>('api/interactions', {
    cassette,
    folder,
    q,
    from
  })
  return (
    <Fetched state={found}>
      {({ rows, total }) => (
        <>
          {q !== '' && (
            <p role="status" class="quiet pad">
              {plural(total, 'request')} found by name
            </p>
          )}
          <ol class="rows interactions">
            {withWords(rows).map(({ row, words }) => (
              <InteractionRow
                key={row.key}
                row={row}
                words={words}
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
          {q !== '' && (
            <FileSearch
              key={`${cassette} ${folder} ${q}`}
              cassette={cassette}
              folder={folder}
              q={q}
            />
          )}
        </>
      )}
    </Fetched>
  )
}

function withWords(
  rows: readonly RowView[]
): readonly { readonly row: RowView; readonly words: string }[] {
  const words = distinctWords(rows.map((row) => row.words))
  return rows.map((row, at) => ({ row, words: words[at] ?? row.words }))
}
