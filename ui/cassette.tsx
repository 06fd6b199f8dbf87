/** What a cassette holds: modules, their interactions, and each of them whole. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type {
  CassetteView as Cassette,
  FolderView,
  RowPage,
  RowView,
  SearchInFilesView,
} from '../src/ui/views.ts'
import { errorText, fetchJson, useFetch } from './ask.ts'
import { Listings } from './coverage.tsx'
import { Interaction } from './interaction.tsx'
import { Fetched, number, Pager, plural, Search, Text } from './parts.tsx'
import { linkTo } from './route.ts'

interface CassetteViewState {
  readonly cassette: string
  readonly folder: string
  readonly q: string
  readonly from: number
}

export function CassetteView({
  cassette,
  params,
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const key = params.get('key')
  const viewState: CassetteViewState = {
    cassette,
    folder: params.get('folder') ?? '',
    q: params.get('q') ?? '',
    from: Number(params.get('from')) || 0,
  }
  const known = useFetch<Cassette>('api/cassette', { cassette })
  if (key !== null) return <Interaction key={key} cassette={cassette} id={key} />
  return (
    <Fetched state={known}>
      {(one) => (
        <>
          <h1>
            <Text>{one.name}</Text>
          </h1>
          <p class="quiet">
            <Text>{cassetteSummary(one)}</Text>
          </p>
          <search class="bar">
            <Search
              label="Search requests"
              value={viewState.q}
              onSearch={(q) => {
                location.hash = linkTo('cassette', { ...viewState, q, from: 0 })
              }}
            />
          </search>
          <div class="columns">
            <Folders folders={one.folders} viewState={viewState} />
            <InteractionSearch viewState={viewState} />
          </div>
        </>
      )}
    </Fetched>
  )
}

const cassetteSummary = ({ upstream, engine, recorded, interactions }: Cassette): string =>
  [
    plural(interactions, 'interaction'),
    upstream,
    engine === '' ? '' : `MediaWiki ${engine}`,
    recorded === '' ? '' : `since ${recorded}`,
  ]
    .filter((part) => part !== '')
    .join(' · ')

function Folders({
  folders,
  viewState,
}: {
  readonly folders: readonly FolderView[]
  readonly viewState: CassetteViewState
}): JSX.Element {
  return (
    <nav class="folders" aria-label="modules">
      <h2>Modules</h2>
      <ul>
        <li>
          <a
            href={linkTo('cassette', { cassette: viewState.cassette, q: viewState.q })}
            aria-current={viewState.folder === '' ? 'true' : undefined}
          >
            All
          </a>
        </li>
        {folders.map(({ name, label, interactions }) => (
          <li key={name}>
            <a
              href={linkTo('cassette', { cassette: viewState.cassette, folder: name, q: viewState.q })}
              aria-current={viewState.folder === name ? 'true' : undefined}
            >
              <Text>{label}</Text> <span class="quiet">{number(interactions)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function InteractionSearch({ viewState }: { readonly viewState: CassetteViewState }): JSX.Element {
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
              {q === '' ? plural(total, 'interaction') : `${plural(total, 'request')} with these words`}
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

/** Joining them takes time, so that they are asked for only where somebody wants them. */
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

/** Names are searched at once; whole files only on demand, in small steps, since there may be a hundred thousand. */
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
        Search in requests and answers, too
      </button>
    )
  return (
    <>
      <h3>In requests and answers</h3>
      <p role="status" class="quiet">
        {plural(found.rows.length, 'interaction')} found in {number(found.seen)} of {number(found.total)}
      </p>
      <InteractionList rows={found.rows} cassette={cassette} />
      {found.next !== undefined && next === undefined && (
        <button type="button" onClick={() => setNext(found.next)}>
          Go on
        </button>
      )}
    </>
  )
}
