/** Advice about refusals that only the caller can mend, by a User-Agent or a login. */
import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import { apiErrorCode, demandsUserAgent } from '../../upstream/answers/recordable.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'

/** @param hasNoClient true where wikitape is the client, and the advice names its flags */
export function adviceFor(
  answer: WikiAnswer,
  hasNoClient: boolean,
  headers: IncomingHeaders,
): string | undefined {
  if (demandsUserAgent(answer)) {
    const sent = headerText(headers, 'user-agent')
    return hasNoClient
      ? 'the wiki demands a User-Agent with a contact: add --contact with an address of yours, e.g. --contact you@example.org or a user page (WIKITAPE_CONTACT does the same); --user-agent TEXT replaces the whole header'
      : `the wiki demands a User-Agent with a contact: the client has to send one; it sent ${sent === undefined ? 'none' : `"${sent.slice(0, 100)}"`}`
  }
  switch (apiErrorCode(answer)) {
    case 'readapidenied':
      return hasNoClient
        ? 'the wiki is readable by users only (readapidenied): add --login NAME, with the password in WIKITAPE_PASSWORD, or put an OAuth 2 token into WIKITAPE_BEARER'
        : 'the wiki is readable by users only (readapidenied): the client has to log in'
    case 'mwoauth-invalid-authorization':
      return hasNoClient
        ? 'the wiki does not accept the token in WIKITAPE_BEARER: it has expired, was revoked, or is for another wiki'
        : 'the wiki does not accept the OAuth token that the client sends'
    default:
      return undefined
  }
}
