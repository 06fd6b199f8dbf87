/** What a write has changed, told from its answer: of the session's own writes, and of those that recordings name. */

import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { bodyJson } from '../../cassette/recorded-body.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { hasChangedWiki, pagesInAnswer } from '../../wiki/effects/request-effect.ts'
import { type WriteSet, writeSetOf } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'

/** True where the wiki says by its status or a header that it did not do what it was asked to. */
export const hasFailed = ({ headers, status }: RecordedResponse): boolean =>
  headers.has('mediawiki-api-error') || status >= 400

/** Undefined where the write has changed nothing. */
export function writeSetOfAnswer(
  request: CanonicalRequest,
  response: RecordedResponse,
  site: SiteFacts | undefined,
): WriteSet | undefined {
  const action = request.get('action') ?? ''
  const tree = bodyJson(response.body)
  if (hasFailed(response) || !hasChangedWiki(action, tree)) return undefined
  const { titles, ids } = pagesInAnswer(action, tree)
  return writeSetOf(request, titles, ids, site)
}

/** Undefined also where it succeeded more than once, so that nothing tells which answer is meant. */
export function writeSetOfInteraction(
  { request, responses }: Interaction,
  site: SiteFacts | undefined,
): WriteSet | undefined {
  const [writeSet, another] = responses.flatMap((response) => writeSetOfAnswer(request, response, site) ?? [])
  return another === undefined ? writeSet : undefined
}
