/**
 * Answers to `ids=` composed of entities recorded in other sets, and the claims of an entity out of a recorded whole one: an
 * entity is the same in whatever company. Source: Wikibase's GetEntities, GetClaims; measured on 1.45.
 */
import { type Interaction, sameTexts } from '../../../cassette/interaction.ts'
import {
  itemsAt,
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  textAt
} from '../../../json/json-tree.ts'
import { hasQuirk } from '../../../knowledge/module-quirks.ts'
import { singleAnswerOf } from '../../../paging/reading/batch.ts'
import type { Derivation, WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { epochParam } from '../../../request/scoped-keys.ts'
import { wordSet } from '../../../text/words.ts'
import { readPhp } from '../../../wiki/answers/php-serialized.ts'
import { maxResultSize, resultSize } from '../../../wiki/answers/result-size.ts'
import { entitiesNamed } from '../../../wiki/effects/entities.ts'
import { readsPages } from '../../../wiki/effects/read-set.ts'
import { splitValues, withoutParams } from '../../../wiki/parameters/request-params.ts'
import {
  type Composition,
  composedFrom,
  inOtherEpoch,
  maxValues,
  type PageSource
} from '../composed-answer.ts'
import { isCurrent, type WriteHistory } from '../page-validity.ts'
import { claimsPart, entityPart, isEntityMap, isOfPhp } from './entity-parts.ts'
import { linkedEntities } from './linked-entities.ts'

/** The entities that a request names by their ids. */
export function requestedEntities({
  canonical,
  sentValues
}: Derivation): readonly string[] {
  const action = canonical.get('action') ?? ''
  const isSet = hasQuirk('entity-sets', action)
  if (!isSet && !hasQuirk('entity-claims', action)) return []
  const entity = canonical.get('entity')
  const claim = canonical.get('claim')
  if (!isSet && entity !== undefined && claim !== undefined) return []
  const named = isSet
    ? splitValues(sentValues.get('ids') ?? canonical.get('ids') ?? '')
    : [entity ?? claim ?? '']
  const ids = entitiesNamed(named)
  return ids.length <= maxValues ? [...new Set(ids)] : []
}

/** @param recordings of both kinds, in any epoch. @param history writes before this request */
export function composeEntities(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory
): Composition | undefined {
  const { canonical } = derivation
  const action = canonical.get('action') ?? ''
  const isSet = hasQuirk('entity-sets', action)
  const isNamed = canonical.has(isSet ? 'ids' : 'entity') || canonical.has('claim')
  const named = requestedEntities(derivation)
  const description = facts.lookup(action)
  // The wiki warns of a parameter that no module has; PHP has versions, as JSON has them.
  const isPhp = canonical.get('format') === 'php'
  const isPlain = derivation.unknownNames.every((one) => isPhp && one === 'formatversion')
  const mayCompose = named.length > 0 || (isSet && !isNamed)
  if (!mayCompose || !description || !isPlain) return undefined
  const sources = entitySources(recordings, canonical, isSet)
  const linked = isSet ? linkedEntities(derivation, sources, facts, history) : []
  if (!linked) return undefined
  const ids = new Set(named)
  const bodies = sources.flatMap(({ from, body }) => (isOfPhp(from) ? [] : [body]))
  const cut = isSet ? entityPart : claimsPart
  // Other formats write all empty ones alike.
  const hasOneEmpty = canonical.has('format')
  const emptyMap = (names: readonly string[]) =>
    (hasOneEmpty ? [objectOf([{ key: names[0] ?? '', value: objectOf([]) }])] : bodies)
      .flatMap((body) => [body, ...itemsAt(body, 'entities')])
      .flatMap((holder) => names.flatMap((name) => memberOf(holder, name) ?? []))
      .find((one) => itemsOf(one).length === 0)
  const used: PageSource[] = []
  const members: JsonMember[] = []
  for (const { entity, shownBy } of linked) {
    used.push(shownBy)
    if (typeof entity === 'string') ids.add(entity)
    else members.push({ key: String(-1 - members.length), value: entity })
  }
  for (const id of ids) {
    let isShown = false
    const found = sources.find((source) => {
      const value = cut(id, source, derivation, { description, emptyMap })
      if (!value) return false
      isShown = true
      const shown = textAt(source.body, 'entities', id, 'id') ?? id
      const readSet = readsPages(new Set([id, shown]))
      const isValid = isCurrent(source.from.request, canonical, readSet, history)
      if (isValid) members.push({ key: id, value })
      return isValid
    })
    if (!found) return isShown ? inOtherEpoch(id) : undefined
    used.push(found)
  }
  const [model] = used
  const [only] = members
  if (!model || !only || resultSize(objectOf(members)) > maxResultSize(bodies))
    return undefined
  const body = isSet
    ? replaceMember(model.body, 'entities', () => objectOf(members))
    : objectOf([{ key: 'claims', value: only.value }])
  return composedFrom(body, used)
}

/** Parameters that choose entities and their parts; with any other, answers are compared as a whole. */
const choosingParams =
  'action ids sites titles normalize props languages languagefallback sitefilter redirects format formatversion'.split(
    ' '
  )
const claimsParams = 'entity claim property rank'.split(' ')

/** Complete answers without warnings. */
function entitySources(
  recordings: Iterable<Interaction>,
  canonical: CanonicalRequest,
  isSet: boolean
) {
  const choosing = [...choosingParams, ...(isSet ? [] : claimsParams), epochParam]
  const wanted = withoutParams(canonical, ...choosing)
  const version = canonical.get('formatversion')
  return [...recordings].flatMap((from) => {
    const body = answerIn(from)
    if (!body || !sameTexts(withoutParams(from.request, ...choosing), wanted)) return []
    const isPlain = membersOf(body).every(({ key }) => entityMembers.has(key))
    const isSame = from.request.get('formatversion') === version
    return isPlain && (isSame || hasOneForm(body)) ? [{ from, body }] : []
  })
}

function answerIn(from: Interaction) {
  const [{ status, body }, second] = from.responses
  const isPhp = isOfPhp(from) && body.kind === 'text' && status === 200 && !second
  if (!isPhp) return singleAnswerOf(from)
  const tree = readPhp(body.text)
  return tree && hasKnownMaps(tree) ? tree : undefined
}

/** True where only members of entities are empty, of which JSON shows how the wiki writes them. */
function hasKnownMaps(tree: JsonTree, key = ''): boolean {
  const isScalar = tree.kind === 'string' || tree.kind === 'literal'
  if (isScalar || itemsOf(tree).length === 0) return isScalar || isEntityMap(key)
  return tree.kind === 'array'
    ? tree.items.every((one) => hasKnownMaps(one))
    : tree.members.every((one) => hasKnownMaps(one.value, one.key))
}

const entityMembers = wordSet('entities success claims')

/** Source: DataValues of Wikibase. Other types may have booleans, which formatversion 1 writes otherwise, or not at all. */
const plainTypes = wordSet(
  'item property statement value somevalue novalue string wikibase-entityid quantity time globecoordinate monolingualtext'
)

/** True of an answer that is the same in both versions of formats. */
function hasOneForm(tree: JsonTree, key = ''): boolean {
  if (tree.kind === 'literal') return !['true', 'false'].includes(tree.text)
  if (tree.kind === 'string') return key !== 'type' || plainTypes.has(tree.value)
  return tree.kind === 'array'
    ? tree.items.every((one) => hasOneForm(one))
    : tree.members.every((one) => hasOneForm(one.value, one.key))
}
