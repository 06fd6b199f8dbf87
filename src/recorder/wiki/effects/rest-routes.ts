/**
 * Which pages and entities a request to rest.php names. Source: includes/Rest/coreRoutes.json, PageSourceHandler,
 * PageHistoryHandler, EditHandler of MediaWiki 1.35 to 1.45; repo/rest-api of Wikibase 1.45.
 */
import { decodePercent } from '../../text/percent-decoding.ts'
import { entityIn } from './entities.ts'

export interface RestNames {
  readonly titles: readonly string[]
  readonly entities: readonly string[]
}

/** Its source, its revisions. What is rendered, and what is linked to, shows other pages. */
const ofPage = /\/rest\.php\/v1\/page\/([^/?]+)(?:\/(?:bare|history(?:\/counts\/[^/?]+)?))?(?:\?|$)/
const newPage = /\/rest\.php\/v1\/page\/?(?:\?|$)/
const ofEntity = /\/rest\.php\/wikibase\/v[01]\/(?:entities\/[a-z]+\/|statements\/)([^/?]+)/
const newEntity = /\/rest\.php\/wikibase\/v[01]\/entities\/[a-z]+\/?(?:\?|$)/

/** Undefined for routes of which nothing is known; none where only the answer names them. */
export function restNames(target: string): RestNames | undefined {
  const title = ofPage.exec(target)?.[1]
  if (title !== undefined) return { titles: [decodePercent(title)], entities: [] }
  const id = ofEntity.exec(target)?.[1]
  const entity = id === undefined ? undefined : entityIn(decodePercent(id).toUpperCase())
  if (entity !== undefined) return { titles: [], entities: [entity] }
  return newPage.test(target) || newEntity.test(target) ? { titles: [], entities: [] } : undefined
}

export const isEntityRoute = (target: string): boolean =>
  ofEntity.test(target) || newEntity.test(target)
