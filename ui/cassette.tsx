/** What a cassette holds: modules, their interactions, and each of them whole. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CassetteView as Cassette, FolderView, InsideView, PageOf, RowView } from '../src/ui/views.ts'
import { ask, useAsked, wordsOf } from './ask.ts'
import { Listings } from './coverage.tsx'
import { Interaction } from './interaction.tsx'
import { number, Pager, plural, Search, Shown, Text } from './parts.tsx'
import { linkTo } from './route.ts'

interface Place {
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
  const place: Place = {
    cassette,
    folder: params.get('folder') ?? '',
    q: params.get('q') ?? '',
    from: Number(params.get('from')) || 0,
  }
  const known = useAsked<Cassette>('api/cassette', { cassette })
  if (key !== null) return <Interaction key={key} cassette={cassette} id={key} />
  return (
    <Shown asked={known}>
      {(one) => (
        <>
          <h1>
            <Text>{one.name}</Text>
          </h1>
          <p class="quiet">
            <Text>{factsOf(one)}</Text>
          </p>
          <search class="bar">
            <Search
              label="Search requests"
              value={place.q}
              onSearch={(q) => {
                location.hash = linkTo('cassette', { ...place, q, from: 0 })
              }}
            />
          </search>
          <div class="columns">
            <Folders folders={one.folders} place={place} />
            <Rows place={place} />
          </div>
        </>
      )}
    </Shown>
  )
}

const factsOf = ({ upstream, engine, recorded, interactions }: Cassette): string =>
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
  place,
}: {
  readonly folders: readonly FolderView[]
  readonly place: Place
}): JSX.Element {
  return (
    <nav class="folders" aria-label="modules">
      <h2>Modules</h2>
      <ul>
        <li>
          <a
            href={linkTo('cassette', { cassette: place.cassette, q: place.q })}
            aria-current={place.folder === '' ? 'true' : undefined}
          >
            All
          </a>
        </li>
        {folders.map(({ name, label, interactions }) => (
          <li key={name}>
            <a
              href={linkTo('cassette', { cassette: place.cassette, folder: name, q: place.q })}
              aria-current={place.folder === name ? 'true' : undefined}
            >
              <Text>{label}</Text> <span class="quiet">{number(interactions)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Rows({ place }: { readonly place: Place }): JSX.Element {
  const { cassette, folder, q, from } = place
  const found = useAsked<PageOf<RowView>>('api/interactions', { cassette, folder, q, from })
  return (
    <section aria-labelledby="interactions">
      {folder !== '' && <FolderListings key={folder} cassette={cassette} folder={folder} />}
      <h2 id="interactions">Interactions</h2>
      <Shown asked={found}>
        {({ rows, total }) => (
          <>
            <p role="status" class="quiet">
              {q === '' ? plural(total, 'interaction') : `${plural(total, 'request')} with these words`}
            </p>
            <List rows={rows} cassette={cassette} />
            <Pager
              from={from}
              count={rows.length}
              total={total}
              link={(at) => linkTo('cassette', { ...place, from: at })}
            />
            {q !== '' && <Inside key={`${cassette} ${folder} ${q}`} place={place} />}
          </>
        )}
      </Shown>
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

const List = ({
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
function Inside({ place: { cassette, folder, q } }: { readonly place: Place }): JSX.Element {
  const [found, setFound] = useState<InsideView>()
  const [next, setNext] = useState<number>()
  const [fault, setFault] = useState('')
  useEffect(() => {
    if (next === undefined) return
    const leaving = new AbortController()
    ask<InsideView>('api/inside', { cassette, folder, q, from: next }, leaving.signal).then(
      (more) => {
        const rows = [...(found?.rows ?? []), ...more.rows]
        setFound({ ...more, rows })
        setNext(rows.length < 200 ? more.next : undefined)
      },
      (error: unknown) => setFault(leaving.signal.aborted ? '' : wordsOf(error)),
    )
    return () => leaving.abort()
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
      <List rows={found.rows} cassette={cassette} />
      {found.next !== undefined && next === undefined && (
        <button type="button" onClick={() => setNext(found.next)}>
          Go on
        </button>
      )}
    </>
  )
}
