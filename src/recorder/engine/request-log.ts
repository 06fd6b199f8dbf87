/** The log of a run: one request and its outcome, as the terminal, the log and the browser show them; the last requests, with subscribers for the next. */
import { folderOf } from '../cassette/interaction-path.ts'
import {
  type CassetteStatus,
  headerText,
  type IncomingRequest,
  type Reply,
  splitTarget
} from '../http/incoming-request.ts'
import type { SecretRegistry } from '../privacy/known/secret-registry.ts'
import { redactHeader, redactMessage } from '../privacy/redact/redact-message.ts'
import type { Identity } from '../request/api-request.ts'
import { cleanPath } from '../request/inner-secrets.ts'
import type { RequestKey } from '../request/request-key.ts'
import {
  mergeParams,
  type Params,
  parseUrlencoded
} from '../wiki/parameters/request-params.ts'

/** A request and its reply as they were; what is shown of them is worked out where it is shown. */
export interface RequestLogEntry {
  /** When it came in, in milliseconds since 1970. */
  readonly at: number
  /** How many milliseconds it took. */
  readonly ms: number
  /** How many of them it waited, while recording, for other requests of its session. */
  readonly waitedMs: number | undefined
  /** Folder of the cassette. */
  readonly cassette: string
  /** Undefined where it failed before it was parsed, and for replies of the response cache, which are the same for everybody. */
  readonly caller:
    | {
        readonly user: Identity
        /** Writes that its session has made, this one included. */
        readonly writes: number
        readonly isWrite: boolean
      }
    | undefined
  /** Of the run; undefined in replay. */
  readonly secrets: SecretRegistry | undefined
  /** Without its body where that is long. May hold secrets. */
  readonly sent: IncomingRequest
  /** Module of a POST, e.g. `query.allpages`; that of a GET follows from its target. */
  readonly postedModule: string | undefined
  /** With an empty body. */
  readonly reply: LoggedReply
  /** Bytes of the reply's body. */
  readonly bytes: number
  readonly hasWarnings: boolean
}

export type LoggedReply = Omit<Reply, 'cassetteStatus'> & {
  /** `failed` where the wiki or the disk failed. */
  readonly cassetteStatus: CassetteStatus | 'failed'
}

export interface ShownEntry
  extends Pick<RequestLogEntry, 'at' | 'ms' | 'cassette'>,
    Pick<Reply, 'status' | 'key'> {
  readonly outcome: LoggedReply['cassetteStatus']
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** As folders of a cassette are named, e.g. `query.allpages`; the path where it is no API request. */
  readonly module: string
  /** User-Agent, or Api-User-Agent where a browser's script names itself; empty where there was none. */
  readonly agent: string
  /** Seconds, as the answer said. */
  readonly retryAfter: number | undefined
  /** False where it mentions no limit: a default that is sent is no part of the key. */
  readonly limit: boolean
  /** Whether a POST mentions `maxlag`, which is no part of the key; undefined for others, and where its body is too long to be kept. */
  readonly maxlag: boolean | undefined
  /** The recordings that an answer was synthesized from. */
  readonly from: readonly RequestKey[]
  readonly why: string | undefined
}

/** The code of the API's error; empty where there is none. */
export const errorCodeOf = ({ reply }: RequestLogEntry): string =>
  reply.headers.find(([name]) => name === 'mediawiki-api-error')?.[1] ?? ''

function whyOf(entry: RequestLogEntry) {
  const { whyNotRecorded, missReason, trouble } = entry.reply
  if (trouble !== undefined) return `trouble: ${trouble}`
  const error = errorCodeOf(entry)
  const outcome =
    whyNotRecorded ?? (missReason === undefined ? error : `${error}: ${missReason}`)
  if (entry.waitedMs === undefined) return outcome || undefined
  const waited = `waited ${Math.round(entry.waitedMs)} ms: its session was writing or logging in`
  return outcome === '' ? waited : `${outcome}; ${waited}`
}

/** Without the secrets known by now. */
export function shownEntry(entry: RequestLogEntry): ShownEntry {
  const { at, ms, cassette, secrets, sent, reply } = entry
  const { method, target, headers, body } = sent
  const isPost = method === 'POST'
  const clean = (text: string) => redactMessage(text, secrets)
  const why = whyOf(entry)
  const { cassetteStatus: outcome, status, key, from = [] } = reply
  return {
    at,
    ms,
    cassette,
    outcome,
    status,
    method,
    target,
    agent: clean(
      redactHeader(
        'user-agent',
        headerText(headers, 'api-user-agent') ?? headerText(headers, 'user-agent') ?? ''
      )
    ),
    maxlag: isPost && body.length > 0 ? mentions('maxlag', sent) : undefined,
    limit: (isPost && body.length === 0) || mentions('limit', sent),
    retryAfter:
      Number(reply.headers.find(([name]) => name === 'retry-after')?.[1]) || undefined,

    key,
    from,
    why: why && clean(why),
    module: clean(entry.postedModule ?? moduleOf(target))
  }
}

/** One line, e.g. `replayed 200 query.allpages 9f3a1c20d4e5 3 ms`; the reason behind it where there is one. */
export function entryLine(entry: RequestLogEntry): string {
  const { outcome, status, module, key, ms, why } = shownEntry(entry)
  const reason = why === undefined ? '' : ` (${why})`
  return `${outcome} ${status} ${module} ${key ?? '-'} ${Math.round(ms)} ms${reason}`
}

const mentions = (name: string, { target, body }: IncomingRequest) =>
  target.includes(name) || Buffer.from(body).includes(name)

/** @param form parameters of the body */
export function moduleOf(target: string, form: () => Params = () => new Map()): string {
  const [path, query] = splitTarget(target)
  if (!path.endsWith('/api.php')) return cleanPath(path, []).slice(0, 100)
  return folderOf(mergeParams(form(), parseUrlencoded(query)))
}

/** A request with its number in the run, from 1 on. */
export interface NumberedEntry {
  readonly id: number
  readonly entry: RequestLogEntry
}

const maxEntries = 500

export class RequestFeed {
  readonly #last: NumberedEntry[] = []
  readonly #subscribers = new Set<(one: NumberedEntry) => void>()
  #count = 0

  add(entry: RequestLogEntry): void {
    this.#count += 1
    const one = { id: this.#count, entry }
    this.#last.push(one)
    // Dropped by hundreds: one by one would move all others each time.
    if (this.#last.length >= 2 * maxEntries) this.#last.splice(0, maxEntries)
    for (const subscriber of this.#subscribers) subscriber(one)
  }

  /** The requests after this one, oldest first; all where the id is of another run. */
  since(id: number): readonly NumberedEntry[] {
    return this.#last.slice(-maxEntries).filter((one) => one.id > id || id > this.#count)
  }

  /** @returns a function that unsubscribes */
  subscribe(subscriber: (one: NumberedEntry) => void): () => void {
    this.#subscribers.add(subscriber)
    return () => void this.#subscribers.delete(subscriber)
  }
}
