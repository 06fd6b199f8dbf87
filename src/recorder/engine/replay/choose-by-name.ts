/** Which recordings of a large folder may matter to a request, by what the names of their files say. */
import { mayHaveAll, mayHaveValue, type NameChoice } from '../../cassette/name-search.ts'
import { pageParams } from '../../paging/reading/driver.ts'
import {
  identityParams,
  readListingRequest
} from '../../paging/reading/listing-request.ts'
import { modulesApart } from '../../paging/reading/modules-apart.ts'
import { startsThatContinue } from '../../paging/rules/known-rules.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { mapAll } from '../../text/group-by.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** The parameters that all recordings of a request's listing have, or of its modules' listings; undefined where it has none. */
export function listingParams(
  { canonical, sentValues }: Derivation,
  facts: WikiFacts
): readonly (readonly [string, string])[] | undefined {
  const { lookup } = facts
  const names = new Set(startsThatContinue(facts))
  const together = modulesApart(canonical, sentValues, lookup)?.running
  const requests = together ?? [{ params: canonical, sentValues }]
  const params = mapAll(requests, (one) => {
    const request = readListingRequest(one.params, one.sentValues, lookup, names)
    if (typeof request === 'string') return undefined
    return identityParams(request.broader ?? request.identity)
  })
  return params?.flat().filter(([name]) => !name.includes(' ') && !mayContinue.test(name))
}

/** Names of parameters that may turn out to continue a listing. */
const mayContinue =
  /(?:continue|offset|from|start|end|prefix|to|dir|limit)$|^(?:action|list|prop|meta|generator)$/

/** By their names: recordings that may show one of the requested pages; undefined for requests without pages. */
export function showingPagesOf(canonical: CanonicalRequest): NameChoice | undefined {
  const by = ['titles', 'pageids', 'ids', 'entity'].find((name) => canonical.has(name))
  return by === undefined
    ? undefined
    : mayHaveValue(by, splitValues(canonical.get(by) ?? ''))
}

/** By their names: recordings that may show one of the requested pages, or, of a query without any, that ask for the same but in limits and format. */
export function usefulFor(canonical: CanonicalRequest): NameChoice | undefined {
  const shown = showingPagesOf(canonical)
  if (shown || canonical.get('action') !== 'query') return shown
  const isFree = (name: string) =>
    name.includes(' ') ||
    name === 'formatversion' ||
    mayContinue.test(name) ||
    pageParams.includes(name)
  return mayHaveAll([...canonical].filter(([name]) => !isFree(name)))
}
