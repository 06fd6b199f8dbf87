/** The listings of a cassette: what of each is recorded; beside one, its rows with their recordings. */
import type { JSX } from 'preact'
import type { CassetteView, ListingView } from '../../src/pages/views.ts'
import { ListingDetail } from '../listing/listing-detail.tsx'
import { Fetched } from '../parts/fetched.tsx'
import { number, plural } from '../parts/format.ts'
import { Split } from '../parts/split.tsx'
import { ListingRow } from '../rows/listing-row.tsx'
import { linkTo, linkWith } from '../store/route.ts'
import { useStore } from '../store/store.ts'
import { useFetch } from '../store/use-fetch.ts'
import { ModuleChooser } from './module-chooser.tsx'

/** Interactions up to which all listings of a cassette are joined at once. */
const maxJoined = 3000

export function ListingsView({
  cassette,
  params
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const about = useFetch<CassetteView>('api/cassette', { cassette })
  const route = useStore((state) => state.route)
  const folder = params.get('folder') ?? ''
  const isTooLarge = folder === '' && (about.value?.interactions ?? 0) > maxJoined
  const isReady = about.value !== undefined && !isTooLarge
  const listings = useFetch<readonly ListingView[]>(
    isReady ? 'api/listings' : undefined,
    {
      cassette,
      folder
    }
  )
  const name = params.get('listing')
  const isCurrent = (one: ListingView): boolean =>
    one.listing === name && (params.get('of') ?? one.folder) === one.folder
  const chosen = listings.value?.find(isCurrent)
  return (
    <Split
      list={
        <>
          <div class="bar">
            <h1>Listings</h1>
          </div>
          <Fetched state={about}>
            {({ interactions, folders }) => (
              <>
                <div class="filters">
                  <ModuleChooser
                    folders={folders}
                    value={folder}
                    all={interactions > maxJoined ? 'choose one' : 'all modules'}
                    onChange={(next) => {
                      location.hash = linkTo('coverage', { cassette, folder: next })
                    }}
                  />
                  {listings.value !== undefined && (
                    <span role="status" class="quiet">
                      {number(listings.value.filter(({ complete }) => complete).length)}{' '}
                      of {plural(listings.value.length, 'listing')} complete
                    </span>
                  )}
                </div>
                {isTooLarge ? (
                  <p class="pad">
                    This cassette has {plural(interactions, 'interaction')}, too many to
                    show all listings at once. Choose a module.
                  </p>
                ) : (
                  <Fetched state={listings}>
                    {(all) => (
                      <ol class="rows listings">
                        {all.map((one) => (
                          <ListingRow
                            key={`${one.folder} ${one.listing}`}
                            listing={one}
                            isCurrent={isCurrent(one)}
                            href={linkWith(
                              { ...route, view: 'coverage' },
                              { cassette, of: one.folder, listing: one.listing }
                            )}
                          />
                        ))}
                      </ol>
                    )}
                  </Fetched>
                )}
              </>
            )}
          </Fetched>
        </>
      }
      detail={
        chosen && (
          <ListingDetail
            key={`${chosen.folder} ${chosen.listing}`}
            listing={chosen}
            cassette={cassette}
          />
        )
      }
    />
  )
}
