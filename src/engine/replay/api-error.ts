/** Errors of the Action API as the wiki writes them, in the errorformat and formatversion of the request; texts in English. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { fromPlain } from '../../json/plain-json.ts'
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
export function apiErrorResponse(error: ApiError, params: Params, docref?: string): RecordedResponse {
  const { code, key = `apierror-${code}`, values = [], data, module = 'main', headers } = error
  const isV1 = (params.get('formatversion') ?? '1') === '1'
  const format = params.get('errorformat') ?? 'bc'
  const text = /^(?:html|wikitext)$/.test(format) ? error.text : error.text.replaceAll(/<\/?code>/g, '"')
  const docs = { [isV1 ? '*' : 'docref']: docref }
  const only = <T>(condition: boolean, value: T): T | undefined => (condition ? value : undefined)
  const [isRaw, hasText] = [format === 'raw', format !== 'raw' && format !== 'none']
  const detailed = {
    ...{ code, text: only(hasText && !isV1, text), key: only(isRaw, key), params: only(isRaw, values) },
    ...{ data, module, '*': only(hasText && isV1, text) },
  }
  const body =
    format === 'bc' ? { error: { code, info: text, ...data, ...docs } } : { errors: [detailed], ...docs }
  return jsonResponse(body, { 'mediawiki-api-error': code, ...headers })
}

/** Of a token that is wrong or too old; a login says so in a way of its own. */
export function tokenRefusal(params: Params, generator?: string, docref?: string): RecordedResponse {
  const module = params.get('action') ?? ''
  if (module === 'login') return jsonResponse({ login: { result: 'WrongToken' } })
  const text = isVersionSince(generator, 29) ? 'Invalid CSRF token.' : 'Invalid token'
  return apiErrorResponse({ code: 'badtoken', text, module }, params, docref)
}

const jsonResponse = (body: object, headers: Readonly<Record<string, string>> = {}): RecordedResponse => ({
  status: 200,
  headers: new Map(Object.entries(headers)),
  cookies: [],
  body: { kind: 'json', tree: fromPlain(body), spelling: 'utf8' },
})
