/** `tsx scripts/wiki/census.ts`: how many items each listing of each wiki has, read to its end by continuation. */
import { type LabVersion, labAccounts, labUrl, labWikisAnswering } from './lab.ts'
import { type ListingCall, listingCalls } from './measure/listings.ts'
import { WikiSession } from './session.ts'

const wanted = 30

type Members = Readonly<Record<string, unknown>>

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

function countItems(query: Members, listing: ListingCall): number {
  const holders = listing.ofPages
    ? Object.values(membersOf(query['pages'])).map(membersOf)
    : [query]
  return holders.reduce((sum, holder) => {
    const member = holder[listing.member]
    // querypage keeps its items one level deeper.
    const items = Array.isArray(member) ? member : membersOf(member)['results']
    return (
      sum +
      (Array.isArray(items)
        ? items.reduce((total: number, item) => total + weight(item), 0)
        : 0)
    )
  }, 0)
}

/** allrevisions and alldeletedrevisions put the revisions of a page together: each counts. */
function weight(item: unknown): number {
  const { revisions } = membersOf(item)
  return Array.isArray(revisions) ? revisions.length : 1
}

/** Items in all batches; an error of the API counts as none and is told. */
async function countListing(
  session: WikiSession,
  listing: ListingCall
): Promise<number | string> {
  let items = 0
  let more: Members = {}
  for (let batch = 0; batch < 200; batch += 1) {
    const continued = new URLSearchParams(
      Object.entries(more).map(([name, value]): [string, string] => [name, String(value)])
    )
    const query = new URLSearchParams(
      `action=query&${listing.query}&${listing.limit}=max&${continued}`
    )
    const answer = membersOf(await session.post(Object.fromEntries(query)))
    const error = membersOf(answer['error'])['code']
    if (error !== undefined) return String(error)
    items += countItems(membersOf(answer['query']), listing)
    if (answer['continue'] === undefined) return items
    more = membersOf(answer['continue'])
  }
  return `${items}+`
}

async function census(version: LabVersion): Promise<readonly (number | string)[]> {
  const anonymous = new WikiSession(labUrl(version))
  const admin = await WikiSession.of(labUrl(version), labAccounts.admin)
  const counts: (number | string)[] = []
  for (const listing of listingCalls)
    counts.push(await countListing(listing.asAdmin ? admin : anonymous, listing))
  return counts
}

async function main(): Promise<void> {
  const versions = await labWikisAnswering()
  if (versions.length === 0)
    throw new Error('No wiki answers. Start them: npm run wiki -- up')
  const columns = await Promise.all(versions.map(census))
  const lines = listingCalls.map(({ name, reason }, row) => {
    const counts = columns.map((column) => column[row] ?? '')
    const short = counts.some((count) => typeof count === 'string' || count <= wanted)
    return [
      name.padEnd(28),
      ...counts.map((count) => String(count).padStart(8)),
      short ? `  ${reason ?? '(few)'}` : ''
    ].join('')
  })
  console.log(
    [
      `${'listing'.padEnd(28)}${versions.map((version) => version.padStart(8)).join('')}`,
      ...lines
    ].join('\n')
  )
}

await main()
