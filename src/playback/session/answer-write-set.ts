/** The write set of a write that was answered: what it changed, by its request and the wiki's answer. */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { bodyJson } from '../../cassette/recorded-body.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { hasChangedWiki, pagesInAnswer } from '../../wiki/effects/request-effect.ts'
import { type WriteSet, writeSetOf } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'

/** True where the wiki reports a failure by its status or a header. */
export const hasFailed = ({ headers, status }: RecordedResponse): boolean =>
  headers.has('mediawiki-api-error') || status >= 400

/** Undefined where the write changed nothing. */
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

/** Undefined where it changed nothing, or succeeded more than once: then nothing tells which answer is meant. */
export function writeSetOfInteraction(
  { request, responses }: Interaction,
  site: SiteFacts | undefined,
): WriteSet | undefined {
  const [writeSet, another] = responses.flatMap((response) => writeSetOfAnswer(request, response, site) ?? [])
  return another === undefined ? writeSet : undefined
}
