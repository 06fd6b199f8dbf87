/** The interactions of a cassette: searched by name page by page, and in their files on demand. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RowPage, RowView, SearchInFilesView } from '../../src/ui/views.ts'
import { Fetched, number, Pager, plural, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { errorText, fetchJson, useFetch } from '../server-api.ts'
import { Listings } from './coverage.tsx'

export interface CassetteViewState {
  readonly cassette: string
  readonly folder: string
  readonly q: string
  readonly from: number
}

export function InteractionSearch({ viewState }: { readonly viewState: CassetteViewState }): JSX.Element {
  const { cassette, folder, q, from } = viewState
  const found = useFetch<RowPage<RowView>>('api/interactions', { cassette, folder, q, from })
  return (
    <section aria-labelledby="interactions">
      {folder !== '' && <FolderListings key={folder} cassette={cassette} folder={folder} />}
      <h2 id="interactions">Interactions</h2>
      <Fetched state={found}>
        {({ rows, total }) => (
          <>
            <p role="status" class="quiet">
              {q === '' ? plural(total, 'interaction') : `${plural(total, 'request')} found by name`}
            </p>
            <InteractionList rows={rows} cassette={cassette} />
            <Pager
              from={from}
              count={rows.length}
              total={total}
              link={(at) => linkTo('cassette', { ...viewState, from: at })}
            />
            {q !== '' && <FileSearch key={`${cassette} ${folder} ${q}`} viewState={viewState} />}
          </>
        )}
      </Fetched>
    </section>
  )
}

/** Loaded when opened: joining listings takes time. */
function FolderListings({
  cassette,
  folder,
}: {
  readonly cassette: string
  readonly folder: string
}): JSX.Element {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Listings of this module</summary>
      {open && <Listings cassette={cassette} folder={folder} />}
    </details>
  )
}

const InteractionList = ({
  rows,
  cassette,
}: {
  readonly rows: readonly RowView[]
  readonly cassette: string
}): JSX.Element => (
  <ol class="rows">
    {rows.map((row) => (
      <li class="row" key={row.key}>
        <span class="what">
          <a href={linkTo('cassette', { cassette, key: row.key })}>
            <Text>{row.words === '' ? row.file : row.words}</Text>
          </a>{' '}
          {row.fault !== '' && (
            <span class="why">
              <Text>{row.fault}</Text>
            </span>
          )}
        </span>
        <span class="meta">
          <Text>
            {[row.who, row.state === '' ? '' : `after ${row.state}`, row.statuses.join(' ')]
              .filter(Boolean)
              .join(' · ')}
          </Text>{' '}
          <code>{row.key}</code>
        </span>
      </li>
    ))}
  </ol>
)

/** Searches whole files on demand, in small steps: there may be 100,000. */
function FileSearch({
  viewState: { cassette, folder, q },
}: {
  readonly viewState: CassetteViewState
}): JSX.Element {
  const [found, setFound] = useState<SearchInFilesView>()
  const [next, setNext] = useState<number>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    if (next === undefined) return
    const controller = new AbortController()
    fetchJson<SearchInFilesView>('api/inside', { cassette, folder, q, from: next }, controller.signal).then(
      (more) => {
        const rows = [...(found?.rows ?? []), ...more.rows]
        setFound({ ...more, rows })
        setNext(rows.length < 200 ? more.next : undefined)
      },
      (error: unknown) => setFault(controller.signal.aborted ? '' : errorText(error)),
    )
    return () => controller.abort()
  }, [next])
  if (fault !== '') return <p class="fault">{fault}</p>
  if (found === undefined)
    return (
      <button type="button" onClick={() => setNext(0)} disabled={next !== undefined}>
        Search the contents of requests and answers too
      </button>
    )
  return (
    <>
      <h3>Found in the contents</h3>
      <p role="status" class="quiet">
        {plural(found.rows.length, 'interaction')} found; {number(found.seen)} of {number(found.total)}{' '}
        searched
      </p>
      <InteractionList rows={found.rows} cassette={cassette} />
      {found.next !== undefined && next === undefined && (
        <button type="button" onClick={() => setNext(found.next)}>
          Continue the search
        </button>
      )}
    </>
  )
}
