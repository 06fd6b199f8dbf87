/** What a cassette holds: one interaction for each request key, with its responses; when two of these say the same. */
import type { JsonTree } from '../json/json-tree.ts'
import type { Spelling } from '../json/write-json.ts'
import type { CanonicalRequest, RequestKey } from '../request/request-key.ts'
import { wordSet } from '../text/word-set.ts'
import { equalIgnoringVolatile, equalTextsIgnoringVolatile } from '../wiki/answers/volatile.ts'
import type { SetCookie } from '../wiki/cookies/session-cookies.ts'

export interface Interaction {
  readonly key: RequestKey
  readonly request: CanonicalRequest
  /** Parameters as they were sent, where the key does not depend on their order or spelling. */
  readonly sentValues: ReadonlyMap<string, string>
  /** Digests of texts in the request and the bodies that look like secrets but are content; `check` does not report them. */
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
  /** How long the wiki took; absent up to one second, and where it was not measured. */
  readonly seconds?: number | undefined
}

/** A cookie that the wiki set; its value is empty, `deleted`, or a placeholder. */
export interface RecordedCookie extends SetCookie {
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

/** True where a new recording adds nothing to the old one, so that its file need not be written; the time it took is nothing. */
export function sameRecording(old: RecordedResponse, fresh: RecordedResponse): boolean {
  return (
    old.status === fresh.status &&
    sameTexts(old.headers, fresh.headers) &&
    JSON.stringify(old.cookies) === JSON.stringify(fresh.cookies) &&
    sameBody(old.body, fresh.body)
  )
}

function sameBody(a: RecordedBody, b: RecordedBody): boolean {
  if (a.kind === 'json' && b.kind === 'json') return equalIgnoringVolatile(a.tree, b.tree)
  if (a.kind === 'text' && b.kind === 'text') return equalTextsIgnoringVolatile(a.text, b.text)
  return a.kind === 'binary' && b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
}

/** The first name or value of these headers that would end or split a header line. Source: RFC 9110, 5.1 and 5.5. */
export function findUnsendable(
  headers: ReadonlyMap<string, string>,
  cookies: readonly RecordedCookie[],
): string | undefined {
  const names = [...headers.keys()].filter((name) => !/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
  const parts = cookies.flatMap(({ name, value, attributes }) => [name, value, ...attributes])
  const split = parts.find((part) => part.includes(';'))
  const values = [...headers.values(), ...parts].filter((value) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
  return names[0] ?? values[0] ?? split
}
