/** A listing: one bar of its batches and gaps, and its rows as a table. */
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ListingRowsView } from '../../src/pages/run-views.ts'
import type { ListingView } from '../../src/pages/views.ts'
import { DetailHead } from '../detail/detail-head.tsx'
import { Badge } from '../parts/badge.tsx'
import { Command } from '../parts/command.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { plural } from '../parts/format.ts'
import { Text } from '../parts/text.tsx'
import { stateOfListing } from '../rows/listing-row.tsx'
import { useFetch } from '../store/use-fetch.ts'
import { BatchBar } from './batch-bar.tsx'
import { batchesOf } from './batches.ts'
import { ListingTable } from './listing-table.tsx'

export function ListingDetail({
  listing,
  cassette
}: {
  readonly listing: ListingView
  readonly cassette: string
}): JSX.Element {
  const {
    listing: name,
    folder,
    items,
    complete,
    rule,
    conflicts,
    keys,
    command
  } = listing
  const rows = useFetch<ListingRowsView>('api/rows', { cassette, folder, listing: name })
  const [at, setAt] = useState(0)
  return (
    <>
      <DetailHead words={name.replace(/^action=query&/, '').replaceAll('&', ' · ')}>
        <Badge of={stateOfListing(listing)} /> {plural(items, 'row')} in{' '}
        {plural(keys.length, 'recording')}
        {rule !== '' && (
          <>
            {' '}
            · continues by <Text>{rule}</Text>
          </>
        )}
      </DetailHead>
      <div class="panel">
        {conflicts.map((what) => (
          <p class="fault" key={what}>
            <Text>{what}</Text>
          </p>
        ))}
        {!complete && (
          <>
            <h3>To record what is missing</h3>
            <Command>{command}</Command>
          </>
        )}
        <Fetched state={rows}>
          {(view) => {
            const batches = batchesOf(view.rows)
            return (
              <>
                <BatchBar batches={batches} current={at} onWalk={setAt} />
                <ListingTable
                  rows={view.rows}
                  current={at}
                  cassette={cassette}
                  more={view.more}
                />
              </>
            )
          }}
        </Fetched>
      </div>
    </>
  )
}
