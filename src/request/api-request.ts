/** One request to a wiki, as far as its answer can depend on it. */
import type { Envelope } from '../wiki/answers/envelope.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

/** A request to `api.php`: the parameters of query string and body together, whatever the method. */
export interface ApiRequest {
  readonly kind: 'api'
  readonly params: Params
  /** Files of a multipart body by parameter name: digest and length stand for the content. */
  readonly files: readonly FilePart[]
  /** There where it is not certain what the wiki makes of the body: such a request has no answer but the wiki's own. */
  readonly unread?: UnreadBody
  readonly envelope: Envelope
  readonly identity: Identity
  /** True for POST: some modules refuse anything else. */
  readonly posted: boolean
}

/** A body in which no parameters were understood. */
export interface UnreadBody {
  /** After "the body was not read: ". */
  readonly why: string
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
  readonly posted: boolean
  /** Digest of the body of a POST, empty otherwise. */
  readonly bodyDigest: string
  /** Fields of a posted form; not part of the key, and kept nowhere: their secrets are watched for. */
  readonly form: Params
  readonly identity: Identity
}

export type WikiRequest = ApiRequest | PlainRequest

/**
 * Who asks: `anonymous`, `user:<name>`, `authorized` where an Authorization header says only that somebody does, or
 * `unknown` where cookies may name somebody and the wiki did not say whom: such a request is never recorded or replayed.
 */
export type Identity = 'anonymous' | 'authorized' | 'unknown' | `user:${string}`
