/** Renders recorded responses as replies: in the envelope that the client asked for, with the headers that go with it. */
import {
  bodyJson,
  cachedBodyText,
  type JsonBody,
  type RecordedResponse,
  type TextBody
} from '../cassette/interaction.ts'
import { withFileExtension } from '../cassette/record/recorded-response.ts'
import { nowPlaceholder } from '../privacy/secrets/secret.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { RequestKey } from '../request/request-key.ts'
import {
  type Envelope,
  unknownErrorFormat,
  wrapInEnvelope
} from '../wiki/answers/envelope.ts'
import { withFeedQuery } from '../wiki/answers/volatile.ts'
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'
import { writeSetCookie } from '../wiki/cookies/session-cookies.ts'
import {
  type CassetteStatus,
  hasBody,
  headerText,
  type IncomingRequest,
  type Reply
} from './incoming-request.ts'
import { rewriteResponse, type UrlRewriting } from './url-rewriter.ts'

interface RenderOptions {
  readonly status: CassetteStatus
  readonly key: RequestKey
  /** The present in milliseconds: cookie dates count from it. */
  readonly now: number
  readonly rewriting?: UrlRewriting | undefined
}

/** The reply, or why the response cannot be rendered in the envelope that the request asks for. */
export function renderReply(
  recorded: RecordedResponse,
  request: WikiRequest,
  options: RenderOptions
): Reply | string {
  const response = options.rewriting
    ? rewriteResponse(recorded, options.rewriting)
    : recorded
  const rendered = renderBody(response, request)
  if (typeof rendered === 'string') return rendered
  const { body, contentType } = rendered
  const headers: (readonly [string, string])[] =
    contentType === undefined ? [] : [['content-type', contentType]]
  for (const [name, value] of response.headers) {
    const isMade = name === 'content-type' && contentType !== undefined
    if (isMade || name.startsWith('access-control-')) continue
    headers.push([name, headerValue(name, value, request)])
  }
  headers.push(
    ...suppressionHeaders(response, request),
    ...corsHeaders(response, request)
  )
  const { status: cassetteStatus, key, now } = options
  for (const cookie of response.cookies) {
    const value =
      cookie.value === nowPlaceholder ? String(Math.floor(now / 1000)) : cookie.value
    headers.push(['set-cookie', writeSetCookie({ ...cookie, value }, now)])
  }
  return { status: response.status, headers, body, cassetteStatus, key }
}

/** Where the API is said to have moved to, the client asks this server again, never the wiki. */
function headerValue(name: string, value: string, request: WikiRequest) {
  if (name === 'content-disposition') return renameForEnvelope(value, request)
  return name === 'location' && request.kind === 'api'
    ? value.replace(/^(?:https?:)?\/\/[^/?#]*/i, '')
    : value
}

const renameForEnvelope = (disposition: string, request: WikiRequest) =>
  request.kind !== 'api' || request.envelope.kind === 'opaque'
    ? disposition
    : withFileExtension(fileExtensions[request.envelope.kind], disposition)

const fileExtensions = { bare: 'json', jsonp: 'js', page: 'html' } as const

interface RenderedBody {
  readonly body: Buffer
  readonly contentType?: string
}

function renderBody(
  { body, headers }: RecordedResponse,
  request: WikiRequest
): RenderedBody | string {
  if (body.kind === 'binary') return { body: asBuffer(body.bytes) }
  if (request.kind === 'plain' || request.envelope.kind === 'opaque')
    return body.kind === 'text'
      ? renderText(body.text, request)
      : 'it was recorded as JSON'
  const errorForm = unknownErrorFormat(request.envelope)
  if (errorForm !== undefined && headers.has('mediawiki-api-error')) return errorForm
  return body.kind === 'text' && body.spelling === undefined
    ? renderText(body.text, request)
    : renderJson(body, request.envelope)
}

function renderText(text: string, request: WikiRequest) {
  const query = request.kind === 'api' ? request.query : undefined
  return { body: Buffer.from(query === undefined ? text : withFeedQuery(text, query)) }
}

type JsonEnvelope = Exclude<Envelope, { kind: 'opaque' }>

function renderJson(body: JsonBody | TextBody, envelope: JsonEnvelope) {
  const ready = readyText(body, envelope)
  if (ready) return ready
  // JSON that cannot be written back exactly is recorded as text, and cannot be changed.
  const tree =
    body.kind === 'json' || envelope.kind === 'page' ? bodyJson(body) : undefined
  if (!tree)
    return 'its JSON has a spelling that can only be served as it was recorded, without requestid'
  const { contentType, text } = wrapInEnvelope(envelope, tree)
  return { body: Buffer.from(text), contentType }
}

/** The recorded text, without parsing it; undefined where it has to be written anew. */
function readyText(body: JsonBody | TextBody, envelope: JsonEnvelope) {
  if (envelope.kind === 'page' || envelope.requestId !== undefined) return undefined
  const text = cachedBodyText(body, envelope.spelling)
  if (!text) return undefined
  return envelope.kind === 'bare'
    ? { body: asBuffer(text), contentType: 'application/json; charset=utf-8' }
    : {
        body: Buffer.concat([
          Buffer.from(`/**/${envelope.callback}(`),
          text,
          Buffer.from(')')
        ]),
        contentType: 'text/javascript; charset=utf-8'
      }
}

type RenderedHeaders = readonly (readonly [string, string])[]

/** What a wiki sends to callers with `origin=*`. Source: https://www.mediawiki.org/wiki/API:Cross-site_requests; measured. */
const anyOriginHeaders: RenderedHeaders = [
  ['access-control-allow-origin', '*'],
  ['access-control-allow-credentials', 'false'],
  [
    'access-control-expose-headers',
    'MediaWiki-API-Error, Retry-After, X-Database-Lag, MediaWiki-Login-Suppressed'
  ]
]

/** Sent to those whom the wiki treats as anonymous whoever they are, except where it refuses `origin=*`; measured on 1.39 and 1.43. */
function suppressionHeaders(
  { status }: RecordedResponse,
  request: WikiRequest
): RenderedHeaders {
  if (request.kind === 'plain') return []
  const isAnyOrigin = request.params.get('origin') === '*' && status !== 403
  return isAnyOrigin || request.params.has('callback')
    ? [['mediawiki-login-suppressed', 'true']]
    : []
}

/** Those of `origin=*`, or those recorded where they are for the origin that the request names. */
function corsHeaders(response: RecordedResponse, request: WikiRequest) {
  const origin = request.kind === 'api' ? request.params.get('origin') : undefined
  if (origin === '*') return response.status === 403 ? [] : anyOriginHeaders
  const recorded = [...response.headers].filter(([name]) =>
    name.startsWith('access-control-')
  )
  const allowed = response.headers.get('access-control-allow-origin')
  return request.kind === 'plain' || (origin !== undefined && origin === allowed)
    ? recorded
    : []
}

/**
 * Nothing but the head for a client that has the answer already (304). Source: ConditionalHeaderUtil of MediaWiki 1.35 to
 * 1.43; RFC 9110, 13.2; measured on 1.43.
 */
export function unlessModified(
  reply: Reply,
  { method, headers }: IncomingRequest
): Reply {
  if (reply.status !== 200 || hasBody(method)) return reply
  const header = (name: string) => reply.headers.find(([one]) => one === name)?.[1] ?? ''
  const validators = headerText(headers, 'if-none-match')
  const since = headerText(headers, 'if-modified-since') ?? ''
  const etag = header('etag').replace(/^W\//, '')
  const tags = validators?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? []
  const isCurrent =
    validators === undefined
      ? Date.parse(header('last-modified')) <= Date.parse(since)
      : etag !== '' && (tags.includes(etag) || tags.includes('*'))
  if (!isCurrent) return reply
  const remaining = reply.headers.filter(([name]) => name !== 'content-type')
  return { ...reply, status: 304, headers: remaining, body: Buffer.alloc(0) }
}

export function passThroughReply(answer: WikiAnswer, key: RequestKey | undefined): Reply {
  return {
    status: answer.status,
    headers: [
      ...answer.headers,
      ...answer.setCookies.map((cookie) => ['set-cookie', cookie] as const)
    ],
    body: asBuffer(answer.body),
    cassetteStatus: 'passthrough',
    key
  }
}

/** The same bytes, not a copy: an answer may have a hundred megabytes. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  Buffer.from(buffer, byteOffset, byteLength)
