/** Requests to a wiki, with all that an answer can depend on. */
import type { Envelope } from '../wiki/answers/envelope.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

/** A request to `api.php`: the parameters of query string and body together, whatever the method. */
export interface ApiRequest {
  readonly kind: 'api'
  readonly params: Params
  /** The query string as sent, which Atom feeds repeat; absent where a request is made from a recording. */
  readonly query?: string
  /** Files of a multipart body by parameter name: digest and length stand for the content. */
  readonly files: readonly FilePart[]
  /** Set where it is not certain how the wiki reads the body: only the wiki itself can answer such a request. */
  readonly unread?: UnreadBody | undefined
  readonly envelope: Envelope
  readonly identity: Identity
  /** True for POST: some modules refuse anything else. */
  readonly posted: boolean
  /** True for a POST without a Content-Type, of which newer wikis warn. */
  readonly lacksContentType?: boolean
  /** The header, empty without one. */
  readonly acceptLanguage?: string
  /** True with `Treat-as-Untrusted`: MediaWiki then treats the caller as one from another origin. */
  readonly isUntrusted?: boolean
  /** True where `origin` is not the origin that the browser names: the wiki refuses it, whatever is asked (403). */
  readonly hasFalseOrigin?: boolean
}

/** A body whose parameters could not be read. */
export interface UnreadBody {
  /** After "the body was not read: ". */
  readonly why: string
  /** By a key of this run alone: the body may hold a password. */
  readonly digest: string
}

/** An uploaded file; its bytes are not kept. */
export interface FilePart {
  readonly name: string
  readonly filename: string
  readonly digest: string
  readonly bytes: number
}

/** Any other path of the wiki (`/wiki/…`, `load.php`, images), matched as plain HTTP. */
export interface PlainRequest {
  readonly kind: 'plain'
  /** Path and query as sent, percent-encoding kept. */
  readonly target: string
  /** True if it has a body, whatever its method. */
  readonly posted: boolean
  /** Of a body; POST unless given. */
  readonly method?: string
  /** Headers under which alone something is to be written; absent without any. */
  readonly conditions?: string
  /** Digest of the body, empty if there is none. */
  readonly bodyDigest: string
  /** Fields of a posted form, never in the key nor on disk; read for their secrets. */
  readonly form: Params
  /** The header, empty without one. */
  readonly acceptLanguage?: string
  /** The secrets that are left out of target and digest, in memory only. */
  readonly secrets?: string
  /** The parameter of the address with a password, which the page may depend on. */
  readonly aboutSecret?: string | undefined
  /** The second and further secrets that were sent in place of the first, in their order in this run. */
  readonly turn?: number
  /** Set where the body cannot be read, so that nobody knows whether it holds a secret. */
  readonly unread?: UnreadBody | undefined
  readonly identity: Identity
}

export type WikiRequest = ApiRequest | PlainRequest

/**
 * MediaWiki treats every caller from another origin as anonymous, gives it no tokens, and says so.
 * Source: ApiMain::lacksSameOriginSecurity of 1.25 to 1.43.
 */
export const lacksOrigin = (request: WikiRequest): boolean =>
  request.kind === 'api' &&
  (request.isUntrusted === true ||
    request.params.has('callback') ||
    request.params.get('origin') === '*')

/**
 * The caller: `anonymous`, `user:<name>` (with `[rights <digest>]` where its session has not all rights of the user),
 * `authorized <digest>` (OAuth 1, whose requests nobody else can sign), `authorized` (in recordings of 0.1 and 0.2),
 * or `unknown` (credentials of a user whom the wiki has not named): such a request is never recorded or replayed.
 */
export type Identity =
  | 'anonymous'
  | 'authorized'
  | 'unknown'
  | `authorized ${string}`
  | `user:${string}`
