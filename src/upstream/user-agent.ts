/**
 * The text of the User-Agent that public wikis demand; `transport/http-proxy-upstream.ts` sets it. Source: https://w.wiki/4wJS (robot policy),
 * https://foundation.wikimedia.org/wiki/Policy:Wikimedia_Foundation_User-Agent_Policy
 */
import { mediaType, type WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { pageExcerpt } from './answers/recordable.ts'

/** @param contact of the operator: an address, a user page */
export const userAgentFor = (version: string, contact: string | undefined, node: string): string =>
  `wikitape/${version}${contact === undefined ? '' : ` (${contact})`} node/${node.replace(/^v/, '')}`

/** True for the refusal of a request whose User-Agent does not name its operator. */
export const demandsUserAgent = (answer: WikiAnswer): boolean =>
  (answer.status === 403 || answer.status === 429) &&
  mediaType(answer.headers) !== 'application/json' &&
  /user-?agent|T400119/i.test(pageExcerpt(answer))
