/** A digest of what a request asks for, however it is spelled: a key of the response cache. */
import { hash } from 'node:crypto'
import { emptyForm, parseFormBody } from '../../http/form-body.ts'
import { type IncomingRequest, splitTarget } from '../../http/incoming-request.ts'
import {
  hasTooManyVariables,
  mergeParams,
  type Params,
  queryParams,
} from '../../wiki/parameters/request-params.ts'

/**
 * Of path and parameters, whatever their order and escapes, in the URL or in a form. Two requests with one digest
 * are parsed alike (`http/parse-request.ts`), but for the order of their parameters.
 * @returns undefined where parameters are not enough to understand the request: uploads, unreadable bodies, other paths than the API's
 */
export function requestDigest(incoming: IncomingRequest): string | undefined {
  const [path, query] = splitTarget(incoming.target)
  const params = path.endsWith('/api.php') ? digestedParams(incoming, query) : undefined
  return params && digestOf(`${path}\n${canonicalText(params)}`)
}

/** Bytes that are no UTF-8 are lone surrogates, which UTF-8 cannot tell apart: such text is hashed as UTF-16. */
const digestOf = (text: string): string =>
  hash('sha256', isAscii.test(text) ? text : Buffer.from(text, 'utf16le'), 'base64')

const isAscii = /^[\0-\x7f]*$/

function digestedParams({ method, headers, body }: IncomingRequest, query: string): Params | undefined {
  const form = method === 'POST' ? parseFormBody(headers, body) : emptyForm
  if (form.unread !== undefined || form.multipart || hasTooManyVariables(query)) return undefined
  return mergeParams(form.params, queryParams(query))
}

/** No name holds a NUL (PHP ends it there); a value may hold anything, so its length precedes it. */
const canonicalText = (params: Params): string =>
  [...params]
    .map(([name, value]) => `${name}\0${value.length}\0${value}`)
    .sort()
    .join('')
