/**
 * What a wiki says of itself (`meta=siteinfo`): how its titles are spelled, and what orders its lists.
 * Source: https://www.mediawiki.org/wiki/API:Siteinfo
 */

export interface Namespace {
  readonly id: number
  /** The local name, e.g. `Файл`; empty for the main namespace. */
  readonly name: string
  /** Canonical name and aliases, e.g. `File`, `Image`. */
  readonly aliases: readonly string[]
  readonly firstLetter: boolean
}

/** The part of siteinfo that request keys and titles depend on; kept in the cassette. */
export interface SiteFacts {
  /** e.g. `MediaWiki 1.43.9`; empty where unknown. */
  readonly generator: string
  readonly lang: string
  /** e.g. `sqlite`, `mysql`; absent where unknown. */
  readonly database?: string
  /** The name of its database, e.g. `ruwiki`: no two wikis of a farm share one. Absent where unknown. */
  readonly wikiId?: string
  readonly namespaces: readonly Namespace[]
}

/** What wikitape asks of a wiki to know it. */
export const siteinfoParams = {
  action: 'query',
  meta: 'siteinfo',
  siprop: 'general|namespaces|namespacealiases',
} as const

type SiteinfoObject = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is SiteinfoObject => typeof value === 'object' && value !== null
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Reads `query` of a siteinfo answer (either formatversion); undefined where it does not have that shape. */
export function decodeSiteinfo(body: unknown): SiteFacts | undefined {
  const query = isObject(body) ? body['query'] : undefined
  if (!isObject(query) || !isObject(query['general']) || !isObject(query['namespaces'])) return undefined
  const general = query['general']
  const aliases = isObject(query['namespacealiases']) ? Object.values(query['namespacealiases']) : []
  return {
    generator: text(general['generator']),
    lang: text(general['lang']),
    ...databaseFact(general['dbtype']),
    ...wikiIdFact(general['wikiid']),
    namespaces: Object.values(query['namespaces'])
      .flatMap((one) => decodeNamespace(one, aliases) ?? [])
      .sort((a, b) => a.id - b.id),
  }
}

/** As siteinfo and the cassette spell it. */
export const databaseFact = (said: unknown): Pick<SiteFacts, 'database'> =>
  typeof said === 'string' && said !== '' ? { database: said } : {}

/** As siteinfo and the cassette spell it. */
export const wikiIdFact = (said: unknown): Pick<SiteFacts, 'wikiId'> =>
  typeof said === 'string' && said !== '' ? { wikiId: said } : {}

function decodeNamespace(value: unknown, aliases: readonly unknown[]): Namespace | undefined {
  if (!isObject(value) || typeof value['id'] !== 'number') return undefined
  const id = value['id']
  const others = aliases.flatMap((one) => (isObject(one) && one['id'] === id ? [namespaceName(one)] : []))
  const canonical = text(value['canonical'])
  return {
    id,
    name: namespaceName(value),
    aliases: [...new Set(canonical === '' ? others : [canonical, ...others])],
    firstLetter: value['case'] !== 'case-sensitive',
  }
}

/** formatversion 2 says `name` (or `alias`), formatversion 1 says `*`. */
const namespaceName = (one: SiteinfoObject): string => text(one['name'] ?? one['alias'] ?? one['*'])
