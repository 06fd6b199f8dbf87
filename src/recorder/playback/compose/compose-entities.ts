/**
 * Answers to `ids=` composed of entities recorded in other sets, and the claims of an entity out of a recorded whole one: an
 * entity is the same in whatever company. Source: Wikibase's GetEntities, GetClaims; measured on 1.45.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberAt,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  textAt,
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { wordSet } from '../../text/words.ts'
import { maxResultSize, resultSize } from '../../wiki/answers/result-size.ts'
import { entityIn } from '../../wiki/effects/entities.ts'
import { readsPages } from '../../wiki/effects/read-set.ts'
import type { ModuleDescription } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import {
  type ComposedAnswer,
  maxValues,
  type UncertainComposition,
} from './composed-answer.ts'
import {
  type ClaimsRequest,
  claimsPart,
  type EmptyMap,
  type EntityRequest,
  entityPart,
} from './entity-parts.ts'
import { isCurrent, type WriteHistory } from './page-validity.ts'

/** The entities that a request names, if it names nothing else. */
export function requestedEntities({
  canonical,
  sentValues,
}: Derivation): readonly string[] {
  const action = canonical.get('action') ?? ''
  const isSet = hasQuirk('entity-sets', action)
  if (!isSet && !hasQuirk('entity-claims', action)) return []
  if (canonical.has('sites') || canonical.has('titles')) return []
  const named = isSet
    ? splitValues(sentValues.get('ids') ?? canonical.get('ids') ?? '')
    : [canonical.get('entity') ?? canonical.get('claim') ?? '']
  const ids = named.flatMap((one) => entityIn(one.toUpperCase()) ?? [])
  const isPlain =
    ids.length === named.length &&
    (isSet || !canonical.has('entity') || !canonical.has('claim'))
  return isPlain && ids.length <= maxValues ? [...new Set(ids)] : []
}

/** A recorded answer that may show some of the entities. */
interface EntitySource {
  readonly from: Interaction
  readonly body: JsonTree
}

/** @param recordings of both kinds, in any epoch. @param history writes before this request */
export function composeEntities(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory,
): ComposedAnswer | UncertainComposition | undefined {
  const ids = requestedEntities(derivation)
  if (ids.length === 0) return undefined
  const { canonical } = derivation
  const isSet = hasQuirk('entity-sets', canonical.get('action') ?? '')
  const sources = entitySources(recordings, canonical)
  const emptyMap: EmptyMap = () => emptyMapIn(sources)
  const used: Interaction[] = []
  const members: JsonMember[] = []
  for (const id of ids) {
    let wasFound = false
    const found = sources.find(({ from, body }) => {
      const part = isSet
        ? entityOf(id, { from, body }, derivation, facts, emptyMap)
        : claimsOf(id, { from, body }, canonical, facts, emptyMap)
      if (part === undefined) return false
      wasFound = true
      const shown = textAt(body, 'entities', id, 'id') ?? id
      if (!isCurrent(from.request, canonical, readsPages(new Set([id, shown])), history))
        return false
      members.push({ key: id, value: part })
      return true
    })
    if (found === undefined) {
      const why = `${id} only in an epoch with other writes of the session`
      return wasFound ? { kind: 'uncertain', why, inOtherEpoch: true } : undefined
    }
    used.push(found.from)
  }
  const size = members.reduce((sum, { value }) => sum + resultSize(value), 0)
  if (size > maxResultSize(sources.map(({ body }) => body))) return undefined
  const model = sources.find(({ from }) => from === used[0])?.body
  const [only] = members
  if (model === undefined || only === undefined) return undefined
  const body = isSet
    ? replaceMember(model, 'entities', () => objectOf(members))
    : objectOf([{ key: 'claims', value: only.value }])
  return { kind: 'composed', body, from: [...new Set(used.map(({ key }) => key))] }
}

/** Parameters that choose entities and their parts; with any other, answers are compared as a whole. */
const choosingParams = wordSet(
  'action ids props languages languagefallback sitefilter redirects entity property rank claim formatversion',
)

const rest = (request: CanonicalRequest): ReadonlyMap<string, string> =>
  new Map(
    [...request].filter(([name]) => !choosingParams.has(name) && name !== epochParam),
  )

/** Complete answers without warnings, in this request's format. */
function entitySources(
  recordings: Iterable<Interaction>,
  canonical: CanonicalRequest,
): readonly EntitySource[] {
  const wanted = rest(canonical)
  const version = (request: CanonicalRequest): string =>
    request.get('formatversion') ?? '1'
  return [...recordings].flatMap((from): readonly EntitySource[] => {
    const body = singleAnswerOf(from)
    if (body === undefined || !sameTexts(rest(from.request), wanted)) return []
    const isPlain = membersOf(body).every(({ key }) =>
      ['entities', 'success', 'claims'].includes(key),
    )
    const isSame = version(from.request) === version(canonical)
    return isPlain && (isSame || hasOneForm(body)) ? [{ from, body }] : []
  })
}

/** Source: DataValues of Wikibase. Other types may have booleans, which formatversion 1 writes otherwise, or not at all. */
const plainTypes = wordSet(
  'item property statement value somevalue novalue string wikibase-entityid quantity time globecoordinate monolingualtext',
)

/** True of an answer that is the same in both versions of formats. */
function hasOneForm(tree: JsonTree, key = ''): boolean {
  if (tree.kind === 'literal') return !['true', 'false'].includes(tree.text)
  if (tree.kind === 'string') return key !== 'type' || plainTypes.has(tree.value)
  return tree.kind === 'array'
    ? tree.items.every((one) => hasOneForm(one))
    : tree.members.every((one) => hasOneForm(one.value, one.key))
}

function emptyMapIn(sources: readonly EntitySource[]): JsonTree | undefined {
  for (const { body } of sources) {
    const maps = itemsAt(body, 'entities').flatMap((one) =>
      ['labels', 'descriptions', 'aliases', 'claims'].flatMap(
        (name) => memberOf(one, name) ?? [],
      ),
    )
    const empty = [
      ...maps,
      ...[memberOf(body, 'claims')].flatMap((one) => one ?? []),
    ].find((one) => itemsOf(one).length === 0)
    if (empty !== undefined) return empty
  }
  return undefined
}

function entityOf(
  id: string,
  { from, body }: EntitySource,
  derivation: Derivation,
  { lookup }: WikiFacts,
  emptyMap: EmptyMap,
): JsonTree | undefined {
  const entity = memberAt(body, 'entities', id)
  const description = lookup(derivation.canonical.get('action') ?? '')
  if (entity === undefined || description === undefined) return undefined
  const recorded = entityRequest(from.request, from.sentValues, description)
  const requested = entityRequest(
    derivation.canonical,
    derivation.sentValues,
    description,
  )
  const isKnown = (name: 'props' | 'languages' | 'sites', param: string): boolean =>
    [...(requested[name] ?? [])].every(
      (one) =>
        [...(recorded[name] ?? [])].includes(one) ||
        description.parameters.get(param)?.values.has(one) === true,
    )
  // The wiki warns of others.
  const isAccepted =
    isKnown('props', 'props') &&
    isKnown('languages', 'languages') &&
    isKnown('sites', 'sitefilter')
  return isAccepted ? entityPart(entity, recorded, requested, emptyMap) : undefined
}

function entityRequest(
  request: CanonicalRequest,
  sentValues: Derivation['sentValues'],
  { parameters }: ModuleDescription,
): EntityRequest {
  const values = (name: string): readonly string[] | undefined => {
    const sent =
      sentValues.get(name) ?? request.get(name) ?? parameters.get(name)?.default
    return sent === undefined || sent === '' ? undefined : splitValues(sent)
  }
  return {
    props: new Set(values('props')),
    languages: values('languages'),
    sites: values('sitefilter'),
    fallsBack: request.has('languagefallback'),
    redirects: values('redirects')?.[0] ?? 'yes',
  }
}

function claimsOf(
  id: string,
  { from: { request }, body }: EntitySource,
  canonical: CanonicalRequest,
  { lookup }: WikiFacts,
  emptyMap: EmptyMap,
): JsonTree | undefined {
  const description = lookup(canonical.get('action') ?? '')
  const requested = description && claimsRequest(canonical, description)
  if (description === undefined || requested === undefined) return undefined
  const entity = memberAt(body, 'entities', id)
  // For a redirect the wiki has an error.
  if (entity !== undefined)
    return !hasMember(entity, 'id') || hasMember(entity, 'redirects')
      ? undefined
      : claimsIn(entity, { hasReferences: true }, requested, emptyMap)
  const shown = request.get('entity') ?? request.get('claim') ?? ''
  const recorded = claimsRequest(request, description)
  return entityIn(shown.toUpperCase()) === id && recorded
    ? claimsIn(body, recorded, requested, emptyMap)
    : undefined
}

function claimsIn(
  tree: JsonTree,
  recorded: ClaimsRequest,
  requested: ClaimsRequest,
  emptyMap: EmptyMap,
): JsonTree | undefined {
  const claims = memberOf(tree, 'claims')
  return claims && claimsPart(claims, recorded, requested, emptyMap)
}

/** Undefined for values that the wiki may refuse. */
function claimsRequest(
  request: CanonicalRequest,
  { parameters }: ModuleDescription,
): ClaimsRequest | undefined {
  const property = request.get('property')?.toUpperCase()
  const rank = request.get('rank')
  const isRank = rank === undefined || parameters.get('rank')?.values.has(rank) === true
  if (!isRank || (property !== undefined && !/^P[1-9]\d{0,8}$/.test(property)))
    return undefined
  const props = request.get('props') ?? parameters.get('props')?.default
  if (props !== '' && props !== 'references') return undefined
  return { property, rank, claim: request.get('claim'), hasReferences: props !== '' }
}
