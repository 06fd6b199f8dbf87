/** The coverage of each listing as a bar: recorded parts and gaps. */
import type { JSX } from 'preact'
import type { CassetteView, ListingView, PartView } from '../../src/ui/views.ts'
import { Badge, Command, Fetched, number, plural, Text } from '../parts.tsx'
import { linkTo } from '../route.ts'
import { useFetch } from '../server-api.ts'

/** Interactions up to which all listings of a cassette are joined at once. */
const maxJoinedInteractions = 3000

export function Coverage({
  cassette,
  params,
}: {
  readonly cassette: string
  readonly params: URLSearchParams
}): JSX.Element {
  const known = useFetch<CassetteView>('api/cassette', { cassette })
  const folder = params.get('folder') ?? ''
  return (
    <>
      <h1>Coverage</h1>
      <Fetched state={known}>
        {({ interactions, folders }) => (
          <>
            <label class="bar">
              Module{' '}
              <select
                value={folder}
                onChange={(event) => {
                  location.hash = linkTo('coverage', { cassette, folder: event.currentTarget.value })
                }}
              >
                <option value="">{interactions > maxJoinedInteractions ? 'choose one' : 'all'}</option>
                {folders.map(({ name, label }) => (
                  <option key={name} value={name}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
            {folder === '' && interactions > maxJoinedInteractions ? (
              <p>
                This cassette has {plural(interactions, 'interaction')}, too many to show all listings at
                once. Choose a module.
              </p>
            ) : (
              <Listings cassette={cassette} folder={folder} />
            )}
          </>
        )}
      </Fetched>
    </>
  )
}

export function Listings({
  cassette,
  folder,
}: {
  readonly cassette: string
  readonly folder: string
}): JSX.Element {
  const state = useFetch<readonly ListingView[]>('api/listings', { cassette, folder })
  return (
    <Fetched state={state}>
      {(listings) => (
        <>
          <p role="status" class="quiet">
            {number(listings.filter(({ complete }) => complete).length)} of{' '}
            {plural(listings.length, 'listing')} complete
          </p>
          {listings.map((one) => (
            <Listing key={`${one.folder} ${one.listing}`} listing={one} cassette={cassette} />
          ))}
        </>
      )}
    </Fetched>
  )
}

function Listing({
  listing,
  cassette,
}: {
  readonly listing: ListingView
  readonly cassette: string
}): JSX.Element {
  const { listing: name, items, complete, parts, more, rule, conflicts, keys, command } = listing
  return (
    <section class="listing">
      <h2>
        <Text>{name}</Text> <Badge of={complete ? 'complete' : conflicts.length > 0 ? 'conflict' : 'gaps'} />
      </h2>
      <Bar parts={parts} />
      <p class="quiet">
        {plural(items, 'item')} in {plural(keys.length, 'recording')}
        {rule !== '' && (
          <>
            {' '}
            · continue rule: <Text>{rule}</Text>
          </>
        )}
      </p>
      {conflicts.map((what) => (
        <p class="fault" key={what}>
          <Text>{what}</Text>
        </p>
      ))}
      <details>
        <summary>Parts and recordings</summary>
        <ol>
          {parts.map((part, at) => (
            <li key={at}>
              <Text>{partWords(part)}</Text>
            </li>
          ))}
        </ol>
        {more > 0 && <p>{plural(more, 'more part')}</p>}
        <ul class="keys">
          {keys.map((key) => (
            <li key={key}>
              <a href={linkTo('cassette', { cassette, key })}>
                <code>{key}</code>
              </a>
            </li>
          ))}
        </ul>
        {!complete && <Command>{command}</Command>}
      </details>
    </section>
  )
}

const partWords = (part: PartView): string =>
  part.kind === 'gap'
    ? `not recorded: ${part.words}`
    : part.items === 0
      ? 'an empty listing'
      : `recorded: ${part.first} … ${part.last} (${plural(part.items, 'item')})`

/** Widths by number of items; the size of a gap is unknown. The words below say the same. */
const Bar = ({ parts }: { readonly parts: readonly PartView[] }): JSX.Element => (
  <div class="coverage" role="img" aria-label={parts.map(partWords).join('; ')}>
    {parts.map((part, at) => (
      <span
        key={at}
        class={part.kind}
        title={partWords(part)}
        style={{ flexGrow: part.kind === 'gap' ? 0 : Math.max(1, part.items) }}
      />
    ))}
  </div>
)
