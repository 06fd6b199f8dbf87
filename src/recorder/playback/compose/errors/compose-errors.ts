/**
 * The error of a recorded request that differs in what its modules did not look at before (free-params.ts), or in the
 * order of sets. Sources: dieWithError in ApiQuery*.php and ApiPageSet.php of 1.35, 1.39 and 1.43, of which all in loops
 * over rows are about texts of revisions.
 */
import { type Interaction, sameTexts } from '../../../cassette/interaction.ts'
import { hasMember, type JsonTree } from '../../../json/json-tree.ts'
import { writeCompact } from '../../../json/write-json.ts'
import { hasQuirk } from '../../../knowledge/module-quirks.ts'
import { singleAnswerOf } from '../../../paging/reading/batch.ts'
import { isCostly, pageParams } from '../../../paging/reading/driver.ts'
import { sentLimit, takesLimit } from '../../../paging/reading/limits.ts'
import { areOwn } from '../../../paging/reading/module-doubts.ts'
import type { Derivation, SentRequest, WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { mapAll } from '../../../text/group-by.ts'
import { queryModulesOf } from '../../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../../wiki/modules/module-descriptions.ts'
import {
  splitValues,
  valuesOf,
  withoutParams
} from '../../../wiki/parameters/request-params.ts'
import {
  type ComposedAnswer,
  composedFrom,
  composedOf,
  fitsLimits,
  pagesIn
} from '../composed-answer.ts'
import { freeParams } from './free-params.ts'

type WantedRequest = SentRequest & Pick<Derivation, 'orderless'>

/** @param recordings of the same modules */
export function composeError(
  wanted: WantedRequest,
  recordings: Iterable<Interaction>,
  facts: WikiFacts
): ComposedAnswer | undefined {
  if (!mayBeAsRecorded(wanted.canonical, facts.lookup)) return undefined
  for (const from of recordings) {
    const body = singleAnswerOf(from)
    if (!body || !isError(body) || !mayBeAsRecorded(from.request, facts.lookup)) continue
    const free = freeParams(body, [from.request, wanted.canonical], facts)
    const quotable = free && valuesInOtherOrder(from, wanted, free)
    if (quotable && namesNone(body, quotable)) return composedFrom(body, [{ from }])
  }
  return undefined
}

/** False for a write, where a `continue` may leave modules out, and where one is another than MediaWiki's. */
function mayBeAsRecorded(request: CanonicalRequest, lookup: ModuleLookup) {
  const action = request.get('action') ?? ''
  const { isCore, writes, mustBePosted } = lookup(action) ?? {}
  const isRead = isCore && !writes && !mustBePosted
  const areAllRun = action !== 'query' || (request.get('continue') ?? '') === ''
  return isRead && areAllRun && areOwn(request, lookup)
}

const isError = (body: JsonTree) => hasMember(body, 'error') || hasMember(body, 'errors')

/** Names of the limits of these modules that the wiki takes as they are; undefined where it may warn of one. */
function limitsOf(
  request: CanonicalRequest,
  kinds: readonly string[],
  lookup: ModuleLookup
) {
  return mapAll(
    queryModulesOf(request, kinds),
    ([path, extra]): readonly string[] | undefined => {
      const module = path.slice('query+'.length)
      const description = lookup(path)
      if (!description) return undefined
      const prefix = extra + description.prefix
      const used = { kind: 'list', module, prefix, description } as const
      const sent = sentLimit(request, used)
      const isFree = hasQuirk('own-class', module) && !isCostly(request, used)
      if (sent === undefined || !isFree) return []
      return takesLimit(request, used) ? [`${prefix}limit`] : undefined
    }
  )?.flat()
}

/**
 * A whole answer of props at other limits that have room for its rows, whatever it warns of. Source: each prop's `run`
 * continues only where it finds a row more than its limit.
 */
export function composeAtLimits(
  wanted: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts
): ComposedAnswer | undefined {
  const { canonical, sentValues } = wanted
  const limits = limitsOf(canonical, ['prop'], facts.lookup) ?? []
  const bare = (request: CanonicalRequest) => withoutParams(request, ...limits)
  // Among others a file is cut at the limit; what `max` means is told beside the pages.
  const isPlain = (request: CanonicalRequest) =>
    limitsOf(request, ['prop'], facts.lookup)?.join() === limits.join() &&
    limits.every((name) => request.get(name) !== 'max') &&
    !valuesOf(request, 'prop').some((prop) => hasQuirk('cuts-files', prop))
  if (limits.length === 0 || !isPlain(canonical)) return undefined
  for (const from of recordings) {
    const body = singleAnswerOf(from)
    const isSame =
      sameTexts(bare(from.request), bare(canonical)) &&
      sameTexts(from.sentValues, sentValues) &&
      isPlain(from.request)
    if (!body || !isSame || !hasMember(body, 'batchcomplete')) continue
    const pages = pagesIn(body)
    const source = { from, body }
    if (fitsLimits(pages, [from], wanted, facts))
      return composedOf(body, [source], wanted, facts)
  }
  return undefined
}

/** All values of the sets in another order; undefined where more differs than that and what is free. */
function valuesInOtherOrder(
  { request, sentValues: recorded }: Interaction,
  { canonical, sentValues, orderless }: WantedRequest,
  isFree: (name: string) => boolean
): readonly string[] | undefined {
  const sides = [request, recorded, canonical, sentValues]
  const names = new Set(sides.flatMap((params) => [...params.keys()]))
  return mapAll([...names], (name) => {
    const isSame = request.get(name) === canonical.get(name)
    const texts = [recorded.get(name), sentValues.get(name)]
    if ((isSame && texts[0] === texts[1]) || isFree(name)) return []
    const isSet = orderless.has(name) || pageParams.includes(name)
    return isSame && isSet ? texts.flatMap((text) => splitValues(text ?? '')) : undefined
  })?.flat()
}

/** Others may be written in another way, as titles with signs are. */
const plainValue = /^[\p{L}\p{N} _:.!-]+$/u

/** True where the error names none of these words, but for what it always says of where help is. */
function namesNone(body: JsonTree, words: readonly string[]) {
  const text = writeCompact(body, 'utf8').replace(/"(?:\*|docref)":"[^"]*"/, '')
  const isNamed = (word: string) => {
    const written = word.replaceAll('.', '\\.').replaceAll(/[ _]/g, '[ _]')
    return new RegExp(`(?<![\\p{L}\\p{N}])${written}(?![\\p{L}\\p{N}])`, 'u').test(text)
  }
  return words.every((word) => plainValue.test(word) && !isNamed(word))
}
