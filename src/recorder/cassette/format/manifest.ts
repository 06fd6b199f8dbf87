/** `cassette.json`: which wiki a cassette is a recording of, and whether that is the wiki that it is opened for. */

import type { JsonTree } from '../../json/json-tree.ts'
import {
  fromPlain,
  isPlainObject,
  type PlainObject,
  plainItems,
  plainText,
  plainTexts
} from '../../json/plain-json.ts'
import type { IgnoredParam } from '../../request/ignored-params.ts'
import { wordSet } from '../../text/words.ts'
import type { SessionCookieNames } from '../../wiki/cookies/session-cookies.ts'
import {
  databaseFact,
  modeFacts,
  type SiteFacts,
  specialPagesFact,
  wikiIdFact
} from '../../wiki/site/site-facts.ts'

export const manifestName = 'cassette.json'

/** The newest file format; a larger number in a file is refused (docs/cassette-format.md). */
export const formatNumber = 2
/** What is written where a cassette has nothing of format 2, so that older versions read it. */
const selfContainedFormat = 1

export interface Manifest {
  readonly format: number
  /** The api-url that was recorded, without credentials. */
  readonly upstream: string
  /** MediaWiki's version, e.g. `1.43.9`; empty until the wiki has told it. */
  readonly engine: string
  readonly site: SiteFacts | undefined
  /** False where the wiki refuses `action=paraminfo`: requests are then matched by the built-in table. */
  readonly describesItself: boolean
  /** A day, e.g. `2026-11-21`: every part was recorded or confirmed on it or later (docs/decisions/0007-expiry.md). */
  readonly recorded?: string | undefined
  /** `strict` where a request matches only recordings of exactly the same spelling (docs/matching.md). */
  readonly match?: 'strict' | undefined
  /** Parameters whose values are not in the keys. */
  readonly ignore?: readonly IgnoredParam[] | undefined
  /** Sorted names of cookies that the wiki has proven to be its session's although their suffix does not say so. */
  readonly sessionCookies?: SessionCookieNames | undefined
  /** Callers whom their requests do not name, in the order recorded. */
  readonly callers?: readonly KnownCaller[] | undefined
  /** `ordered` if epochs are named by the writes of a session in their order; older versions sorted them. */
  readonly writes?: 'ordered' | undefined
  /** The folder with the descriptions that several cassettes share, relative to the cassette. In the file: `paraminfo`. */
  readonly sharedDescriptions?: string | undefined
  /** Members that a person or another program has written: kept as they are. */
  readonly unknown?: PlainObject | undefined
}

/** `judged` and `falseAlarms` were written by earlier versions, and are not kept. */
const knownNames = wordSet(
  'callers describesItself engine falseAlarms format ignore judged match paraminfo recorded sessionCookies site upstream writes'
)

/** Whom the wiki named for an `Authorization` header, or for a login with a bot password. */
export interface KnownCaller {
  /** As in `as user`; `anonymous` where the header names nobody. */
  readonly as: string
  /** The name of the bot password, e.g. `Admin@bot`; absent for a header. */
  readonly login?: string
  /** The name of the session; absent where it had none. */
  readonly session?: string
}

/** Upwards, then into the folder `paraminfo`: an untrusted cassette must not name any other place. */
const sharedFolderPattern = /^(?:\.\.\/)+paraminfo\/[\p{L}\p{N}_-][\p{L}\p{N}._-]*$/u

/** @param recorded the day of the first recording */
export const newManifest = (upstream: string, recorded?: string): Manifest => ({
  format: selfContainedFormat,
  upstream,
  engine: '',
  site: undefined,
  describesItself: true,
  recorded
})

/** A moment in milliseconds as the day in UTC. */
export const toDay = (moment: number): string =>
  new Date(moment).toISOString().slice(0, 10)

/** Undefined for what is no day of the calendar. */
export function parseDay(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(moment) && toDay(moment) === text ? text : undefined
}

export function encodeManifest(manifest: Manifest): JsonTree {
  const { callers, describesItself, engine, ignore, match, recorded, sessionCookies } =
    manifest
  const { sharedDescriptions, site, unknown, upstream, writes } = manifest
  return fromPlain({
    callers: callers?.map(({ as, login, session }) => ({ as, login, session })),
    describesItself: describesItself ? undefined : false,
    engine,
    format: sharedDescriptions === undefined ? selfContainedFormat : formatNumber,
    ignore: ignore?.map(({ module, param }) => ({ module, param })),
    match,
    paraminfo: sharedDescriptions,
    recorded,
    sessionCookies: sessionCookies && [...sessionCookies].sort(),
    site: site && encodeSite(site),
    upstream,
    writes,
    ...unknown
  })
}

const encodeSite = ({
  database,
  generator,
  lang,
  namespaces,
  wikiId,
  ...rest
}: SiteFacts) => ({
  configuration: rest.configuration,
  database,
  generator,
  lang,
  misermode: rest.miserMode,
  namespaces: namespaces.map(({ aliases, firstLetter, id, name }) => ({
    aliases,
    firstLetter,
    id,
    name
  })),
  specialpages: rest.specialPages && Object.fromEntries([...rest.specialPages].sort()),
  statistics: rest.statistics,
  variants: rest.hasVariants ? true : undefined,
  wikiid: wikiId
})

type ManifestReading =
  | { readonly kind: 'manifest'; readonly manifest: Manifest }
  | { readonly kind: 'too-new'; readonly format: number }
  | { readonly kind: 'broken'; readonly message: string }

export const isHttpAddress = (text: string): boolean =>
  /^https?:\/\//i.test(text) && URL.canParse(text)

export function decodeManifest(value: unknown): ManifestReading {
  if (!isPlainObject(value) || typeof value['format'] !== 'number')
    return { kind: 'broken', message: 'expected an object with a number under "format"' }
  if (value['format'] > formatNumber) return { kind: 'too-new', format: value['format'] }
  const { upstream = '', paraminfo: shared } = value
  if (typeof upstream !== 'string' || (upstream !== '' && !isHttpAddress(upstream)))
    return {
      kind: 'broken',
      message: 'expected the http address of an api.php under "upstream"'
    }
  const message =
    'expected a path under "paraminfo", e.g. "../paraminfo/ru.wikipedia.org"'
  if (
    shared !== undefined &&
    !(typeof shared === 'string' && sharedFolderPattern.test(shared))
  )
    return { kind: 'broken', message }
  const sessionCookies = plainTexts(value['sessionCookies'])
  const callers = plainItems(value['callers']).filter(isPlainObject).map(decodeCaller)
  const ignore = plainItems(value['ignore']).filter(isIgnoredParam)
  const unknown = Object.entries(value).filter(([name]) => !knownNames.has(name))
  return {
    kind: 'manifest',
    manifest: {
      format: shared === undefined ? selfContainedFormat : formatNumber,
      upstream,
      engine: plainText(value['engine']),
      site: isPlainObject(value['site']) ? decodeSiteFacts(value['site']) : undefined,
      describesItself: value['describesItself'] !== false,
      recorded: parseDay(value['recorded']),
      ignore: ignore.length === 0 ? undefined : ignore,
      match: value['match'] === 'strict' ? 'strict' : undefined,
      sessionCookies: sessionCookies.length === 0 ? undefined : sessionCookies,
      callers: callers.length === 0 ? undefined : callers,
      sharedDescriptions: shared,
      writes: value['writes'] === 'ordered' ? 'ordered' : undefined,
      ...(unknown.length === 0 ? {} : { unknown: Object.fromEntries(unknown) })
    }
  }
}

/** True of an item of `ignore`. */
export const isIgnoredParam = (value: unknown): value is IgnoredParam =>
  isPlainObject(value) &&
  typeof value['module'] === 'string' &&
  typeof value['param'] === 'string'

const decodeCaller = ({ as, login, session }: PlainObject) => ({
  as: plainText(as),
  ...(typeof login === 'string' ? { login } : {}),
  ...(typeof session === 'string' ? { session } : {})
})

/** The members of an object that are texts. */
const plainPairs = (value: unknown) =>
  new Map(
    Object.entries(isPlainObject(value) ? value : {}).map(([name, one]) => [
      name,
      plainText(one)
    ])
  )

const decodeSiteFacts = (value: PlainObject) => ({
  generator: plainText(value['generator']),
  lang: plainText(value['lang']),
  ...databaseFact(value['database']),
  ...wikiIdFact(value['wikiid']),
  ...modeFacts(value['misermode'], value['variants'] === true),
  ...specialPagesFact(plainPairs(value['specialpages'])),
  ...(isPlainObject(value['configuration'])
    ? { configuration: value['configuration'] }
    : {}),
  ...(isPlainObject(value['statistics']) ? { statistics: value['statistics'] } : {}),
  namespaces: plainItems(value['namespaces'])
    .filter(isPlainObject)
    .map((one) => ({
      id: typeof one['id'] === 'number' ? one['id'] : 0,
      name: plainText(one['name']),
      aliases: plainTexts(one['aliases']),
      firstLetter: one['firstLetter'] !== false
    }))
})

/** The path of a wiki's api.php, e.g. `/w/api.php`; undefined where its address is none. */
export const apiPathOf = (upstream: string): string | undefined =>
  URL.canParse(upstream) ? new URL(upstream).pathname : undefined
