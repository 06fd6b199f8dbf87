/** Answers that are passed on and reported, but not recorded: those that are not the API's, and transient failures. The messages quote them, so they may hold secrets. */
import {
  itemsOf,
  type JsonTree,
  memberAt,
  memberOf,
  textOf
} from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { isQuotable } from '../../privacy/redact/redact-message.ts'
import { redactUrl } from '../../privacy/redact/redact-url.ts'
import type { ApiRequest, WikiRequest } from '../../request/api-request.ts'
import { unknownErrorFormat } from '../../wiki/answers/envelope.ts'
import { isPassingError, isPassingStatus } from '../../wiki/answers/passing-errors.ts'
import {
  bodyHead,
  bodyText,
  mediaType,
  type WikiAnswer
} from '../../wiki/answers/wiki-answer.ts'

/**
 * Why this answer must not be recorded; undefined where it may.
 * @param recordErrors true where overload and maintenance are recorded too; what is not the API's never is
 */
export function whyUnrecordable(
  request: WikiRequest,
  answer: WikiAnswer,
  recordErrors: boolean
): string | undefined {
  const failure = transientFailure(answer)
  if (failure !== undefined) return recordErrors ? undefined : failure
  return whyNotApiAnswer(request, answer)
}

/** Why this is not the wiki's own answer; undefined where it is. */
export function whyNotApiAnswer(
  request: WikiRequest,
  answer: WikiAnswer
): string | undefined {
  const isForeign =
    answer.headers.has('cf-mitigated') ||
    (request.kind === 'api' && isNonApiAnswer(request, answer))
  return isForeign ? describeNonApiAnswer(answer) : undefined
}

/** Why wikitape's own request, which is always for bare JSON, has no usable answer; undefined where it has. */
export const whyUnusable = (answer: WikiAnswer): string | undefined =>
  transientFailure(answer) ?? whyNotApiJson(answer)

export const whyNotApiJson = (answer: WikiAnswer): string | undefined =>
  isApiJson(answer) ? undefined : describeNonApiAnswer(answer)

/** Overload and maintenance: the same request may succeed soon. */
export function transientFailure(answer: WikiAnswer): string | undefined {
  if (isPassingStatus(answer.status))
    return `HTTP status ${answer.status}${quotedExcerpt(answer)}`
  const code = apiErrorCode(answer)
  const isPassing =
    code !== undefined && isPassingError(code, bodyHead(answer, maxScannedBytes) ?? '')
  return isPassing ? `the error "${code}"` : undefined
}

/** The code of the API's error; undefined where the answer is none. */
const apiErrorCode = (answer: WikiAnswer) =>
  answer.headers.get('mediawiki-api-error') ?? errorCodeIn(parseShortJson(answer))

const errorCodeIn = (tree: JsonTree | undefined) =>
  textOf(memberAt(tree, 'error', 'code')) ??
  textOf(memberOf(itemsOf(memberOf(tree, 'errors'))[0], 'code'))

function describeNonApiAnswer(answer: WikiAnswer) {
  const { status, headers } = answer
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== undefined)
    return `a redirect (status ${status}) to ${redactUrl(location)} where the API's answer was expected; name the address of api.php that it leads to`
  const type = mediaType(headers) || 'no media type'
  const what =
    type === 'application/json' ? 'JSON that is not an API error' : `a page of ${type}`
  return `${what} (status ${status}) where the API's JSON was expected${quotedExcerpt(answer)}`
}

/** Media types that no module of any wiki answers with, not even with a printer of its own. */
const pageMediaTypes =
  /^(?:$|text\/(?:html|plain)|application\/(?:xhtml\+xml|pdf|octet-stream)|image\/)/

/** Pages of an edge, a portal, a login wall. Help, and the wiki's own refusal of an `origin`, are HTML of the wiki. */
function isNonApiAnswer(request: ApiRequest, answer: WikiAnswer) {
  if (
    leadsToApi(request, answer) ||
    (request.params.has('origin') && isOriginRefusal(answer))
  )
    return false
  // MediaWiki itself chooses the form of an error there.
  if (
    unknownErrorFormat(request.envelope) !== undefined &&
    answer.headers.has('mediawiki-api-error')
  )
    return false
  if (request.envelope.kind === 'opaque')
    return isNonApiAnswerIn(request.envelope.format ?? 'jsonfm', answer)
  if (answer.status >= 300) return !isApiJson(answer)
  const action = request.params.get('action') ?? 'help'
  const type = mediaType(answer.headers)
  return pageMediaTypes.test(type) && !(action === 'help' && type === 'text/html')
}

/** Formats other than JSON: their debugging pages have a `<pre>`. */
function isNonApiAnswerIn(format: string, answer: WikiAnswer) {
  if (answer.status >= 300) return answer.headers.get('mediawiki-api-error') === undefined
  if (mediaType(answer.headers) !== 'text/html') return false
  return !(
    format.endsWith('fm') &&
    Buffer.from(
      answer.body.buffer,
      answer.body.byteOffset,
      answer.body.byteLength
    ).includes('<pre')
  )
}

/** ApiMain answers so before it has chosen a format, the same in every version. */
const isOriginRefusal = (answer: WikiAnswer) =>
  answer.status === 403 && (bodyHead(answer, 100) ?? '').includes("'origin' parameter")

/** Errors of the API may have any status, e.g. 400 to 403 where OAuth is refused. */
function isApiJson(answer: WikiAnswer) {
  const type = mediaType(answer.headers)
  if (answer.status < 300) return type === 'application/json'
  if (answer.headers.get('mediawiki-api-error') !== undefined) return true
  const tree =
    type === 'application/json' || type === 'text/javascript'
      ? parseShortJson(answer)
      : undefined
  return (
    memberAt(tree, 'error', 'code') !== undefined ||
    memberOf(tree, 'errors') !== undefined
  )
}

/** The key of an error, or a letter that JSON may spell as an escape. */
const mayHoldError = /"error|\\u00[67]/

/** Errors are short; JSON is parsed without its envelope. */
function parseShortJson(answer: WikiAnswer) {
  if (answer.body.length >= 20_000) return undefined
  const text = bodyText(answer)
  if (
    !text ||
    !mayHoldError.test(text) ||
    !/json|javascript/.test(mediaType(answer.headers))
  )
    return undefined
  return readTree(/^\/\*\*\/[^(]{1,200}\(([\s\S]*)\)$/.exec(text)?.[1] ?? text)
}

/**
 * A redirect to api.php at another address: from http to https, or to the wiki's present name. Until 1.34 a query that
 * ends like a file name leads to another query at the same address (WebRequest::checkUrlExtension): that belongs to one
 * spelling of the request.
 */
function leadsToApi({ query = '' }: ApiRequest, { status, headers }: WikiAnswer) {
  const found = /^[^?#]*\/api\.php(?:\?([^#]*))?(?:#|$)/.exec(
    headers.get('location') ?? ''
  )
  return status >= 300 && status < 400 && found !== null && (found[1] ?? '') === query
}

/**
 * Advice about a refusal that only the caller can mend, by a User-Agent or a login.
 * @param hasNoClient true where wikitape is the client, and the advice names its flags
 * @param userAgent that was sent
 */
export function adviceFor(
  answer: WikiAnswer,
  hasNoClient: boolean,
  userAgent: string | undefined
): string | undefined {
  if (demandsUserAgent(answer)) {
    return hasNoClient
      ? 'the wiki demands a User-Agent with a contact: add --contact with an address of yours, e.g. --contact you@example.org or a user page (WIKITAPE_CONTACT does the same); --user-agent TEXT replaces the whole header'
      : `the wiki demands a User-Agent with a contact: the client has to send one; it sent ${userAgent === undefined ? 'none' : `"${userAgent.slice(0, 100)}"`}`
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

/** True for the refusal of a request whose User-Agent does not name its operator. */
const demandsUserAgent = (answer: WikiAnswer) =>
  (answer.status === 403 || answer.status === 429) &&
  mediaType(answer.headers) !== 'application/json' &&
  /user-?agent|T400119/i.test(pageExcerpt(answer))

/* The title or first words of a page that came instead of an answer, so that a person sees whose it is. */

const maxScannedBytes = 8_000
const maxExcerptLength = 120

function pageExcerpt(answer: WikiAnswer) {
  const text = bodyHead(answer, maxScannedBytes)
  if (text === undefined) return ''
  const title = /<title[^>]{0,200}>([^<]{1,500})/i.exec(text)?.[1]
  return firstWords(title ?? (isMarkup(answer) ? withoutTags(text) : text))
}

function firstWords(text: string) {
  const words = collapseToLine(text)
  // Messages end in terminals and in logs of CI.
  if (!isQuotable(words)) return ''
  // Half a word may be half of a secret, which redaction would not recognise.
  return words.length > maxExcerptLength
    ? `${words.slice(0, maxExcerptLength).replace(/\S*$/, '')}…`
    : words
}

/** The excerpt as part of a message, e.g. `: "Just a moment..."`. */
export const quotedExcerpt = (answer: WikiAnswer): string => quoted(pageExcerpt(answer))

/** The same of what PHP has printed before or behind an answer, with or without markup. */
export const quotedStray = (text: string): string => quoted(firstWords(withoutTags(text)))

const quoted = (words: string) => (words === '' ? '' : `: "${words}"`)

const isMarkup = ({ headers }: WikiAnswer) => /html|xml/.test(mediaType(headers))

const withoutTags = (text: string) =>
  text
    .replace(/<(script|style)\b[\s\S]{0,4000}?<\/\1>/gi, ' ')
    .replace(/<[^>]{0,2000}>/g, ' ')

/** Without control characters, which a terminal obeys. */
const collapseToLine = (text: string) =>
  text.replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
