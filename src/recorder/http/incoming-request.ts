/** One HTTP request to wikitape and its reply, as values that the server and in-process replay share. */
import type { SynthesisBasis } from '../paging/synthesis.ts'
import type { MissReason } from '../playback/lookup/near-miss.ts'
import type { TroubleKind } from '../playback/trouble.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { UrlRewriting } from './url-rewriter.ts'

export type IncomingHeaders = Readonly<
  Record<string, string | readonly string[] | undefined>
>

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Undefined for a method that the path does not have: api.php and index.php have three, MediaWiki's REST has all. */
export function methodFor(name: string | undefined, target: string): Method | undefined {
  switch (name) {
    case 'GET':
    case 'HEAD':
    case 'POST':
      return name
    case 'PUT':
    case 'PATCH':
    case 'DELETE':
      return splitTarget(target)[0].includes('/rest.php/') ? name : undefined
  }
  return undefined
}

/** True of a method whose body is sent on; it may write. */
export const hasBody = (method: Method): boolean => method !== 'GET' && method !== 'HEAD'

export interface IncomingRequest {
  readonly method: Method
  /** Path and query as sent, the cassette's path prefix taken off. */
  readonly target: string
  readonly headers: IncomingHeaders
  readonly body: Uint8Array
  /** From X-Cassette-Session or the path; empty where the client named none. */
  readonly session: string
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal | undefined
  /** True where the client named the wiki's host, not this server's. */
  readonly namedHost?: boolean
  /** True for requests by a page of another site, which must not use the credentials of the api-url. */
  readonly isCrossOrigin?: boolean
  /** For `--rewrite-urls`. */
  readonly rewriting?: UrlRewriting | undefined
}

export type CassetteStatus =
  | 'replayed'
  | 'synthesized'
  | 'recorded'
  | 'passthrough'
  | 'miss'
  | 'trouble'
  | 'override'

export interface Reply {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
  readonly cassetteStatus: CassetteStatus
  readonly key: RequestKey | undefined
  /** The recordings that a synthesized answer was made of. */
  readonly from?: readonly RequestKey[]
  /** What else a synthesized answer relies on (paging/synthesize.ts). */
  readonly by?: SynthesisBasis | undefined
  /** Digest of the recorded answer that it renders, or of the body that was synthesized; absent where its place is not known. */
  readonly answer?: string | undefined
  readonly whyNotRecorded?: string
  readonly missReason?: MissReason
  /** What it met on a bad day. With `cut`, the connection ends in the middle of the body. */
  readonly trouble?: TroubleKind
}

export function splitTarget(target: string): readonly [path: string, query: string] {
  const questionMark = target.indexOf('?')
  return questionMark < 0
    ? [target, '']
    : [target.slice(0, questionMark), target.slice(questionMark + 1)]
}

export const headerText = (
  headers: IncomingHeaders,
  name: string
): string | undefined => {
  const value = headers[name]
  return value === undefined
    ? undefined
    : typeof value === 'string'
      ? value
      : value.join(', ')
}

/** True of OAuth 1: its header is valid for one request alone, so nobody else can ask who sent it. Source: RFC 5849, 3.4. */
export const isSigned = (headers: IncomingHeaders): boolean =>
  /^OAuth\s.*oauth_signature=/is.test(headerText(headers, 'authorization') ?? '')

/** True where the client has signed the address of this server, so that the wiki would refuse the request. */
export const isSignedForServer = ({
  headers,
  namedHost
}: Pick<IncomingRequest, 'headers' | 'namedHost'>): boolean =>
  namedHost !== true &&
  isSigned(headers) &&
  !/"PLAINTEXT"/.test(headerText(headers, 'authorization') ?? '')
