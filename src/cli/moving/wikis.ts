/** Which wikis a recording is of: http and https are one, and so are addresses that a recorded redirect joins. */
import type { ApiUrl } from '../../proxy/api-url.ts'
import { readApiUrl } from '../../proxy/api-url.ts'
import type { KeptExchange, KeptReading } from '../../upstream/kept/exchange.ts'

export interface Wiki {
  /** The address that answers rather than leads elsewhere. */
  readonly api: ApiUrl
  readonly hosts: ReadonlySet<string>
}

const exchangesOf = (readings: readonly KeptReading[]): readonly KeptExchange[] =>
  readings.flatMap((one) => (one.kind === 'exchange' ? [one.exchange] : []))

const isApi = ({ pathname }: URL): boolean => pathname.endsWith('/api.php')

/** In the order in which they were first asked. */
export function wikisIn(readings: readonly KeptReading[]): readonly Wiki[] {
  const asked = exchangesOf(readings).filter(({ url }) => isApi(url))
  if (asked.length === 0) return readings.flatMap(lackingWiki).slice(0, 1)
  const groups: { readonly hosts: Set<string>; readonly exchanges: KeptExchange[] }[] = []
  for (const exchange of asked) {
    const hosts = [exchange.url.host, redirectedTo(exchange)].filter((one) => one !== undefined)
    const joined = groups.filter((group) => hosts.some((host) => group.hosts.has(host)))
    const [first = { hosts: new Set<string>(), exchanges: [] }, ...others] = joined
    if (joined.length === 0) groups.push(first)
    for (const host of hosts) first.hosts.add(host)
    first.exchanges.push(exchange)
    for (const other of others) {
      for (const host of other.hosts) first.hosts.add(host)
      first.exchanges.push(...other.exchanges)
      groups.splice(groups.indexOf(other), 1)
    }
  }
  return groups.flatMap(({ hosts, exchanges }) => {
    const api = apiOf(exchanges)
    return api === undefined ? [] : [{ api, hosts }]
  })
}

/** Where nothing is whole, that much can be told of it. */
function lackingWiki(one: KeptReading): readonly Wiki[] {
  const address = one.kind === 'lacking' ? one.address : ''
  if (!URL.canParse(address) || !isApi(new URL(address))) return []
  const api = readApiUrl(address)
  return typeof api === 'string' ? [] : [{ api, hosts: new Set([api.host]) }]
}

/** The wiki of an address that the user names. */
export const wikiAt = (api: ApiUrl, readings: readonly KeptReading[]): Wiki => ({
  api,
  hosts: wikisIn(readings).find(({ hosts }) => hosts.has(api.host))?.hosts ?? new Set([api.host]),
})

/** @param isFirst of the wikis of a recording: what has no address is told with it */
export function belongsTo({ hosts }: Wiki, one: KeptReading, isFirst: boolean): boolean {
  if (one.kind === 'exchange') return hosts.has(one.exchange.url.host)
  return URL.canParse(one.address) ? hosts.has(new URL(one.address).host) : isFirst
}

/** The host of the api.php that a redirect leads to. */
export function redirectedTo({ url, answer }: KeptExchange): string | undefined {
  const location = answer.headers.get('location')
  if (location === undefined || answer.status < 300 || answer.status > 399) return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const to = new URL(location, url.href)
  return /^https?:$/.test(to.protocol) && isApi(to) ? to.host : undefined
}

function apiOf(exchanges: readonly KeptExchange[]): ApiUrl | undefined {
  const chosen = exchanges.find((one) => redirectedTo(one) === undefined) ?? exchanges[0]
  const api = chosen && readApiUrl(`${chosen.url.origin}${chosen.url.pathname}`)
  return typeof api === 'string' ? undefined : api
}
