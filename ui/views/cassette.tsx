/** A cassette: its modules, and their interactions or one of them. */
import type { JSX } from 'preact'
import type { CassetteView as Cassette, FolderView } from '../../src/ui/views.ts'
import { Fetched, number, plural, Search, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { useFetch } from '../server-api.ts'
import { Interaction } from './interaction.tsx'
import { type CassetteViewState, InteractionSearch } from './interaction-search.tsx'

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
    recorded === '' ? '' : `recorded on ${recorded} or later`,
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
