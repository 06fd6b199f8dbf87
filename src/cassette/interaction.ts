/** What a cassette holds: one interaction a request key, with its responses. Values only; files are the store's. */
import type { JsonTree } from '../json/json-tree.ts'
import type { Spelling } from '../json/write-json.ts'
import type { CanonicalRequest, RequestKey } from '../request/request-key.ts'

export interface Interaction {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** Parameters whose order or spelling the key folds away, as they were sent when this was recorded. */
  readonly sentValues: ReadonlyMap<string, string>
  /**
   * Digests of texts in the bodies that look like secrets and were none of the recorded traffic: content, which
   * `check` does not complain of. Absent where there is none.
   */
  readonly falseAlarms?: readonly string[]
  /** In the order of recording; one for a read, several where a session got different answers. */
  readonly responses: readonly [RecordedResponse, ...RecordedResponse[]]
}

/** One answer of the wiki, redacted and without `debuginfo`. */
export interface RecordedResponse {
  readonly status: number
  /** Lower-case names, sorted; only those that mean something to a client (`keptHeaders`). */
  readonly headers: ReadonlyMap<string, string>
  readonly cookies: readonly RecordedCookie[]
  readonly body: RecordedBody
}

/** A cookie that the wiki set: never its value, unless that is no secret (`deleted`, empty). */
export interface RecordedCookie {
  readonly name: string
  /** Empty, `deleted`, or a placeholder. */
  readonly value: string
  /** Attributes other than dates as sent, e.g. `path=/`, `HttpOnly`. */
  readonly attributes: readonly string[]
  /** Seconds from the moment of the answer to the expiry (negative: in the past); undefined for a session cookie. */
  readonly expiresIn: number | undefined
  /** There where the operator asked for it, although it is none of MediaWiki's sessions. */
  readonly optedIn?: true
  /** There where it is the session's, which its name does not tell; the manifest has it under `sessionCookies`. */
  readonly session?: true
}

export type RecordedBody =
  /** The answer as JSON, less `debuginfo` and `requestid`; written compactly in `spelling` it is what the wiki sent. */
  | { readonly kind: 'json'; readonly tree: JsonTree; readonly spelling: Spelling }
  /**
   * Any other text. `spelling` is there where the wiki announced JSON that cannot be written back exactly: such a
   * text can only be served to the same bare envelope.
   */
  | { readonly kind: 'text'; readonly text: string; readonly spelling?: Spelling }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }

/** True where two sets of named texts (parameters, headers) are equal, in any order. */
export const sameTexts = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)

/** Response headers that are kept: the others belong to the connection, the clock or the web server. */
export const recordedHeaders: ReadonlySet<string> = new Set([
  'access-control-allow-credentials',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'content-disposition',
  'content-language',
  'content-type',
  'location',
  'mediawiki-api-error',
  'retry-after',
])
