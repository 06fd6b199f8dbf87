/**
 * The error of a recorded request that differs in what its modules did not look at before (free-params.ts), or in the
 * order of sets. Sources: dieWithError in ApiQuery*.php and ApiPageSet.php of 1.35, 1.39 and 1.43, of which all in loops
 * over rows are about texts of revisions.
 */
import { type Interaction, sameTexts } from '../../../cassette/interaction.ts'
import { hasMember, type JsonTree } from '../../../json/json-tree.ts'
import { hasQuirk } from '../../../knowledge/module-quirks.ts'
import { singleAnswerOf } from '../../../paging/reading/batch.ts'
import { isCostly } from '../../../paging/reading/driver.ts'
import { sentLimit, takesLimit } from '../../../paging/reading/limits.ts'
import type { Derivation, WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { mapAll } from '../../../text/group-by.ts'
import { queryModulesOf } from '../../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../../wiki/modules/module-descriptions.ts'
import { valuesOf, withoutParams } from '../../../wiki/parameters/request-params.ts'
import {
  type ComposedAnswer,
  composedFrom,
  composedOf,
  fitsLimits,
  pagesIn
} from '../composed-answer.ts'
import { isSameError, type WantedRequest } from './same-error.ts'

/** @param recordings of the same modules */
export function composeError(
  wanted: WantedRequest,
  recordings: Iterable<Interaction>,
  facts: WikiFacts
): ComposedAnswer | undefined {
  for (const from of recordings) {
    const body = singleAnswerOf(from)
    if (!body || !isError(body)) continue
    if (isSameError(body, from, wanted, facts)) return composedFrom(body, [{ from }])
  }
  return undefined
}

export const isError = (body: JsonTree): boolean =>
  hasMember(body, 'error') || hasMember(body, 'errors')

/** Names of the limits of these modules that the wiki takes as they are; undefined where it may warn of one. */
function limitsOf(
  request: CanonicalRequest,
  kinds: readonly string[],
  lookup: ModuleLookup
): readonly string[] | undefined {
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
