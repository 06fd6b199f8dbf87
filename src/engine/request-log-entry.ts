/** One request and its outcome, as the terminal, the log and the browser show them. */
import { folderOf } from '../cassette/interaction-path.ts'
import { parseFormBody } from '../http/form-body.ts'
import {
  type CassetteStatus,
  headerText,
  type IncomingHeaders,
  type IncomingRequest,
  type Reply,
  splitTarget,
} from '../http/incoming-request.ts'
import { describeFailure } from '../http/reply-headers.ts'
import type { SecretRegistry } from '../privacy/known/secret-registry.ts'
import { redactMessage } from '../privacy/redact/redact-message.ts'
import { cleanPath } from '../request/inner-secrets.ts'
import type { RequestKey } from '../request/request-key.ts'
import { mergeParams, type Params, parseUrlencoded } from '../wiki/parameters/request-params.ts'
import type { Caller } from './call.ts'

export interface RequestLogEntry {
  /** When it came in, in milliseconds since 1970. */
  readonly at: number
  /** How many milliseconds it took. */
  readonly ms: number
  /** Folder of the cassette. */
  readonly cassette: string
  /** `failed` where the wiki or the disk failed. */
  readonly outcome: CassetteStatus | 'failed'
  /** Of HTTP. */
  readonly status: number
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** Module of a POST, e.g. `query.allpages`; that of a GET follows from its target. */
  readonly postedModule: string | undefined
  /** The request itself, without its body where that is long. May hold secrets. */
  readonly sent: IncomingRequest
  /** What the pages show beside it. */
  readonly answer: AnswerFacts
  readonly key: RequestKey | undefined
  /** User-Agent, or Api-User-Agent where a browser's script names itself; empty where there was none. May hold secrets. */
  readonly agent: string
  /** Whether a POST mentions `maxlag`, which is no part of the key; undefined for others. */
  readonly maxlag: boolean | undefined
  /** Whether it mentions a limit: a default that is sent is no part of the key. */
  readonly limit: boolean
  /** Seconds, as the answer said. */
  readonly retryAfter?: number | undefined
  /** The recordings that an answer was synthesized from. */
  readonly from: readonly RequestKey[]
  /** May hold secrets: `shownEntry` removes them. */
  readonly why: string | undefined
  /** Undefined where nobody was logged in and nothing was written. */
  readonly caller?: Caller | undefined
  /** Of the run; undefined in replay. */
  readonly secrets: SecretRegistry | undefined
}

/** What an answer shows at a glance. */
export interface AnswerFacts {
  /** Bytes of its body. */
  readonly bytes: number
  /** Code of the API's error; empty where there is none. */
  readonly error: string
  readonly hasWarnings: boolean
  /** Milliseconds that the request waited for others of its session. */
  readonly waitedMs: number
}

/** An entry as it may be shown. */
export interface ShownEntry
  extends Omit<RequestLogEntry, 'postedModule' | 'secrets' | 'sent' | 'answer' | 'caller'> {
  /** As folders of a cassette are named, e.g. `query.allpages`; the path where it is no API request. */
  readonly module: string
}

/** Of a request, beside what it asks and gets. */
export interface EntryContext extends Pick<RequestLogEntry, 'at' | 'ms' | 'cassette' | 'caller' | 'secrets'> {
  /** Undefined where it was answered, or failed, before it was parsed. */
  readonly params?: Params | undefined
}

export function entryOfReply(incoming: IncomingRequest, reply: Reply, when: EntryContext): RequestLogEntry {
  const { cassetteStatus: outcome, status, key, from = noKeys } = reply
  const retryAfter = Number(reply.headers.find(([name]) => name === 'retry-after')?.[1]) || undefined
  const answer = answerFacts(reply)
  return entryOf(incoming, when, { outcome, status, key, from, why: whyOf(reply), retryAfter, answer })
}

export function entryOfFailure(
  incoming: IncomingRequest,
  error: unknown,
  when: EntryContext,
): RequestLogEntry {
  const { status, info: why } = describeFailure(error)
  return entryOf(incoming, when, {
    ...{ outcome: 'failed', status, key: undefined, from: noKeys, why },
    answer: { bytes: 0, error: '', hasWarnings: false, waitedMs: 0 },
  })
}

const noKeys: readonly RequestKey[] = []

/** MediaWiki writes warnings before results. */
const warningsWithin = 2_000

function answerFacts({ body, headers, waitedMs = 0 }: Reply): AnswerFacts {
  const error = headers.find(([name]) => name === 'mediawiki-api-error')?.[1] ?? ''
  const hasWarnings = body.subarray(0, warningsWithin).includes('"warnings":')
  return { bytes: body.length, error, hasWarnings, waitedMs }
}

/** Bytes of a body that is kept: there are a thousand entries. */
const maxKeptBody = 16_384

function withShortBody(incoming: IncomingRequest): IncomingRequest {
  const { signal, body } = incoming
  if (signal === undefined && body.length <= maxKeptBody) return incoming
  return { ...incoming, signal: undefined, body: body.length > maxKeptBody ? body.subarray(0, 0) : body }
}

type EntryOutcome = Pick<
  RequestLogEntry,
  'outcome' | 'status' | 'key' | 'from' | 'why' | 'retryAfter' | 'answer'
>

/** Member by member: there is one for each request, and spreading two objects takes longer than all the rest of the log. */
const entryOf = (
  incoming: IncomingRequest,
  { at, ms, cassette, caller, secrets, params }: EntryContext,
  { outcome, status, key, from, why, retryAfter, answer }: EntryOutcome,
): RequestLogEntry => {
  const { method, target, headers, body } = incoming
  return {
    at,
    ms,
    cassette,
    outcome,
    status,
    method,
    target,
    postedModule: method === 'POST' ? moduleOf(target, params ?? formParams(headers, body)) : undefined,
    agent: headerText(headers, 'api-user-agent') ?? headerText(headers, 'user-agent') ?? '',
    maxlag: method === 'POST' ? mentions('maxlag', target, body) : undefined,
    limit: mentions('limit', target, body),
    retryAfter,
    key,
    from,
    why,
    caller,
    secrets,
    sent: withShortBody(incoming),
    answer,
  }
}

function whyOf({ whyNotRecorded, missReason, waitedMs, headers, trouble }: Reply): string | undefined {
  if (trouble !== undefined) return `trouble: ${trouble}`
  const errorCode = headers.find(([name]) => name === 'mediawiki-api-error')?.[1]
  const outcome = whyNotRecorded ?? (missReason === undefined ? errorCode : `${errorCode}: ${missReason}`)
  if (waitedMs === undefined) return outcome || undefined
  const waited = `waited ${Math.round(waitedMs)} ms: its session was writing or logging in`
  return outcome === undefined ? waited : `${outcome}; ${waited}`
}

/** Without the secrets known by now. */
export function shownEntry(whole: RequestLogEntry): ShownEntry {
  const { postedModule, secrets, sent: _sent, answer: _answer, caller: _caller, ...entry } = whole
  const module = redactMessage(postedModule ?? moduleOf(entry.target, noParams), secrets)
  const agent = redactMessage(entry.agent, secrets)
  return { ...entry, module, agent, why: entry.why && redactMessage(entry.why, secrets) }
}

/** One line, e.g. `replayed 200 query.allpages 9f3a1c20d4e5 3 ms`; the reason behind it where there is one. */
export function entryLine(entry: RequestLogEntry): string {
  const { outcome, status, module, key, ms, why } = shownEntry(entry)
  const reason = why === undefined ? '' : ` (${why})`
  return `${outcome} ${status} ${module} ${key ?? '-'} ${Math.round(ms)} ms${reason}`
}

const mentions = (name: string, target: string, body: Uint8Array): boolean =>
  target.includes(name) || (body.length > 0 && bytesOf(body).includes(name))

const bytesOf = ({ buffer, byteOffset, length }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, length)

/** Of an urlencoded form as much as is searched for its module. */
const formParams = (headers: IncomingHeaders, body: Uint8Array): Params =>
  /^multipart\//i.test(headerText(headers, 'content-type') ?? '')
    ? parseFormBody(headers, body).params
    : parseUrlencoded(bytesOf(body).toString('latin1', 0, 10_000))

const noParams: Params = new Map()

function moduleOf(target: string, form: Params): string {
  const [path, query] = splitTarget(target)
  if (!path.endsWith('/api.php')) return cleanPath(path, []).slice(0, 100)
  return folderOf(mergeParams(form, parseUrlencoded(query)))
}
