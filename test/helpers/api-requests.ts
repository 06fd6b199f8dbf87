/** Requests to an api.php written as query strings, readable Cyrillic and all. */
import type { ApiRequest, Identity } from '../../src/recorder/request/api-request.ts'
import { envelopeOf } from '../../src/recorder/wiki/answers/envelope.ts'
import {
  mergeParams,
  type Params,
  parseUrlencoded
} from '../../src/recorder/wiki/parameters/request-params.ts'

/** Parameters of a query string; what is not ASCII goes through UTF-8, as on the wire. */
export const paramsOf = (query: string): Map<string, string> =>
  parseUrlencoded(Buffer.from(query, 'utf8').toString('latin1'))

interface Extra {
  readonly body?: string
  readonly identity?: Identity
  readonly files?: ApiRequest['files']
}

export function apiRequest(
  query: string,
  { body, identity, files }: Extra = {}
): ApiRequest {
  const params = mergeParams(
    body === undefined ? new Map() : paramsOf(body),
    paramsOf(query)
  )
  return fromParams(params, {
    identity: identity ?? 'anonymous',
    posted: body !== undefined,
    files: files ?? []
  })
}

export const fromParams = (
  params: Params,
  rest: Partial<Pick<ApiRequest, 'identity' | 'posted' | 'files'>> = {}
): ApiRequest => ({
  kind: 'api',
  params,
  files: [],
  envelope: envelopeOf(params),
  identity: 'anonymous',
  posted: false,
  ...rest
})
