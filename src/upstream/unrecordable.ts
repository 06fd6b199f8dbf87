/** Answers that say how the wiki felt at the moment, not what it holds: passed on, reported, never recorded. */
import { readJson } from '../json/read.ts'
import { memberAt, textOf } from '../json/tree.ts'
import type { WikiRequest } from '../request/api-request.ts'
import { bodyText, mediaType, type WikiAnswer } from '../wiki/answer.ts'

/** Error codes of overload and maintenance. Source: https://www.mediawiki.org/wiki/API:Errors_and_warnings */
const passing: ReadonlySet<string> = new Set([
  'maxlag',
  'ratelimited',
  'readonly',
  'toofastagain',
  'mwoauth-invalid-authorization',
])

/** Why this answer must not be recorded; undefined where it may. */
export function whyUnrecordable(request: WikiRequest, answer: WikiAnswer): string | undefined {
  const failure = failureOf(answer)
  if (failure !== undefined) return failure
  return isForeignPage(request, answer) ? foreign(answer) : undefined
}

/** The same for a question of wikitape's own, which is always for bare JSON; a refusal (401, 403, 404) lasts. */
export function passingFailure(answer: WikiAnswer): string | undefined {
  const failure = failureOf(answer)
  if (failure !== undefined) return failure
  return answer.status < 400 && mediaType(answer.headers) !== 'application/json' ? foreign(answer) : undefined
}

function failureOf(answer: WikiAnswer): string | undefined {
  if (answer.status >= 500 || answer.status === 429) return `HTTP status ${answer.status}`
  const code = errorCode(answer)
  return code !== undefined && (passing.has(code) || code.startsWith('internal_api_error_'))
    ? `the error "${code}"`
    : undefined
}

const foreign = (answer: WikiAnswer): string =>
  `a page of ${mediaType(answer.headers) || 'no media type'} (status ${answer.status}) where the API's JSON was expected`

function errorCode(answer: WikiAnswer): string | undefined {
  const header = answer.headers.get('mediawiki-api-error')
  if (header !== undefined || mediaType(answer.headers) !== 'application/json') return header
  const text = answer.body.length < 20_000 ? bodyText(answer) : undefined
  const reading = text === undefined ? undefined : readJson(text)
  return reading?.ok === true ? textOf(memberAt(reading.tree, 'error', 'code')) : undefined
}

/** A block page of a CDN or a captive portal; help pages and refusals of an `origin` are the wiki's own HTML. */
function isForeignPage(request: WikiRequest, answer: WikiAnswer): boolean {
  if (request.kind !== 'api' || request.envelope.kind === 'opaque') return false
  if (mediaType(answer.headers) !== 'text/html' || leadsToApi(answer)) return false
  const action = request.params.get('action') ?? 'help'
  return action !== 'help' && !(answer.status === 403 && request.params.has('origin'))
}

/** A redirect to the api.php that stands elsewhere: from http to https, or to the wiki's present name. */
const leadsToApi = ({ status, headers }: WikiAnswer): boolean =>
  status >= 300 && status < 400 && /^[^?#]*\/api\.php(?:[?#]|$)/.test(headers.get('location') ?? '')
