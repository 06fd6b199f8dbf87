/** Which wikis a recording is of: http and https are one, and so are addresses that a recorded redirect joins; two paths of one host are two. */
import type { ApiUrl } from '../http/api-url.ts'
import { readApiUrl } from '../http/api-url.ts'
import type { KeptExchange, KeptReading } from './exchange/imported-exchange.ts'

export interface Wiki {
  /** The address that answers rather than leads elsewhere. */
  readonly api: ApiUrl
  /** Host and path of each address of its api.php. */
  readonly places: ReadonlySet<string>
}

const placeOf = ({ host, pathname }: URL): string => host + pathname

const exchangesOf = (readings: readonly KeptReading[]): readonly KeptExchange[] =>
  readings.flatMap((one) => (one.kind === 'exchange' ? [one.exchange] : []))

export const isApi = ({ pathname }: URL): boolean => pathname.endsWith('/api.php')

/** In the order in which they were first asked. */
export function wikisIn(readings: readonly KeptReading[]): readonly Wiki[] {
  const asked = exchangesOf(readings).filter(({ url }) => isApi(url))
  if (asked.length === 0) return readings.flatMap(lackingWiki).slice(0, 1)
  const groups: { readonly places: Set<string>; readonly exchanges: KeptExchange[] }[] = []
  for (const exchange of asked) {
    const places = [placeOf(exchange.url), redirectedTo(exchange)].filter((one) => one !== undefined)
    const joined = groups.filter((group) => places.some((place) => group.places.has(place)))
    const [first = { places: new Set<string>(), exchanges: [] }, ...others] = joined
    if (joined.length === 0) groups.push(first)
    for (const place of places) first.places.add(place)
    first.exchanges.push(exchange)
    for (const other of others) {
      for (const place of other.places) first.places.add(place)
      first.exchanges.push(...other.exchanges)
      groups.splice(groups.indexOf(other), 1)
    }
  }
  return groups.flatMap(({ places, exchanges }) => {
    const api = apiOf(exchanges)
    return api === undefined ? [] : [{ api, places }]
  })
}

/** Where nothing is whole, that much can be told of it. */
function lackingWiki(one: KeptReading): readonly Wiki[] {
  const address = one.kind === 'lacking' ? one.address : ''
  if (!URL.canParse(address) || !isApi(new URL(address))) return []
  const api = readApiUrl(address)
  return typeof api === 'string' ? [] : [{ api, places: new Set([api.host + api.path]) }]
}

/** The same, and first of all the wiki of an address that the user names. */
export function wikisWith(api: ApiUrl, readings: readonly KeptReading[]): readonly [Wiki, ...Wiki[]] {
  const place = api.host + api.path
  const found = wikisIn(readings)
  const known = found.find(({ places }) => places.has(place))
  return [{ api, places: known?.places ?? new Set([place]) }, ...found.filter((one) => one !== known)]
}

/**
 * The wiki among these that an address belongs to: of its api.php the wiki itself; of another page the one in whose
 * folder it lies, or the first of that host. Undefined for one of no wiki's, or where there is no address.
 */
export function wikiOf(address: string, wikis: readonly Wiki[]): Wiki | undefined {
  if (!URL.canParse(address)) return wikis[0]
  const url = new URL(address)
  if (isApi(url)) return wikis.find(({ places }) => places.has(placeOf(url)))
  const ofHost = wikis.filter(({ places }) => [...places].some((place) => place.startsWith(`${url.host}/`)))
  const folderOf = ({ api }: Wiki): string => api.path.replace(/api\.php$/, '')
  return (
    ofHost
      .toSorted((a, b) => folderOf(b).length - folderOf(a).length)
      .find((wiki) => url.pathname.startsWith(folderOf(wiki))) ?? ofHost[0]
  )
}

/** Host and path of the api.php that a redirect leads to. */
export function redirectedTo({ url, answer }: KeptExchange): string | undefined {
  const location = answer.headers.get('location')
  if (location === undefined || answer.status < 300 || answer.status > 399) return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const to = new URL(location, url.href)
  return /^https?:$/.test(to.protocol) && isApi(to) ? placeOf(to) : undefined
}

function apiOf(exchanges: readonly KeptExchange[]): ApiUrl | undefined {
  const chosen = exchanges.find((one) => redirectedTo(one) === undefined) ?? exchanges[0]
  const api = chosen && readApiUrl(`${chosen.url.origin}${chosen.url.pathname}`)
  return typeof api === 'string' ? undefined : api
}
