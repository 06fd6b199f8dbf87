/**
 * Recordings as they would be in the other version of the JSON format, of modules that answer alike in both: they write no
 * booleans, and no member that version 1 calls `*`. Source: ApiResult::applyTransformations; compared on 1.35, 1.39 and 1.43.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsOf,
  type JsonTree,
  jsonLiteral,
  jsonString,
  membersAt,
  replaceMember
} from '../../json/json-tree.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import { type CanonicalRequest, keyedRequest } from '../../request/request-key.ts'
import { valuesOf, withoutParams } from '../../wiki/parameters/request-params.ts'
import { singleAnswerOf, withAnswer } from '../reading/batch.ts'

/** Undefined where the other version may say something else. */
export function inOtherVersion(from: Interaction): Interaction | undefined {
  const { request } = from
  const version = request.get('formatversion') ?? '1'
  const body = singleAnswerOf(from)
  if (!body || !['1', '2'].includes(version) || !answersAlike(request)) return undefined
  if (['warnings', 'error', 'errors'].some((name) => hasMember(body, name)))
    return undefined
  if (hasFlags(body)) return undefined
  const isOld = version === '1'
  const complete = isOld ? jsonLiteral(true) : jsonString('')
  const tree = replaceMember(body, 'batchcomplete', () => complete)
  const others = withoutParams(request, 'formatversion')
  const wanted = isOld
    ? keyedRequest(new Map(others).set('formatversion', '2')).canonical
    : others
  return withAnswer(from, { request: wanted, sentValues: from.sentValues }, tree)
}

/** The answer to the very request, recorded in the other version. */
export function answerInOtherVersion(
  canonical: CanonicalRequest,
  sentValues: Interaction['sentValues'],
  recordings: Iterable<Interaction>
): { readonly from: Interaction; readonly body: JsonTree } | undefined {
  if (!answersAlike(canonical)) return undefined
  for (const from of recordings) {
    const other = inOtherVersion(from)
    const body = other && singleAnswerOf(other)
    const isSame =
      other &&
      sameTexts(other.request, canonical) &&
      sameTexts(other.sentValues, sentValues)
    if (body && isSame) return { from, body }
  }
  return undefined
}

/** True where a row has one of the few members that are booleans in version 2. */
const hasFlags = (body: JsonTree) =>
  membersAt(body, 'query')
    .flatMap(({ value }) => itemsOf(value))
    .some((row) => quirkNames('alike-in-versions').some((name) => hasMember(row, name)))

function answersAlike(request: CanonicalRequest) {
  const action = request.get('action') ?? ''
  if (action !== 'query') return hasQuirk('alike-in-versions', action)
  const isWider = ['prop', 'generator', 'titles', 'pageids', 'revids'].some((name) =>
    request.has(name)
  )
  const modules = ['list', 'meta'].flatMap((kind) => valuesOf(request, kind))
  return (
    !isWider &&
    modules.length > 0 &&
    modules.every((one) => hasQuirk('alike-in-versions', one))
  )
}
