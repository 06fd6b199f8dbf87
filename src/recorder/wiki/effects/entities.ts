/**
 * Entities of Wikibase as pages: whichever way a request names one, its id is the name of its page. Source: Wikibase's API
 * modules, ItemId, StatementGuid; measured on 1.45.
 */
import {
  itemsOf,
  type JsonTree,
  memberAt,
  memberOf,
  textOf
} from '../../json/json-tree.ts'
import { wordSet } from '../../text/words.ts'
import { type Params, valuesOf } from '../parameters/request-params.ts'

/** The entity that an id names, or the GUID of one of its statements; undefined for any other text. */
export const entityIn = (text: string): string | undefined =>
  /^([LPQ][1-9]\d{0,8})(?:\$[\w-]+)?$/.exec(text)?.[1]

/** True of the name of a property, whose data type shows in each entity that uses it. */
export const isProperty = (name: string): boolean => /^P[1-9]\d*$/.test(name)

/** They change the entities that they and their answers name, and no others. */
const entityActions = wordSet(`
  wbeditentity wbsetlabel wbsetdescription wbsetaliases wbsetsitelink wbcreateclaim wbsetclaim wbsetclaimvalue wbsetqualifier
  wbsetreference wbremoveclaims wbremovequalifiers wbremovereferences wbmergeitems wbcreateredirect wblinktitles`)
/** Their answers depend on nothing but what they name. Labels, descriptions and links to sites must differ from those of all others. */
const localActions = wordSet(`
  wbsetaliases wbcreateclaim wbsetclaim wbsetclaimvalue wbsetqualifier wbsetreference wbremoveclaims wbremovequalifiers
  wbremovereferences`)
const namingParams = 'id entity claim statement fromid toid from to'.split(' ')

export const writesEntities = (action: string): boolean => entityActions.has(action)

/** The entities that a write names, and those of its answer. */
export function writtenEntities(
  canonical: Params,
  inAnswer: readonly string[]
): ReadonlySet<string> {
  const sent = namingParams.flatMap((name) => valuesOf(canonical, name))
  return new Set(
    [...sent, ...inAnswer].flatMap((one) => entityIn(one.toUpperCase()) ?? [])
  )
}

/** The entities that a read shows, where no redirect leads to others: no property is one, and claims of one are an error. */
export function entitiesRead(canonical: Params): ReadonlySet<string> | undefined {
  const action = canonical.get('action')
  const showsClaims = action === 'wbgetclaims'
  const isSet = action === 'wbgetentities' && !canonical.has('titles')
  if (!showsClaims && !isSet) return undefined
  const named = valuesOf(canonical, showsClaims ? 'entity' : 'ids')
  const ids = entitiesNamed(named)
  const isDirect =
    showsClaims || canonical.get('redirects') === 'no' || ids.every(isProperty)
  return isDirect && ids.length > 0 ? new Set(ids) : undefined
}

/** Entities by ids as clients spell them; none if one is no id. */
export function entitiesNamed(values: readonly string[]): readonly string[] {
  const ids = values.flatMap((one) => entityIn(one.toUpperCase()) ?? [])
  return ids.length === values.length ? ids : []
}

/** All that decides how such a write ends: values name entities, too. Undefined where that may be any entity. */
export function entitiesBehind(canonical: Params): ReadonlySet<string> | undefined {
  if (!localActions.has(canonical.get('action') ?? '')) return undefined
  const text = [...canonical.values()].join('\n').toUpperCase()
  const named = text.match(/\b[LPQ][1-9]\d{0,8}\b/g)
  return named === null ? undefined : new Set(named)
}

/** Ids in the answer to a write: of the entity, of two that were merged, of statements. */
export function entitiesInAnswer(tree: JsonTree | undefined): readonly string[] {
  const ids = ['entity', 'from', 'to', 'claim'].map((name) => memberAt(tree, name, 'id'))
  return [...ids, ...itemsOf(memberOf(tree, 'claims'))].flatMap(
    (one) => textOf(one) ?? []
  )
}
