/** A cassette: its modules, and their interactions with one of them beside. */
import type { JSX } from 'preact'
import type { CassetteView as Cassette } from '../../src/pages/views.ts'
import { InteractionDetail } from '../detail/interaction-detail.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { SearchField } from '../parts/search-field.tsx'
import { Split } from '../parts/split.tsx'
import { Text } from '../parts/text.tsx'
import { InteractionList } from '../rows/interaction-list.tsx'
import { linkTo } from '../store/route.ts'
import { useFetch } from '../store/use-fetch.ts'
import { ModuleChooser } from './module-chooser.tsx'
import type { ViewProps } from './view-props.ts'

export function CassetteView({ cassette, cassettes, params }: ViewProps): JSX.Element {
  const key = params.get('key')
  const folder = params.get('folder') ?? ''
  const q = params.get('q') ?? ''
  const about = useFetch<Cassette>('api/cassette', { cassette })
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>
              <Text>{cassette}</Text>
            </h1>
            <SearchField
              label="Search requests"
              value={q}
              onSearch={(text) => {
                location.hash = linkTo('cassette', {
                  cassette,
                  folder,
                  q: text,
                  key: key ?? ''
                })
              }}
            />
          </div>
          <Fetched state={about}>
            {(one) => (
              <div class="filters">
                <ModuleChooser
                  folders={one.folders}
                  value={folder}
                  all="all modules"
                  onChange={(next) => {
                    location.hash = linkTo('cassette', {
                      cassette,
                      folder: next,
                      q,
                      key: key ?? ''
                    })
                  }}
                />
                {folder !== '' && (
                  <a href={linkTo('coverage', { cassette, folder })}>its listings</a>
                )}
                <span class="quiet">
                  <Text>{summaryOf(one)}</Text>
                </span>
              </div>
            )}
          </Fetched>
          <InteractionList
            cassette={cassette}
            folder={folder}
            q={q}
            from={Number(params.get('from')) || 0}
            current={key}
          />
        </>
      }
      detail={
        key === null ? undefined : (
          <InteractionDetail
            key={key}
            cassette={cassette}
            cassettes={cassettes}
            id={key}
          />
        )
      }
    />
  )
}

const summaryOf = ({ upstream, engine, recorded, interactions }: Cassette): string =>
  [
    plural(interactions, 'interaction'),
    engine === '' ? '' : `MediaWiki ${engine}`,
    upstream,
    recorded === '' ? '' : `recorded on ${recorded} or later`
  ]
    .filter((part) => part !== '')
    .join(' · ')
