/** What a cassette holds: one interaction for each request key, with its responses. Values only. */
import type { JsonTree } from '../json/json-tree.ts'
import type { Spelling } from '../json/write-json.ts'
import type { CanonicalRequest, RequestKey } from '../request/request-key.ts'
import { wordSet } from '../text/word-set.ts'

export interface Interaction {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** Parameters as they were sent, where the key does not depend on their order or spelling. */
  readonly sentValues: ReadonlyMap<string, string>
  /** Digests of texts in the bodies that look like secrets but are content; `check` does not report them. */
  readonly falseAlarms?: readonly string[]
  /** In the order of recording; one for a read, several where a session got different answers. */
  readonly responses: readonly [RecordedResponse, ...RecordedResponse[]]
}

/** One answer of the wiki, redacted and without `debuginfo`. */
export interface RecordedResponse {
  readonly status: number
  /** Lower-case names, sorted; only those that mean something to a client (`recordedHeaders`). */
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
  /** Set where the user asked for the cookie, although it is not a session's. */
  readonly optedIn?: true
  /** Set where it is a session's although its name does not say so; the manifest lists it under `sessionCookies`. */
  readonly session?: true
}

export type RecordedBody =
  /** The answer as JSON, less `debuginfo` and `requestid`; written compactly in `spelling` it is what the wiki sent. */
  | { readonly kind: 'json'; readonly tree: JsonTree; readonly spelling: Spelling }
  /** Any other text. `spelling` is set for JSON that cannot be written back exactly: it fits only the same bare envelope. */
  | { readonly kind: 'text'; readonly text: string; readonly spelling?: Spelling }
  | { readonly kind: 'binary'; readonly bytes: Uint8Array }

/** True where two sets of named texts (parameters, headers) are equal, in any order. */
export const sameTexts = (a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean =>
  a.size === b.size && [...a].every(([name, value]) => b.get(name) === value)

/** Response headers that are recorded; the others belong to the connection, the clock or the web server. */
export const recordedHeaders: ReadonlySet<string> = wordSet(
  'access-control-allow-credentials access-control-allow-origin access-control-expose-headers content-disposition ' +
    'content-language content-type location mediawiki-api-error retry-after',
)
