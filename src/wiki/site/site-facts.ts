/**
 * Facts about a wiki from `meta=siteinfo`: how its titles are spelled, and what orders its lists.
 * Source: https://www.mediawiki.org/wiki/API:Siteinfo
 */
import { isPlainObject, type PlainObject, plainText } from '../../json/plain-json.ts'
import { minorOf } from '../../knowledge/data-file.ts'
import { asItems } from '../decode-values.ts'

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
  /** The lists `extensions`, `skins` and `usergroups`, in siteinfo's own words. Absent where unknown. */
  readonly configuration?: PlainObject
  /** How many `edits`, `images` and `pages` there were when it was asked. Absent where unknown. */
  readonly statistics?: PlainObject
}

/** The query for what keys and titles depend on. */
export const siteinfoParams = {
  action: 'query',
  meta: 'siteinfo',
  siprop: 'general|namespaces|namespacealiases',
} as const

/** The query for all facts. */
export const allSiteinfoParams: Readonly<Record<keyof typeof siteinfoParams, string>> = {
  ...siteinfoParams,
  siprop: `${siteinfoParams.siprop}|extensions|skins|usergroups|statistics`,
}

/** Reads `query` of a siteinfo answer (either formatversion); undefined where it does not have that shape. */
export function decodeSiteinfo(body: unknown): SiteFacts | undefined {
  const query = isPlainObject(body) ? body['query'] : undefined
  if (!isPlainObject(query) || !isPlainObject(query['general']) || !isPlainObject(query['namespaces']))
    return undefined
  const general = query['general']
  const aliases = asItems(query['namespacealiases'])
  return {
    generator: plainText(general['generator']),
    lang: plainText(general['lang']),
    ...databaseFact(general['dbtype']),
    ...wikiIdFact(general['wikiid']),
    namespaces: Object.values(query['namespaces'])
      .flatMap((one) => decodeNamespace(one, aliases) ?? [])
      .sort((a, b) => a.id - b.id),
    ...settingsIn(query),
  }
}

/** Lists of the wiki's settings, and what of each item a comparison reads; the rest is long and changes often. */
const settingMembers: Readonly<Record<string, readonly string[]>> = {
  extensions: ['type', 'name', 'version'],
  skins: ['code', 'default'],
  usergroups: ['name', 'rights'],
}
const counts = ['edits', 'images', 'pages']

function settingsIn(query: PlainObject): Pick<SiteFacts, 'configuration' | 'statistics'> {
  const { statistics } = query
  if (!isPlainObject(statistics) || !Object.keys(settingMembers).every((name) => name in query)) return {}
  const configuration = Object.entries(settingMembers).map(([name, members]) => [
    name,
    asItems(query[name])
      .filter(isPlainObject)
      .map((one) => pick(one, members)),
  ])
  return { configuration: Object.fromEntries(configuration), statistics: pick(statistics, counts) }
}

const pick = (from: PlainObject, names: readonly string[]): PlainObject =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

export const databaseFact = (name: unknown): Pick<SiteFacts, 'database'> =>
  typeof name === 'string' && name !== '' ? { database: name } : {}

export const wikiIdFact = (id: unknown): Pick<SiteFacts, 'wikiId'> =>
  typeof id === 'string' && id !== '' ? { wikiId: id } : {}

function decodeNamespace(value: unknown, aliases: readonly unknown[]): Namespace | undefined {
  if (!isPlainObject(value) || typeof value['id'] !== 'number') return undefined
  const id = value['id']
  const others = aliases.flatMap((one) =>
    isPlainObject(one) && one['id'] === id ? [namespaceName(one)] : [],
  )
  const canonical = plainText(value['canonical'])
  return {
    id,
    name: namespaceName(value),
    aliases: [...new Set(canonical === '' ? others : [canonical, ...others])],
    firstLetter: value['case'] !== 'case-sensitive',
  }
}

/** formatversion 2 says `name` (or `alias`), formatversion 1 says `*`. */
const namespaceName = (one: PlainObject): string => plainText(one['name'] ?? one['alias'] ?? one['*'])

/** True for MediaWiki 1.`minor` and later; false where the version is unknown. */
export const isVersionSince = (generator: string | undefined, minor: number): boolean =>
  (minorOf(generator) ?? -1) >= minor
