/** Errors as the wiki writes them, in the errorformat and formatversion of the request, texts in English; and pages in place of answers. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { Reply } from '../../http/incoming-request.ts'
import { fromPlain } from '../../json/plain-json.ts'
import { assertsLogin, type TroubleKind } from '../../playback/trouble.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'
import { isVersionSince } from '../../wiki/site/site-facts.ts'

export interface ApiError {
  readonly code: string
  readonly text: string
  /** Of the message; `apierror-<code>` unless given. */
  readonly key?: string
  readonly values?: readonly (string | number)[]
  /** What the error has beside code and text. */
  readonly data?: Readonly<Record<string, string | number>>
  /** The module that refuses; `main` unless given. */
  readonly module?: string
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Source: ApiErrorFormatter of MediaWiki 1.29 to 1.43; measured on 1.43.
 * @param docref where the documentation is, as this wiki says it
 */
export function apiErrorResponse(
  error: ApiError,
  params: Params,
  docref?: string
): RecordedResponse {
  const {
    code,
    key = `apierror-${code}`,
    values = [],
    data,
    module = 'main',
    headers
  } = error
  const isV1 = (params.get('formatversion') ?? '1') === '1'
  const format = params.get('errorformat') ?? 'bc'
  const text = /^(?:html|wikitext)$/.test(format)
    ? error.text
    : error.text.replaceAll(/<\/?code>/g, '"')
  const docs = { [isV1 ? '*' : 'docref']: docref }
  const only = <T>(condition: boolean, value: T) => (condition ? value : undefined)
  const isRaw = format === 'raw'
  const hasText = format !== 'raw' && format !== 'none'
  const detailed = {
    code,
    text: only(hasText && !isV1, text),
    key: only(isRaw, key),
    params: only(isRaw, values),

    data,
    module,
    '*': only(hasText && isV1, text)
  }
  const body =
    format === 'bc'
      ? { error: { code, info: text, ...data, ...docs } }
      : { errors: [detailed], ...docs }
  return jsonResponse(body, { 'mediawiki-api-error': code, ...headers })
}

/** Of a token that is wrong or too old; a login says so in a way of its own. */
export function tokenRefusal(
  params: Params,
  generator?: string,
  docref?: string
): RecordedResponse {
  const module = params.get('action') ?? ''
  if (module === 'login') return jsonResponse({ login: { result: 'WrongToken' } })
  const text = isVersionSince(generator, 29) ? 'Invalid CSRF token.' : 'Invalid token'
  return apiErrorResponse({ code: 'badtoken', text, module }, params, docref)
}

const jsonResponse = (
  body: object,
  headers: Readonly<Record<string, string>> = {}
): RecordedResponse => ({
  status: 200,
  headers: new Map(Object.entries(headers)),
  cookies: [],
  body: { kind: 'json', tree: fromPlain(body), spelling: 'utf8' }
})

/* What goes wrong on a bad day (`--trouble`). */

/** In the words of MediaWiki 1.29 and later; undefined where the token is refused, and for other codes. */
export function errorOf(kind: string, params: Params): ApiError | undefined {
  if (kind === 'maxlag') return lagError(Number(params.get('maxlag') ?? retryAfter))
  if (kind === 'readonly') {
    const data = { readonlyreason: 'The database is locked for maintenance' }
    return { code: kind, text: 'The wiki is currently in read-only mode.', data }
  }
  if (kind === 'ratelimited') {
    const text = "You've exceeded your rate limit. Please wait some time and try again."
    return { code: kind, text, module: params.get('action') ?? '' }
  }
  return kind === 'session-lost' && assertsLogin(params) ? assertError(params) : undefined
}

function lagError(maxLag: number) {
  const lag = Math.max(maxLag, 0) + 2
  return {
    code: 'maxlag',
    text: `Waiting for a database server: ${lag} seconds lagged.`,
    key: 'apierror-maxlag-generic',
    values: [lag],
    data: { host: 'db1', lag, type: 'db' },
    headers: {
      'retry-after': String(Math.max(maxLag, retryAfter)),
      'x-database-lag': String(lag)
    }
  }
}

/** `assert` is checked before `assertuser`. */
function assertError(params: Params) {
  const failed = ', so the action could not be completed.'
  const [assert, name = ''] = [params.get('assert'), params.get('assertuser')]
  if (assert === 'bot')
    return {
      code: 'assertbotfailed',
      text: `You do not have the <code>bot</code> right${failed}`
    }
  if (assert === 'user')
    return { code: 'assertuserfailed', text: `You are no longer logged in${failed}` }
  return {
    code: 'assertnameduserfailed',
    text: `You are no longer logged in as "${name}"${failed}`,
    values: [name]
  }
}

/** Seconds: MediaWiki names no fewer with `maxlag`, and Varnish names these. */
const retryAfter = 5

type TroublePage = Pick<Reply, 'status' | 'headers' | 'body'>

/** Of what stands in front of a wiki, or of its maintenance. */
function page(status: number, title: string, text: string) {
  const body = `<!DOCTYPE html>\n<html><head><title>${title}</title></head>\n<body><h1>${title}</h1>\n<p>${text}</p></body></html>\n`
  const wait = status === 200 ? [] : [['retry-after', String(retryAfter)] as const]
  const headers = [['content-type', 'text/html; charset=utf-8'] as const, ...wait]
  return { status, headers, body: Buffer.from(body) }
}

export const troublePages: Readonly<Partial<Record<TroubleKind, TroublePage>>> = {
  '503': page(503, '503 Backend fetch failed', 'Guru Meditation:'),
  '429': page(
    429,
    '429 Too Many Requests',
    'You are making too many requests. Please slow down.'
  ),
  html: page(
    200,
    'Maintenance',
    'This wiki is being upgraded. Please come back in a few minutes.'
  )
}
