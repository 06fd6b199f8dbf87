/** Parses an HTTP request into what it asks of the wiki, and into what is sent upstream for it. */
import { urlWithoutSecrets } from '../privacy/redact/redact-url.ts'
import { isPlaceholder } from '../privacy/secrets/secret.ts'
import {
  type ApiRequest,
  type Identity,
  lacksOrigin,
  type WikiRequest
} from '../request/api-request.ts'
import { asksAboutPassword, tokenKind } from '../request/secret-params.ts'
import { writeConditions } from '../upstream/forwarded-headers.ts'
import type { UpstreamRequest } from '../upstream/upstream.ts'
import { type Envelope, envelopeOf } from '../wiki/answers/envelope.ts'
import {
  mergeParams,
  type Params,
  parseUrlencoded
} from '../wiki/parameters/request-params.ts'
import {
  hasBody,
  headerText,
  type IncomingHeaders,
  type IncomingRequest,
  splitTarget
} from './incoming-request.ts'
import { emptyForm, parseFormBody, readRawBody, unreadQuery } from './request-body.ts'

export interface ParsedRequest {
  readonly request: WikiRequest
  /** @param apiPath path of the live wiki's api.php */
  readonly forward: (apiPath: string) => UpstreamRequest
}

/** Who sends these credentials. */
export type Identify = () => Identity

export function parseRequest(
  incoming: IncomingRequest,
  identify: Identify
): ParsedRequest {
  const [path, query] = splitTarget(incoming.target)
  return path.endsWith('/api.php')
    ? parseApiRequest(incoming, query, identify)
    : parsePlainRequest(incoming, query, identify)
}

function parseApiRequest(
  incoming: IncomingRequest,
  query: string,
  identify: Identify
): ParsedRequest {
  const posted = incoming.method === 'POST'
  // PHP reads no form from a GET.
  const form = posted ? parseFormBody(incoming.headers, incoming.body) : emptyForm
  const unreadTarget = unreadQuery(query)
  const unread = form.unread ?? unreadTarget
  const inQuery = unreadTarget ? new Map<string, string>() : parseUrlencoded(query)
  const params = mergeParams(form.params, inQuery)
  // A format in a multipart body cannot be replaced by JSON on the way to the wiki.
  const hasFixedFormat = form.multipart && form.params.get('format') === 'jsonfm'
  const envelope: Envelope = hasFixedFormat
    ? { kind: 'opaque', format: 'jsonfm' }
    : envelopeOf(params)
  const request: ApiRequest = {
    kind: 'api',
    params,
    query,
    files: form.files,
    unread,
    envelope,
    identity: 'anonymous',
    posted,
    lacksContentType:
      posted && headerText(incoming.headers, 'content-type') === undefined,
    acceptLanguage: headerText(incoming.headers, 'accept-language') ?? '',
    isUntrusted: headerText(incoming.headers, 'treat-as-untrusted') !== undefined,
    hasFalseOrigin: hasFalseOrigin(incoming.headers, params)
  }
  return {
    request: lacksOrigin(request) ? request : { ...request, identity: identify() },
    forward: (apiPath) => forwardApi(incoming, apiPath, query, envelope, form.params)
  }
}

/** Source: ApiMain::handleCORS of MediaWiki; measured on 1.25 to 1.43. */
function hasFalseOrigin(headers: IncomingHeaders, params: Params): boolean {
  const origin = params.get('origin')
  if (origin === undefined || origin === '*') return false
  return !(headerText(headers, 'origin') ?? '')
    .split(' ')
    .some((one) => one === origin && one !== '')
}

function parsePlainRequest(
  incoming: IncomingRequest,
  query: string,
  identify: Identify
): ParsedRequest {
  const posted = hasBody(incoming.method)
  const form = posted ? parseFormBody(incoming.headers, incoming.body) : emptyForm
  const body = readRawBody(incoming.headers, form, incoming.body)
  const { url, secrets } = urlWithoutSecrets(incoming.target)
  const conditions = posted ? conditionsIn(incoming.headers) : ''
  return {
    request: {
      kind: 'plain',
      target: url,
      posted,
      ...(posted && incoming.method !== 'POST' ? { method: incoming.method } : {}),
      ...(conditions === '' ? {} : { conditions }),
      bodyDigest: posted ? body.digest : '',
      secrets: [...secrets.map(([, value]) => value), ...body.secrets]
        .filter(isUnlikeToken)
        .join('\n'),
      aboutSecret: posted
        ? undefined
        : secrets.find((one) => asksAboutPassword(...one))?.[0],
      unread: posted ? body.unread : undefined,
      form: mergeParams(body.fields, parseUrlencoded(query)),
      acceptLanguage: headerText(incoming.headers, 'accept-language') ?? '',
      identity: identify()
    },
    forward: () => upstreamRequest(incoming, incoming.target)
  }
}

/** A write that comes too late is refused (412). */
const conditionsIn = (headers: IncomingHeaders): string =>
  [...writeConditions]
    .flatMap((name) =>
      headers[name] === undefined ? [] : `${name}: ${headerText(headers, name)}`
    )
    .join('\n')

const upstreamRequest = (
  { method, headers, body }: IncomingRequest,
  target: string
): UpstreamRequest =>
  method === 'GET' || method === 'HEAD'
    ? { method: 'GET', target, headers, body: new Uint8Array() }
    : { method, target, headers, body }

/** A token of the wiki is another one at every login, and the answer is the same. */
const isUnlikeToken = (secret: string) =>
  tokenKind(secret) !== '(token)' && !isPlaceholder(secret)

/** As the client sent it, except for `jsonfm`: JSON is requested, and the page is made here (docs/decisions/0004). */
function forwardApi(
  incoming: IncomingRequest,
  apiPath: string,
  query: string,
  envelope: Envelope,
  form: Params
): UpstreamRequest {
  const page = envelope.kind === 'page'
  const inBody = page && form.has('format')
  const url = page ? withJson(query) : query
  const upstream = upstreamRequest(incoming, url === '' ? apiPath : `${apiPath}?${url}`)
  return inBody
    ? {
        ...upstream,
        body: Buffer.from(
          withJson(Buffer.from(upstream.body).toString('latin1')),
          'latin1'
        )
      }
    : upstream
}

/** The same parameters with `format=json` for whatever `format` there was. */
function withJson(query: string): string {
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !/^format(?:=|$)/.test(pair))
  return [...others, 'format=json'].join('&')
}
