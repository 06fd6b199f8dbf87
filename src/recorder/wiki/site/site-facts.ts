/**
 * Facts about a wiki from `meta=siteinfo`, and titles in its canonical form: spaces, local namespace prefix, capital where
 * the wiki wants one.
 * Source: https://www.mediawiki.org/wiki/API:Siteinfo; spec, Conventions; https://www.mediawiki.org/wiki/Manual:Title.php
 */
import { isPlainObject, type PlainObject, plainText } from '../../json/plain-json.ts'
import { minorOf } from '../../knowledge/data-file.ts'
import { ownPageNames } from './special-pages.ts'

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
  /** Whether filters that cost too much apply after a listing's limit (`$wgMiserMode`). Absent where unknown. */
  readonly miserMode?: boolean
  /** Whether the content language has variants. Absent where unknown. */
  readonly hasVariants?: boolean
  readonly namespaces: readonly Namespace[]
  /** Special pages by names that only this wiki has for them, in lower case. */
  readonly specialPages?: ReadonlyMap<string, string>
  /** The lists `extensions`, `skins` and `usergroups`, in siteinfo's own words. Absent where unknown. */
  readonly configuration?: PlainObject
  /** How many `edits`, `images` and `pages` there were when it was asked. Absent where unknown. */
  readonly statistics?: PlainObject
}

/** The query for what keys and titles depend on. */
export const siteinfoParams = {
  action: 'query',
  meta: 'siteinfo',
  siprop: 'general|namespaces|namespacealiases'
} as const

/** The query for all facts. */
export const allSiteinfoParams: Readonly<Record<keyof typeof siteinfoParams, string>> = {
  ...siteinfoParams,
  siprop: `${siteinfoParams.siprop}|extensions|skins|usergroups|statistics|specialpagealiases`
}

/** Reads `query` of a siteinfo answer (either formatversion); undefined where it does not have that shape. */
export function decodeSiteinfo(body: unknown): SiteFacts | undefined {
  const query = isPlainObject(body) ? body['query'] : undefined
  if (
    !isPlainObject(query) ||
    !isPlainObject(query['general']) ||
    !isPlainObject(query['namespaces'])
  )
    return undefined
  const general = query['general']
  const aliases = asItems(query['namespacealiases'])
  return {
    generator: plainText(general['generator']),
    lang: plainText(general['lang']),
    ...databaseFact(general['dbtype']),
    ...wikiIdFact(general['wikiid']),
    ...modeFacts(general['misermode'], general['variants'] !== undefined),
    namespaces: Object.values(query['namespaces'])
      .flatMap((one) => decodeNamespace(one, aliases) ?? [])
      .sort((a, b) => a.id - b.id),
    ...specialPagesFact(ownPageNames(asItems(query['specialpagealiases']))),
    ...settingsIn(query)
  }
}

/** The items of an array, or of the numbered object that formatversion 1 writes for some. */
export const asItems = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : isPlainObject(value) ? Object.values(value) : []

/** Lists of the wiki's settings, and what of each item a comparison reads; the rest is long and changes often. */
const settingMembers: Readonly<Record<string, readonly string[]>> = {
  extensions: ['type', 'name', 'version'],
  skins: ['code', 'default'],
  usergroups: ['name', 'rights']
}
const counts = ['edits', 'images', 'pages']

function settingsIn(query: PlainObject) {
  const { statistics } = query
  if (
    !isPlainObject(statistics) ||
    !Object.keys(settingMembers).every((name) => name in query)
  )
    return {}
  const configuration = Object.entries(settingMembers).map(([name, members]) => [
    name,
    asItems(query[name])
      .filter(isPlainObject)
      .map((one) => pick(one, members))
  ])
  return {
    configuration: Object.fromEntries(configuration),
    statistics: pick(statistics, counts)
  }
}

const pick = (from: PlainObject, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in from ? [[name, from[name]]] : [])))

export const databaseFact = (name: unknown): Pick<SiteFacts, 'database'> =>
  typeof name === 'string' && name !== '' ? { database: name } : {}

export const wikiIdFact = (id: unknown): Pick<SiteFacts, 'wikiId'> =>
  typeof id === 'string' && id !== '' ? { wikiId: id } : {}

/** @param names of this wiki alone */
export const specialPagesFact = (
  names: ReadonlyMap<string, string>
): Pick<SiteFacts, 'specialPages'> => (names.size > 0 ? { specialPages: names } : {})

/** @param flag `""` is true in formatversion 1, which leaves it out if it is false; undefined where the wiki does not say */
export const modeFacts = (
  flag: unknown,
  hasVariants: boolean
): Pick<SiteFacts, 'miserMode' | 'hasVariants'> =>
  flag === undefined ? {} : { miserMode: flag === '' || flag === true, hasVariants }

function decodeNamespace(value: unknown, aliases: readonly unknown[]) {
  if (!isPlainObject(value) || typeof value['id'] !== 'number') return undefined
  const id = value['id']
  const others = aliases.flatMap((one) =>
    isPlainObject(one) && one['id'] === id ? [namespaceName(one)] : []
  )
  const canonical = plainText(value['canonical'])
  return {
    id,
    name: namespaceName(value),
    aliases: [...new Set(canonical === '' ? others : [canonical, ...others])],
    firstLetter: value['case'] !== 'case-sensitive'
  }
}

/** formatversion 2 says `name` (or `alias`), formatversion 1 says `*`. */
const namespaceName = (one: PlainObject) =>
  plainText(one['name'] ?? one['alias'] ?? one['*'])

/** True for MediaWiki 1.`minor` and later; false where the version is unknown. */
export const isVersionSince = (generator: string | undefined, minor: number): boolean =>
  (minorOf(generator) ?? -1) >= minor

/** A title taken apart; `text` is without the prefix, with spaces. */
export interface Title {
  readonly namespace: Namespace
  readonly text: string
}

/** Characters that make a title invalid or are not part of it (sections, entities, percent signs, bidi marks). */
const uncertainTitle =
  /&[^\s;&]*;|[\u0000-\u001f\u007f#<>[\]{}|%~\ufeff\ufffd\u200e\u200f\u202a-\u202e]|^\s*:/
/** Parts of a title that browsers would read as steps in a path. */
export const relativePathStep: RegExp = /(?:^|\/)\.\.?(?:\/|$)/
const blanks = /[ _\u00a0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g
/** Letters whose capital is one letter and the same in every version of Unicode that wikis run on. */
export const plainLetter: RegExp = /^[a-zà-öø-þα-ωа-яѐ-џ]$/
/** Languages with a dotted capital of `i`. */
const dottedILanguage = /^(?:az|crh|gag|kaa|kk|lzz|tr|tt|tly)\b/

/** Takes a title apart, or undefined where its canonical form is not certain from what the wiki says of itself. */
export function parseTitle(given: string, site: SiteFacts): Title | undefined {
  if (
    given === '' ||
    uncertainTitle.test(given) ||
    given.normalize('NFC') !== given ||
    !given.isWellFormed()
  )
    return undefined
  const spaced = given.replace(blanks, ' ').trim()
  const colon = spaced.indexOf(':')
  const main = site.namespaces.find(({ id }) => id === 0)
  if (colon < 0) return withCapital(main, spaced, site.lang)
  const namespace = namespaceNamed(spaced.slice(0, colon).trimEnd(), site)
  const text = spaced.slice(colon + 1).trimStart()
  // An unknown prefix may be another wiki's (interwiki) or part of the title: only the wiki can tell.
  if (!namespace) return undefined
  if ((namespace.id === 2 || namespace.id === 3) && ipAddress.test(text)) return undefined
  // `Talk:File:X` is no title; whether another prefix follows, only the wiki can tell.
  if (namespace.id === 1 && text.includes(':')) return undefined
  return withCapital(namespace, text, site.lang)
}

/** Pages of users' addresses have spellings of their own: `127.000.000.001`, `2001:db8::1`. */
const ipAddress = /^[0-9a-f:.]*[:.][0-9a-f:.]*(?:\/|$)/i

/** The title as the wiki writes it, e.g. `Файл:Map 07.png`. */
export const writeTitle = ({ namespace, text }: Title): string =>
  namespace.name === '' ? text : `${namespace.name}:${text}`

/** The canonical form, or undefined where it is not certain. */
export function canonicalTitle(given: string, site: SiteFacts): string | undefined {
  const title = parseTitle(given, site)
  return title && writeTitle(title)
}

function withCapital(namespace: Namespace | undefined, text: string, lang: string) {
  if (!namespace || text === '' || text.startsWith(':') || relativePathStep.test(text))
    return undefined
  const [first = ''] = text
  if (!namespace.firstLetter) return { namespace, text }
  if (first === first.toUpperCase() && !/\p{Ll}/u.test(first)) return { namespace, text }
  if (first === 'i' && dottedILanguage.test(lang)) return undefined
  return plainLetter.test(first)
    ? { namespace, text: first.toUpperCase() + text.slice(1) }
    : undefined
}

function namespaceNamed(name: string, site: SiteFacts) {
  const wanted = name.toLowerCase()
  return site.namespaces.find(
    (one) =>
      one.id !== 0 &&
      [one.name, ...one.aliases].some((alias) => alias.toLowerCase() === wanted)
  )
}
