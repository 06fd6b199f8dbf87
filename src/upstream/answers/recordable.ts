/** Answers that are not the API's, or that say how the wiki felt at the moment: passed on, reported, never recorded. */

import { type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { redactUrl } from '../../privacy/redact/url-credentials.ts'
import type { ApiRequest, WikiRequest } from '../../request/api-request.ts'
import { unknownErrorFormat } from '../../wiki/answers/envelope.ts'
import { bodyHead, bodyText, mediaType, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { quotedExcerpt } from './page-excerpt.ts'

/** Error codes of overload and maintenance. Source: https://www.mediawiki.org/wiki/API:Errors_and_warnings */
const transientErrorCodes: ReadonlySet<string> = new Set([
  'maxlag',
  'ratelimited',
  'readonly',
  'toofastagain',
])

/**
 * Why this answer must not be recorded; undefined where it may.
 * @param recordErrors true where overload and maintenance are to be recorded too; what is not the API's never is
 * @param mayQuote false where nothing of the answer may be told, since a secret stands in it
 */
export function whyUnrecordable(
  request: WikiRequest,
  answer: WikiAnswer,
  recordErrors: boolean,
  mayQuote = true,
): string | undefined {
  const failure = transientFailure(answer, mayQuote)
  if (failure !== undefined) return recordErrors ? undefined : failure
  return whyNotApiAnswer(request, answer, mayQuote)
}

/** Why this is not the wiki's own answer; undefined where it is. */
export function whyNotApiAnswer(
  request: WikiRequest,
  answer: WikiAnswer,
  mayQuote = true,
): string | undefined {
  if (answer.headers.get('cf-mitigated') !== undefined) return describeNonApiAnswer(answer, mayQuote)
  return request.kind === 'api' && isNonApiAnswer(request, answer)
    ? describeNonApiAnswer(answer, mayQuote)
    : undefined
}

/** The same for a question of wikitape's own, which is always for bare JSON. */
export function whyUnusable(answer: WikiAnswer): string | undefined {
  return transientFailure(answer) ?? whyNotApiJson(answer)
}

/** Why this is not the API's JSON; undefined where it is. */
export const whyNotApiJson = (answer: WikiAnswer): string | undefined =>
  isApiJson(answer) ? undefined : describeNonApiAnswer(answer, true)

/** Overload and maintenance: the same question may be answered soon. */
export function transientFailure(answer: WikiAnswer, mayQuote = true): string | undefined {
  if (answer.status >= 500 || answer.status === 429)
    return `HTTP status ${answer.status}${mayQuote ? quotedExcerpt(answer) : ''}`
  const code = apiErrorCode(answer)
  return code !== undefined && (transientErrorCodes.has(code) || code.startsWith('internal_api_error_'))
    ? `the error "${code}"`
    : undefined
}

/** The code of the API's error that an answer is; undefined where it is none. */
export function apiErrorCode(answer: WikiAnswer): string | undefined {
  const header = answer.headers.get('mediawiki-api-error')
  if (header !== undefined) return header
  const tree = parseShortJson(answer)
  return textOf(memberAt(tree, 'error', 'code'))
}

function describeNonApiAnswer(answer: WikiAnswer, mayQuote: boolean): string {
  const { status, headers } = answer
  const location = headers.get('location')
  if (status >= 300 && status < 400 && location !== undefined)
    return `a redirect (status ${status})${mayQuote ? ` to ${redactUrl(location)}` : ''} where the API's answer was expected; name the address of api.php that it leads to`
  const type = mediaType(headers) || 'no media type'
  const what = type === 'application/json' ? 'JSON that is no error of the API' : `a page of ${type}`
  return `${what} (status ${status}) where the API's JSON was expected${mayQuote ? quotedExcerpt(answer) : ''}`
}

/** What no module of any wiki answers with, whatever printer it brings along. */
const pageMediaTypes = /^(?:$|text\/(?:html|plain)|application\/(?:xhtml\+xml|pdf|octet-stream)|image\/)/

/** Pages of an edge, a portal, a login wall; help, and the wiki's own refusal of an `origin`, are HTML of the wiki's. */
function isNonApiAnswer(request: ApiRequest, answer: WikiAnswer): boolean {
  if (leadsToApi(answer) || (request.params.has('origin') && isOriginRefusal(answer))) return false
  // In which form an error is told is the wiki's own affair there.
  if (unknownErrorFormat(request.envelope) !== undefined && answer.headers.has('mediawiki-api-error'))
    return false
  if (request.envelope.kind === 'opaque') return isNonApiAnswerIn(request.envelope.format ?? 'jsonfm', answer)
  if (answer.status >= 300) return !isApiJson(answer)
  const action = request.params.get('action') ?? 'help'
  const type = mediaType(answer.headers)
  return pageMediaTypes.test(type) && !(action === 'help' && type === 'text/html')
}

/** Formats other than JSON: of their debugging pages only a `<pre>` is sure. */
function isNonApiAnswerIn(format: string, answer: WikiAnswer): boolean {
  if (answer.status >= 300) return answer.headers.get('mediawiki-api-error') === undefined
  const type = mediaType(answer.headers)
  if (type !== 'text/html') return false
  return !(
    format.endsWith('fm') &&
    Buffer.from(answer.body.buffer, answer.body.byteOffset, answer.body.byteLength).includes('<pre')
  )
}

/** What ApiMain says before it has chosen any format, the same in every version. */
const isOriginRefusal = (answer: WikiAnswer): boolean =>
  answer.status === 403 && (bodyHead(answer, 100) ?? '').includes("'origin' parameter")

/** Errors of the API itself may have any status, e.g. 400 to 403 where OAuth is refused. */
function isApiJson(answer: WikiAnswer): boolean {
  const type = mediaType(answer.headers)
  if (answer.status < 300) return type === 'application/json'
  if (answer.headers.get('mediawiki-api-error') !== undefined) return true
  const tree = type === 'application/json' || type === 'text/javascript' ? parseShortJson(answer) : undefined
  return memberAt(tree, 'error', 'code') !== undefined || memberOf(tree, 'errors') !== undefined
}

/** Errors are short; JSON in an envelope is looked at without it. Undefined also where no name of its own is `error` or `errors`. */
function parseShortJson(answer: WikiAnswer): JsonTree | undefined {
  if (answer.body.length >= 20_000 || !mayMentionErrors(answer.body)) return undefined
  const text = bodyText(answer)
  if (text === undefined || !/json|javascript/.test(mediaType(answer.headers))) return undefined
  return readTree(/^\/\*\*\/[^(]{1,200}\(([\s\S]*)\)$/.exec(text)?.[1] ?? text)
}

/** What was found of a body: it is asked for several times. */
const errorMentions = new WeakMap<Uint8Array, boolean>()

/** Tells what the JSON of an answer is, so that nobody looks for errors in it who need not. */
export function noteJson({ body }: WikiAnswer, json: JsonTree): void {
  errorMentions.set(body, memberOf(json, 'error') !== undefined || memberOf(json, 'errors') !== undefined)
}

/** A letter of the name may be escaped. */
function mayMentionErrors(body: Uint8Array): boolean {
  const known = errorMentions.get(body)
  if (known !== undefined) return known
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
  const mayName = bytes.includes('"error') || bytes.includes('\\u00')
  errorMentions.set(body, mayName)
  return mayName
}

/** A redirect to the api.php that stands elsewhere: from http to https, or to the wiki's present name. */
const leadsToApi = ({ status, headers }: WikiAnswer): boolean =>
  status >= 300 && status < 400 && /^[^?#]*\/api\.php(?:[?#]|$)/.test(headers.get('location') ?? '')
