/** The wikis of a recording: http and https are one, as are addresses joined by a redirect; two paths of one host are two. */
import { type ApiUrl, readApiUrl } from '../recorder/http/api-url.ts'
import {
  type ImportedEntry,
  type ImportedExchange,
  isApiUrl
} from './exchange/exchanges.ts'

export interface RecordedWiki {
  /** The address that answers rather than redirects. */
  readonly api: ApiUrl
  /** Host and path of each address of its api.php. */
  readonly addresses: ReadonlySet<string>
}

const hostAndPath = ({ host, pathname }: URL) => host + pathname

/** In the order of their first requests. */
export function findWikis(readings: readonly ImportedEntry[]): readonly RecordedWiki[] {
  const apiExchanges = readings.flatMap((one) =>
    one.kind === 'exchange' && isApiUrl(one.exchange.url) ? [one.exchange] : []
  )
  if (apiExchanges.length === 0) return readings.flatMap(wikiOfUnusable).slice(0, 1)
  const groups: { readonly addresses: Set<string>; exchange: ImportedExchange }[] = []
  for (const exchange of apiExchanges) {
    const addresses = [hostAndPath(exchange.url), redirectAddress(exchange) ?? []].flat()
    const [first, ...others] = groups.filter((one) =>
      addresses.some((each) => one.addresses.has(each))
    )
    if (!first) {
      groups.push({ addresses: new Set(addresses), exchange })
      continue
    }
    for (const address of [addresses, ...others.map((one) => [...one.addresses])].flat())
      first.addresses.add(address)
    const answers = [first, ...others, { exchange }].map((one) => one.exchange)
    first.exchange =
      answers.find((one) => redirectAddress(one) === undefined) ?? first.exchange
    for (const other of others) groups.splice(groups.indexOf(other), 1)
  }
  return groups.flatMap(({ addresses, exchange: { url } }) => {
    const api = readApiUrl(`${url.origin}${url.pathname}`)
    return typeof api === 'string' ? [] : [{ api, addresses }]
  })
}

/** The wiki of an entry, if no entry is usable. */
function wikiOfUnusable(one: ImportedEntry) {
  const api = readApiUrl(one.kind === 'unusable' ? one.address : '')
  return typeof api === 'string'
    ? []
    : [
        {
          api,
          addresses: new Set([api.host + api.path])
        }
      ]
}

/** All wikis, beginning with the one that the user names. */
export function findWikisWith(
  api: ApiUrl,
  readings: readonly ImportedEntry[]
): readonly [RecordedWiki, ...RecordedWiki[]] {
  const address = api.host + api.path
  const found = findWikis(readings)
  const known = found.find(({ addresses }) => addresses.has(address))
  return [
    { api, addresses: known?.addresses ?? new Set([address]) },
    ...found.filter((one) => one !== known)
  ]
}

/**
 * The wiki among these that an address belongs to, by its api.php; other pages by folder, then by host. Undefined for
 * another site's; the first wiki for what is no address.
 */
export function wikiOf(
  address: string,
  wikis: readonly RecordedWiki[]
): RecordedWiki | undefined {
  if (!URL.canParse(address)) return wikis[0]
  const url = new URL(address)
  if (isApiUrl(url)) return wikis.find(({ addresses }) => addresses.has(hostAndPath(url)))
  const ofHost = wikis.filter(({ addresses }) =>
    [...addresses].some((one) => one.startsWith(`${url.host}/`))
  )
  const folderOf = ({ api }: RecordedWiki) => api.path.replace(/api\.php$/, '')
  return (
    ofHost
      .toSorted((a, b) => folderOf(b).length - folderOf(a).length)
      .find((wiki) => url.pathname.startsWith(folderOf(wiki))) ?? ofHost[0]
  )
}

/** Host and path of the api.php that a redirect leads to. */
export function redirectAddress({ url, answer }: ImportedExchange): string | undefined {
  const location = answer.headers.get('location')
  if (location === undefined || answer.status < 300 || answer.status > 399)
    return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const to = new URL(location, url.href)
  return /^https?:$/.test(to.protocol) && isApiUrl(to) ? hostAndPath(to) : undefined
}
