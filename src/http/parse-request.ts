/** From an HTTP exchange to what it asks of the wiki, and to what is sent upstream for it. */
import { withoutCredentials } from '../privacy/redact/url-credentials.ts'
import type { Identity, WikiRequest } from '../request/api-request.ts'
import type { UpstreamRequest } from '../upstream/upstream.ts'
import { type Envelope, envelopeOf } from '../wiki/answers/envelope.ts'
import { mergeParams, type Params, queryParams } from '../wiki/parameters/request-params.ts'
import { emptyForm, parseForm, unreadQuery } from './form-body.ts'
import { type Exchange, type IncomingHeaders, targetParts } from './incoming-request.ts'
import { plainBody } from './raw-body.ts'

/** A request understood. */
export interface Understood {
  readonly request: WikiRequest
  /** @param apiPath path of the live wiki's api.php */
  readonly forward: (apiPath: string) => UpstreamRequest
}

/** Who asks, as far as headers and parameters tell. */
export type Identify = (headers: IncomingHeaders, params: Params) => Identity

export function understand(exchange: Exchange, identify: Identify): Understood {
  const [path, query] = targetParts(exchange.target)
  return path.endsWith('/api.php')
    ? understandApi(exchange, query, identify)
    : understandPlain(exchange, query, identify)
}

function understandApi(exchange: Exchange, query: string, identify: Identify): Understood {
  const posted = exchange.method === 'POST'
  // PHP reads no form from a GET.
  const form = posted ? parseForm(exchange.headers, exchange.body) : emptyForm
  const unreadTarget = unreadQuery(query)
  const unread = form.unread ?? unreadTarget
  const inQuery = unreadTarget === undefined ? queryParams(query) : new Map<string, string>()
  const params = mergeParams(form.params, inQuery)
  // A format inside of a multipart body cannot be exchanged for JSON on the way to the wiki.
  const fixed = form.multipart && form.params.get('format') === 'jsonfm'
  const envelope: Envelope = fixed ? { kind: 'opaque', format: 'jsonfm' } : envelopeOf(params)
  const identity = identify(exchange.headers, params)
  return {
    request: {
      ...{ kind: 'api', params, files: form.files, envelope, identity, posted },
      ...(unread === undefined ? {} : { unread }),
    },
    forward: (apiPath) => forwardApi(exchange, apiPath, query, envelope, form.params),
  }
}

function understandPlain(exchange: Exchange, query: string, identify: Identify): Understood {
  const posted = exchange.method === 'POST'
  const form = posted ? parseForm(exchange.headers, exchange.body) : emptyForm
  const body = plainBody(form, exchange.body)
  return {
    request: {
      kind: 'plain',
      target: withoutSecrets(exchange.target),
      posted,
      bodyDigest: posted ? body.digest : '',
      form: mergeParams(body.fields, queryParams(query)),
      identity: identify(exchange.headers, new Map()),
    },
    forward: () => ({
      method: posted ? 'POST' : 'GET',
      target: exchange.target,
      headers: exchange.headers,
      body: posted ? exchange.body : new Uint8Array(),
    }),
  }
}

/** A host in front keeps `/@…` a path. */
const withoutSecrets = (target: string): string =>
  withoutCredentials(`http://wiki${target}`).slice('http://wiki'.length)

/** As the client sent it, but for the debugging page: its JSON is asked for, the page is made here (docs/decisions/0004). */
function forwardApi(
  exchange: Exchange,
  apiPath: string,
  query: string,
  envelope: Envelope,
  form: Params,
): UpstreamRequest {
  const page = envelope.kind === 'page'
  const inBody = page && form.has('format')
  const url = page ? withJson(query) : query
  const body = Buffer.from(exchange.body)
  return {
    method: exchange.method === 'POST' ? 'POST' : 'GET',
    target: url === '' ? apiPath : `${apiPath}?${url}`,
    headers: exchange.headers,
    body:
      exchange.method === 'POST'
        ? inBody
          ? Buffer.from(withJson(body.toString('latin1')), 'latin1')
          : body
        : new Uint8Array(),
  }
}

/** The same parameters with `format=json` for whatever `format` there was. */
function withJson(query: string): string {
  const others = query.split('&').filter((pair) => pair !== '' && !/^format(?:=|$)/.test(pair))
  return [...others, 'format=json'].join('&')
}
