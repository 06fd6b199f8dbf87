/**
 * What a request asks for of an entity, or of its claims, cut out of a recorded answer; undefined where that does not show it
 * whole. Source: Wikibase's ResultBuilder::getModifiedEntityArray, ::addStatements, GetClaimsStatementFilter; measured on 1.45.
 */
import {
  hasMember,
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonArray,
  memberOf,
  membersOf,
  objectOf,
  textAt,
  withoutMember,
} from '../../json/json-tree.ts'
import { quirkNames } from '../../knowledge/module-quirks.ts'

export interface EntityRequest {
  readonly props: ReadonlySet<string>
  /** Undefined: all. In the order sent. */
  readonly languages: readonly string[] | undefined
  readonly sites: readonly string[] | undefined
  readonly fallsBack: boolean
  readonly redirects: string
}

/** How this wiki writes an empty map, if a recording shows it. */
export type EmptyMap = () => JsonTree | undefined

/** Both times of one entity, or of one that is missing. */
export function entityPart(
  entity: JsonTree,
  from: EntityRequest,
  to: EntityRequest,
  emptyMap: EmptyMap,
): JsonTree | undefined {
  const isMissing = hasMember(entity, 'missing')
  // With `redirects=no` a redirect is missing, too.
  const mayDiffer = isMissing ? from.redirects !== 'yes' : memberOf(entity, 'redirects')
  if (mayDiffer && from.redirects !== to.redirects) return undefined
  if (isMissing) return entity
  if (!coversProps(from, to) || !coversTerms(entity, from, to)) return undefined

  const members: JsonMember[] = []
  for (const { key, value } of membersOf(entity)) {
    const prop = propOf(key)
    if (prop !== undefined && !to.props.has(prop)) continue
    const part = partOfMap(key, value, to)
    const isEmptied = membersOf(part).length === 0 && membersOf(value).length > 0
    const written = isEmptied ? emptyMap() : part
    if (written === undefined) return undefined
    members.push({ key, value: written })
  }
  return objectOf(members)
}

const propOf = (key: string): string | undefined =>
  quirkNames('entity-sets')
    .find((one) => one.endsWith(` ${key}`))
    ?.split(' ')[0]

/** `sitelinks/urls` changes the links, and no `props` at all the order. */
function coversProps(
  { props: from }: EntityRequest,
  { props: to }: EntityRequest,
): boolean {
  const isSame = (test: (props: ReadonlySet<string>) => boolean): boolean =>
    test(from) === test(to)
  const shown = new Set(quirkNames('entity-sets').map((one) => one.split(' ')[0] ?? ''))
  return (
    isSame((props) => props.has('sitelinks/urls')) &&
    isSame((props) => props.size === 0) &&
    [...to].every((one) => from.has(one) || !shown.has(one))
  )
}

const fallsBackIn = ({ languages, fallsBack }: EntityRequest): boolean =>
  languages !== undefined && fallsBack

function coversTerms(entity: JsonTree, from: EntityRequest, to: EntityRequest): boolean {
  const covers = (name: 'languages' | 'sites'): boolean =>
    from[name] === undefined ||
    to[name]?.every((one) => from[name]?.includes(one)) === true
  if (to.props.has('sitelinks') && !covers('sites')) return false
  const terms = termMaps.filter((one) => to.props.has(one))
  if (terms.length > 0 && !covers('languages')) return false
  if (fallsBackIn(from) || !fallsBackIn(to)) return true
  // Nothing to fall back for; aliases never do.
  return terms.every(
    (name) =>
      name === 'aliases' || to.languages?.every((one) => hasMember(entity, name, one)),
  )
}

const termMaps: readonly string[] = ['labels', 'descriptions', 'aliases']

function partOfMap(key: string, value: JsonTree, to: EntityRequest): JsonTree {
  if (value.kind !== 'object') return value
  const { languages, sites } = to
  if (key === 'sitelinks' && sites !== undefined)
    return objectOf(value.members.filter((one) => sites.includes(siteOf(one))))
  if (!termMaps.includes(key)) return value
  const isOwn = (one: JsonMember): boolean =>
    !['for-language', 'source-language'].some((name) => memberOf(one.value, name))
  const own = value.members.filter(isOwn)
  const others = value.members.filter((one) => !isOwn(one))
  const order = languages ?? []
  // What stands in for a missing term comes behind, in the request's order.
  others.sort((a, b) => order.indexOf(a.key) - order.indexOf(b.key))
  const all = fallsBackIn(to) ? [...own, ...others] : own
  return objectOf(all.filter((one) => languages?.includes(one.key) !== false))
}

const siteOf = ({ value }: JsonMember): string => textAt(value, 'site') ?? ''

export interface ClaimsRequest {
  readonly property?: string | undefined
  readonly rank?: string | undefined
  /** By its GUID; then the others do not count. */
  readonly claim?: string | undefined
  readonly hasReferences: boolean
}

export function claimsPart(
  claims: JsonTree,
  from: ClaimsRequest,
  to: ClaimsRequest,
  emptyMap: EmptyMap,
): JsonTree | undefined {
  if (!coversClaims(from, to) || (to.hasReferences && !from.hasReferences))
    return undefined

  const isWanted = (property: string, statement: JsonTree): boolean =>
    to.claim === undefined
      ? (to.property ?? property) === property &&
        (to.rank ?? rankOf(statement)) === rankOf(statement)
      : to.claim === guidOf(statement)
  const groups = membersOf(claims).flatMap(({ key, value }) => {
    const kept = itemsOf(value).filter((one) => isWanted(key, one))
    return kept.length === 0
      ? []
      : [{ key, kept, keepsFirst: kept[0] === itemsOf(value)[0] }]
  })
  // Groups come by their first statements.
  if (groups.length > 1 && !groups.every(({ keepsFirst }) => keepsFirst)) return undefined
  const isOtherCase = itemsOf(claims).some((group) =>
    itemsOf(group).some((one) => guidOf(one).toLowerCase() === to.claim?.toLowerCase()),
  )
  if (groups.length === 0 && isOtherCase) return undefined
  if (groups.length === 0) return membersOf(claims).length === 0 ? claims : emptyMap()
  const written = (one: JsonTree): JsonTree =>
    to.hasReferences ? one : withoutMember(one, 'references')
  return objectOf(
    groups.map(({ key, kept }) => ({ key, value: jsonArray(kept.map(written)) })),
  )
}

/** With a GUID, the other filters are not looked at. */
function coversClaims(from: ClaimsRequest, to: ClaimsRequest): boolean {
  if (from.claim !== undefined) return from.claim === to.claim
  const names = ['property', 'rank'] as const
  return names.every(
    (name) =>
      from[name] === undefined || (to.claim === undefined && from[name] === to[name]),
  )
}

const rankOf = (statement: JsonTree): string => textAt(statement, 'rank') ?? ''
const guidOf = (statement: JsonTree): string => textAt(statement, 'id') ?? ''
