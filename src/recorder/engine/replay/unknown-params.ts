/**
 * Parameters that no module has, and modules that the wiki does not have: it reads nothing of them, and warns of their names.
 * Without them the request is the same.
 * Source: ApiMain::reportUnusedParams, MediaWiki 1.29 to 1.45; measured on 1.35 to 1.45.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { hasMember, type JsonTree, memberOf } from '../../json/json-tree.ts'
import { singleAnswerOf, withAnswer } from '../../paging/reading/batch.ts'
import {
  type ComposedAnswer,
  composedFrom
} from '../../playback/compose/composed-answer.ts'
import { isRefusedByQuery } from '../../playback/compose/errors/refusal.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { continuedParams } from '../../request/key-step.ts'
import { type CanonicalRequest, keyedRequest } from '../../request/request-key.ts'
import { hasKnownVersion } from '../../wiki/answers/envelope.ts'
import {
  areOfModules,
  warningBy,
  warningModules,
  withoutWarningBy,
  withWarnings
} from '../../wiki/answers/warnings.ts'
import { hasQueryModuleOf, queryModulesOf } from '../../wiki/modules/active-modules.ts'
import { withoutMissingModules } from '../../wiki/modules/missing-modules.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { readContinue } from '../../wiki/parameters/continue-param.ts'
import { withoutParams } from '../../wiki/parameters/request-params.ts'
import { isReadUnlisted } from '../../wiki/parameters/unlisted-params.ts'
import { isVersionSince } from '../../wiki/site/site-facts.ts'
import { unreadRecording, withoutUnread } from './unread-params.ts'

/** Names that a warning repeats as they are. */
const plainName = /^[a-z]+$/

const orderParam = 'unknown in order'

/** The request without parameters that do nothing; undefined if it has none, or if they may do more than be warned of. @param recordings in which these modules may have run */
export function withoutIdle(
  derivation: Derivation,
  facts: WikiFacts,
  recordings: () => Iterable<Interaction>
): Derivation | undefined {
  // The wiki warns of them beside its error.
  if (!hasKnownVersion(derivation.canonical)) return undefined
  const named = withoutMissing(derivation.canonical, derivation.sentValues, facts)
  const known = named && {
    ...derivation,
    ...keyedRequest(named.request),
    sentValues: named.sentValues,
    undescribed: derivation.undescribed.filter((path) => !named.paths.includes(path))
  }
  const read = withoutUnread(known ?? derivation, facts)
  const running = isIdleContinue(read.canonical, facts)
    ? { ...read, ...keyedRequest(withoutParams(read.canonical, 'continue')) }
    : read
  const plain = withoutUnknown(running, facts, recordings) ?? running
  // Beside modules that are not described, an unknown parameter counts as sent, but for its place in the warning.
  const isUnknown = derivation.undescribed.length > 0 && plain.unknownNames.length > 0
  return plain === derivation || isUnknown ? undefined : plain
}

/** Errors in another format warn in other words. */
const withoutMissing = (
  request: CanonicalRequest,
  sentValues: Derivation['sentValues'],
  { site, lookup }: WikiFacts
) =>
  request.has('errorformat') || !isVersionSince(site?.generator, 35)
    ? undefined
    : withoutMissingModules(request, sentValues, lookup)

function withoutUnknown(
  derivation: Derivation,
  { site, lookup }: WikiFacts,
  recordings: () => Iterable<Interaction>
): Derivation | undefined {
  const { canonical, sentValues, unknownNames, undescribed } = derivation
  const isXml = canonical.get('format') === 'xml'
  const isUnread = (name: string) => {
    if (!sentValues.has(name)) return true
    const owners = ownersOf(name, canonical, lookup)
    return owners.length > 0 && isWarnedOfIn(recordings(), name, owners, lookup)
  }
  const isWarnedOf = (name: string) =>
    (isXml && name === 'formatversion') ||
    (plainName.test(name) &&
      canonical.get(name) === '' &&
      !isReadUnlisted(name, canonical) &&
      isUnread(name))
  const areDescribed = undescribed.every((path) => isXml && path === 'xml')
  if (unknownNames.length === 0 || !areDescribed || namesSeveral(canonical))
    return undefined
  if (canonical.has('errorformat') || !isVersionSince(site?.generator, 29))
    return undefined
  if (!unknownNames.every(isWarnedOf)) return undefined
  return {
    ...derivation,
    ...keyedRequest(withoutParams(canonical, ...unknownNames, orderParam)),
    sentValues: withoutParams(sentValues, ...unknownNames),
    unknownNames: []
  }
}

/** True for a `continue` that names neither a parameter sent nor a module: the request is the same without it. */
function isIdleContinue(request: CanonicalRequest, { site }: WikiFacts) {
  const { repeated = [], finished = [] } = readContinue(request) ?? {}
  // What only continues is left as it is.
  return (
    request.get('action') === 'query' &&
    isVersionSince(site?.generator, 35) &&
    repeated.length > 0 &&
    !repeated.some((name) => request.has(name)) &&
    !hasQueryModuleOf(finished, request)
  )
}

/** The extension's modules with that prefix, which list all that they read under it. */
const ownersOf = (name: string, request: CanonicalRequest, lookup: ModuleLookup) =>
  queryModulesOf(request, ['list', 'prop', 'meta', 'generator']).flatMap(
    ([path, extra]) => {
      const { prefix = '', isCore } = lookup(path) ?? {}
      const isOwner = isCore === false && prefix !== '' && name.startsWith(extra + prefix)
      return isOwner ? [path] : []
    }
  )

/** True where the wiki warned of the name while all of these modules ran. */
function isWarnedOfIn(
  recordings: Iterable<Interaction>,
  name: string,
  owners: readonly string[],
  lookup: ModuleLookup
) {
  for (const from of recordings) {
    const ran = ownersOf(name, from.request, lookup)
    const tree = owners.every((path) => ran.includes(path))
      ? singleAnswerOf(from)
      : undefined
    if (tree && warnedNames(tree, from.request.get('formatversion'))?.includes(name))
      return true
  }
  return false
}

/** True for a `continue` whose names have an order, which is listed with that of those that no module has. */
const namesSeveral = (request: CanonicalRequest) => continuedParams(request).length > 1

/** A recording as it would be without them; itself if the wiki warned of something else, or of nothing. */
export function plainRecording(recorded: Interaction, facts: WikiFacts): Interaction {
  const { request } = recorded
  const tree = isIdleContinue(request, facts) ? singleAnswerOf(recorded) : undefined
  const plain = { ...recorded, request: withoutParams(request, 'continue') }
  // Warnings may list names in an order that is not in the key.
  const isPlain = tree && !hasMember(tree, 'warnings')
  const running = isPlain ? withAnswer(recorded, plain, tree) : recorded
  return unreadRecording(notNamingMissing(notNamingUnknown(running, facts), facts), facts)
}

function notNamingUnknown(from: Interaction, { lookup }: WikiFacts): Interaction {
  const { request, sentValues } = from
  const tree = singleAnswerOf(from)
  if (!tree || !hasMember(tree, 'warnings') || namesSeveral(request)) return from
  const names = warnedNames(tree, request.get('formatversion'))
  const isUnread = (name: string) =>
    request.get(name) === '' &&
    (!sentValues.has(name) || ownersOf(name, request, lookup).length > 0)
  if (names?.every(isUnread) !== true) return from
  const plain = {
    request: withoutParams(request, ...names, orderParam),
    sentValues: withoutParams(sentValues, ...names)
  }
  return withAnswer(from, plain, withoutWarningBy(tree, 'main'))
}

function notNamingMissing(from: Interaction, facts: WikiFacts): Interaction {
  const { request, sentValues } = from
  const tree = singleAnswerOf(from)
  if (!tree || !hasMember(tree, 'warnings')) return from
  const plain = withoutMissing(request, sentValues, facts)
  const version = request.get('formatversion')
  if (!plain || warningBy(tree, 'query', version) !== plain.warning) return from
  const left = withoutWarningBy(tree, 'query')
  return areOfModules(left, version) ? withAnswer(from, plain, left) : from
}

/** The answer to the very request, if it was recorded with others of such names, or with none. */
export function sameButUnknown(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>
): ComposedAnswer | undefined {
  for (const from of recordings) {
    const tree = singleAnswerOf(from)
    const isSame =
      sameTexts(from.request, canonical) && sameTexts(from.sentValues, sentValues)
    if (tree && isSame) return composedFrom(tree, [{ from }])
  }
  return undefined
}

/** The names that the wiki warned of, if it warned of nothing else but modules that it does not have. */
function warnedNames(tree: JsonTree, version: string | undefined) {
  if (!warningModules(tree).every((one) => one === 'main' || one === 'query'))
    return undefined
  return /^Unrecognized parameters?: ([a-z]+(?:, [a-z]+)*)\.$/
    .exec(warningBy(tree, 'main', version) ?? '')?.[1]
    ?.split(', ')
}

/** The answer as it is with those that are not in the plain request; undefined if it tells of more. */
export function warnOfUnknown(
  tree: JsonTree,
  sent: Derivation,
  plain: Derivation,
  facts: WikiFacts
): JsonTree | undefined {
  const { canonical, sentValues, unknownNames } = sent
  if (plain === sent) return tree
  const query = withoutMissing(canonical, sentValues, facts)?.warning
  const areNamed = plain.unknownNames.length !== unknownNames.length
  if (!areNamed && query === undefined) return tree
  // XML has no versions.
  const version = canonical.get('format') === 'xml' ? '1' : canonical.get('formatversion')
  // What an error ends, is not looked through for such names, unless it is about all warnings (opensearch).
  const error = memberOf(tree, 'error')
  if (error && hasMember(error, 'warnings')) return undefined
  if (error && query === undefined) return tree
  if (error && !isRefusedByQuery(tree, plain.canonical, facts.lookup)) return undefined
  const noun = unknownNames.length === 1 ? 'parameter' : 'parameters'
  const main =
    areNamed && !error ? `Unrecognized ${noun}: ${unknownNames.join(', ')}.` : undefined
  return withWarnings(tree, version, { main, query })
}
