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
  memberAt,
  memberOf,
  membersOf,
  objectOf,
  textAt,
  withoutMember
} from '../../../json/json-tree.ts'
import { quirkNames } from '../../../knowledge/module-quirks.ts'
import type { Derivation } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { entityIn } from '../../../wiki/effects/entities.ts'
import type { ModuleDescription } from '../../../wiki/modules/module-descriptions.ts'
import { type Params, splitValues } from '../../../wiki/parameters/request-params.ts'
import type { PageSource } from '../composed-answer.ts'

/** What the wiki says of the module, and how it writes an empty map, if a recording shows that. */
interface EntityModule {
  readonly description: ModuleDescription
  readonly emptyMap: (names: readonly string[]) => JsonTree | undefined
}

/** Members of an entity that are maps by language. */
const termNames: readonly string[] = ['labels', 'descriptions', 'aliases']
const mapNames: readonly string[] = [...termNames, 'claims']

export const isEntityMap = (name: string): boolean =>
  mapNames.includes(name) || name === 'sitelinks'

/** There all empty maps are alike, whatever JSON makes of them. */
export const isOfPhp = ({ request }: PageSource['from']): boolean =>
  request.get('format') === 'php'

/** An entity with some of its members and languages, or one that is missing. */
export function entityPart(
  id: string,
  { from, body }: PageSource,
  { canonical, sentValues }: Derivation,
  { description, emptyMap }: EntityModule
): JsonTree | undefined {
  const entity = memberAt(body, 'entities', id)
  if (!entity) return undefined
  const recorded = chosenParts(from.request, from.sentValues, description)
  const requested = chosenParts(canonical, sentValues, description)
  // Of others the wiki warns.
  const areKnown = (['languages', 'sitefilter'] as const).every((name) => {
    const known = description.parameters.get(name)?.values
    const values = requested[name] ?? []
    return values.every((one) => recorded[name]?.includes(one) || known?.has(one))
  })
  if (!areKnown || !coversProps(recorded.props, requested.props)) return undefined
  const isMissing = hasMember(entity, 'missing')
  // With `redirects=no` a redirect is missing, too.
  const mayDiffer = isMissing
    ? recorded.redirects !== 'yes'
    : hasMember(entity, 'redirects')
  if (mayDiffer && recorded.redirects !== requested.redirects) return undefined
  if (isMissing) return entity
  if (!coversTerms(entity, recorded, requested)) return undefined

  const members: JsonMember[] = []
  for (const { key, value } of membersOf(entity)) {
    const named = quirkNames('entity-sets').find((one) => one.endsWith(` ${key}`))
    if (named && !requested.props.includes(named.split(' ')[0] ?? '')) continue
    const part = partIn(key, value, requested)
    const wasWritten = membersOf(value).length === 0 && !isOfPhp(from)
    const isEmptied = isEntityMap(key) && itemsOf(part).length === 0 && !wasWritten
    const written = isEmptied ? emptyMap(key === 'sitelinks' ? [key] : mapNames) : part
    if (!written) return undefined
    members.push({ key, value: written })
  }
  return objectOf(members)
}

function partIn(key: string, value: JsonTree, requested: EntityParts) {
  if (termNames.includes(key)) return termsIn(value, requested)
  const { sitefilter } = requested
  if (key !== 'sitelinks' || value.kind !== 'object' || !sitefilter) return value
  return objectOf(value.members.filter((one) => sitefilter.includes(one.key)))
}

/** Of the terms that stand in for missing ones the order is that of the request, behind the others. */
function termsIn(terms: JsonTree, { languages, fallsBack }: EntityParts) {
  if (terms.kind !== 'object' || !languages) return terms
  const wanted = terms.members.filter(({ key }) => languages.includes(key))
  const own = wanted.filter(isOwnTerm)
  const others = languages.flatMap((one) =>
    wanted.filter((term) => term.key === one && !isOwnTerm(term))
  )
  return objectOf(fallsBack ? [...own, ...others] : own)
}

const isOwnTerm = ({ value }: JsonMember) =>
  !hasMember(value, 'for-language') && !hasMember(value, 'source-language')

interface EntityParts {
  readonly props: readonly string[]
  /** Undefined: all. */
  readonly languages: readonly string[] | undefined
  /** The same of sites. */
  readonly sitefilter: readonly string[] | undefined
  readonly fallsBack: boolean
  readonly redirects: string
}

function chosenParts(
  request: CanonicalRequest,
  sentValues: Params,
  { parameters }: ModuleDescription
) {
  const values = (name: string) =>
    splitValues(
      sentValues.get(name) ?? request.get(name) ?? parameters.get(name)?.default ?? ''
    )
  const [languages, sitefilter] = ['languages', 'sitefilter'].map((name) => {
    const chosen = values(name)
    return chosen.length === 0 ? undefined : chosen
  })
  const props = values('props')
  return {
    props: props.includes('sitelinks/urls') ? props.concat('sitelinks') : props,
    languages,
    sitefilter,
    fallsBack: request.has('languagefallback') && languages !== undefined,
    redirects: request.get('redirects') ?? 'yes'
  }
}

/** `sitelinks/urls` changes the links, and no `props` at all the order. */
const coversProps = (from: readonly string[], to: readonly string[]) =>
  from.includes('sitelinks/urls') === to.includes('sitelinks/urls') &&
  (from.length === 0) === (to.length === 0) &&
  to.every((one) => from.includes(one))

/** @param from undefined: all */
const coversValues = (
  from: readonly string[] | undefined,
  to: readonly string[] | undefined
) => !from || to?.every((one) => from.includes(one)) === true

function coversTerms(
  entity: JsonTree,
  { languages, sitefilter, fallsBack }: EntityParts,
  { languages: to, ...requested }: EntityParts
) {
  const terms = termNames.filter((one) => requested.props.includes(one))
  if (terms.length > 0 && !coversValues(languages, to)) return false
  const showsLinks = requested.props.includes('sitelinks')
  if (showsLinks && !coversValues(sitefilter, requested.sitefilter)) return false
  if (fallsBack || !requested.fallsBack) return true
  // Nothing to fall back for; aliases never do.
  return terms.every(
    (name) =>
      name === 'aliases' || to?.every((language) => hasMember(entity, name, language))
  )
}

interface ClaimsFilter {
  readonly property: string | undefined
  readonly rank: string | undefined
  /** By its GUID; then the others are not looked at. */
  readonly claim: string | undefined
  readonly hasReferences: boolean
}

/** Undefined for values that the wiki may refuse. */
function claimsFilter(request: CanonicalRequest, { parameters }: ModuleDescription) {
  const property = request.get('property')?.toUpperCase()
  const rank = request.get('rank')
  const isRank = rank === undefined || parameters.get('rank')?.values.has(rank) === true
  if (!isRank || (property !== undefined && !/^P[1-9]\d{0,8}$/.test(property)))
    return undefined
  const props = request.get('props') ?? parameters.get('props')?.default
  if (props !== '' && props !== 'references') return undefined
  return { property, rank, claim: request.get('claim'), hasReferences: props !== '' }
}

/** Claims out of a whole entity, or out of other claims of it. */
export function claimsPart(
  id: string,
  { from, body }: PageSource,
  { canonical }: Derivation,
  { description, emptyMap }: EntityModule
): JsonTree | undefined {
  const { request } = from
  const to = claimsFilter(canonical, description)
  const entity = memberAt(body, 'entities', id)
  const claims = memberOf(entity ?? body, 'claims')
  if (!to || !claims) return undefined
  if (!entity) {
    const shown = request.get('entity') ?? request.get('claim') ?? ''
    const recorded = claimsFilter(request, description)
    const isOfEntity = entityIn(shown.toUpperCase()) === id
    if (!recorded || !isOfEntity || !coversClaims(recorded, to)) return undefined
    // For a redirect the wiki has an error.
  } else if (!hasMember(entity, 'id') || hasMember(entity, 'redirects')) return undefined

  const isWanted = (property: string, statement: JsonTree) =>
    to.claim === undefined
      ? [undefined, property].includes(to.property) &&
        [undefined, textAt(statement, 'rank')].includes(to.rank)
      : to.claim === textAt(statement, 'id')
  const groups = membersOf(claims).flatMap(({ key, value }) => {
    const wanted = itemsOf(value).filter((one) => isWanted(key, one))
    return wanted.length === 0
      ? []
      : [{ key, wanted, isFirst: wanted[0] === itemsOf(value)[0] }]
  })
  // Groups come by their first statements.
  if (groups.length > 1 && !groups.every(({ isFirst }) => isFirst)) return undefined
  if (groups.length === 0) {
    // A GUID may be spelled in another case.
    if (to.claim !== undefined) return undefined
    const wasWritten = membersOf(claims).length === 0 && !isOfPhp(from)
    return wasWritten ? claims : emptyMap(mapNames)
  }
  const written = (one: JsonTree) =>
    to.hasReferences ? one : withoutMember(one, 'references')
  return objectOf(
    groups.map(({ key, wanted }) => ({ key, value: jsonArray(wanted.map(written)) }))
  )
}

function coversClaims(from: ClaimsFilter, to: ClaimsFilter) {
  if (to.hasReferences && !from.hasReferences) return false
  if (from.claim !== undefined) return from.claim === to.claim
  const names = ['property', 'rank'] as const
  return names.every(
    (name) =>
      from[name] === undefined || (to.claim === undefined && from[name] === to[name])
  )
}
