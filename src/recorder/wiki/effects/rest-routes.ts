/**
 * Which pages and entities a request to rest.php names. Source: includes/Rest/coreRoutes.json, PageSourceHandler,
 * PageHistoryHandler, EditHandler of MediaWiki 1.35 to 1.45; repo/rest-api of Wikibase 1.45.
 */
import { decodePercent, decodeQuery } from '../../text/percent-decoding.ts'
import { entityIn } from './entities.ts'

export interface RestNames {
  readonly titles: readonly string[]
  readonly entities: readonly string[]
}

/** Its source, its revisions. What is rendered, and what is linked to, shows other pages. */
const ofPage =
  /\/rest\.php\/v1\/page\/([^/?]+)(?:\/(?:bare|history(?:\/counts\/[^/?]+)?))?(?:\?|$)/
const newPage = /\/rest\.php\/v1\/page\/?(?:\?|$)/
const ofEntity =
  /\/rest\.php\/wikibase\/v[01]\/(?:entities\/[a-z]+\/|statements\/)([^/?]+)/
const newEntity = /\/rest\.php\/wikibase\/v[01]\/entities\/[a-z]+\/?(?:\?|$)/

/** Undefined for routes of which nothing is known; none where only the answer names them. */
export function restNames(target: string): RestNames | undefined {
  const title = ofPage.exec(target)?.[1] ?? rawPage(target)
  if (title !== undefined) return { titles: [decodePercent(title)], entities: [] }
  const entity = entityIn(decodePercent(ofEntity.exec(target)?.[1] ?? '').toUpperCase())
  if (entity !== undefined) return { titles: [], entities: [entity] }
  return newPage.test(target) || newEntity.test(target)
    ? { titles: [], entities: [] }
    : undefined
}

/** The saved text of a page (RawAction); with other parameters its templates are expanded, or it is another page's. */
const rawPage = (target: string) =>
  /\/index\.php\?(?:action=raw&title=([^&+]+)|title=([^&+]+)&action=raw)$/
    .exec(target)
    ?.slice(1)
    .find((one) => one !== undefined)

const listing = /\/rest\.php\/v1\/(?:search\/|page\/[^/]+\/history(?:\?|$))/

/** True for listings, whose batches are served as recorded (docs/rest.md). */
export const isRestListing = (target: string): boolean => listing.test(target)

export const isEntityRoute = (target: string): boolean =>
  ofEntity.test(target) || newEntity.test(target)

/** Another spelling of such a path is the same; that of a route which does not exist shows in the error. */
const knownRoute =
  /\/rest\.php\/(?:v1\/(?:page\/[^/]+(?:\/(?:bare|html|with_html|history(?:\/counts\/[^/]+)?|links\/[a-z]+))?|file\/[^/]+|search\/[a-z]+|revision\/[^/]+(?:\/[a-z_]+)?)|wikibase\/v[01]\/.+)$/

/** What a route takes if it is not sent. Source: SearchHandler, measured on 1.35, 1.39 and 1.43; Wikibase's OpenAPI. */
const routeDefaults: readonly (readonly [route: RegExp, defaults: string])[] = [
  [/\/rest\.php\/v1\/search\/(?:page|title)$/, 'limit=50'],
  [/\/wikibase\/v[01]\/(?:search|suggest)\/[a-z]+$/, 'limit=10&offset=0']
]

/** An address of rest.php in one spelling: escapes, order of parameters and defaults, unless a redirect may repeat it. */
export function restTarget(target: string): string {
  const [path = '', query] = target.split(/\?(.*)/s, 2)
  if (!knownRoute.test(path)) return target
  const spelled = path.split('/').map(spellPart).join('/')
  const pairs = (query ?? '').split('&').filter((pair) => pair !== '')
  const names = pairs.map((pair) => decodeQuery(pair.split('=', 1)[0] ?? ''))
  const isPlain =
    new Set(names).size === names.length && !names.some((name) => name.includes('['))
  if (pairs.length === 0 || !isPlain || path.includes('/page/'))
    return query === undefined ? spelled : `${spelled}?${query}`
  const defaults = routeDefaults.find(([route]) => route.test(spelled))?.[1].split('&')
  const sorted = pairs
    .map((pair) => pair.split('=').map(decodeQuery).map(encodeURIComponent).join('='))
    .filter((pair) => defaults?.includes(pair) !== true)
  return `${spelled}?${sorted.sort().join('&')}`
}

function spellPart(part: string) {
  const decoded = decodePercent(part)
  if (/^\.*$/.test(decoded) || (decoded === part && part.includes('%'))) return part
  return encodeURIComponent(decoded).replace(
    /%(?:3A|40|2C|3B|3D|2B|24|26)/g,
    decodePercent
  )
}
