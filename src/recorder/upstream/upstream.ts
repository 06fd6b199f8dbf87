/** The live wiki behind a port of one method. */
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'

/** One request for the wiki, its body buffered. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, sent exactly so. */
  readonly target: string
  /** As the client sent them; hop-by-hop and control headers are dropped. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
  /** True to send neither the api-url's credentials, nor `--header` values, nor wikitape's User-Agent. */
  readonly anonymous?: boolean
  /** True where it changes nothing, so that it may be sent again although it may have arrived. */
  readonly isRepeatable?: boolean
  /** Why an answer is not the API's; undefined where it is. Absent where any answer is accepted. */
  readonly whyNotApiAnswer?: (answer: WikiAnswer) => string | undefined
}

export interface Upstream {
  /**
   * Sends a request once; again only where a keep-alive connection turns out to be closed.
   * @param signal aborts the request, e.g. when the client has gone
   * @throws UpstreamError
   */
  ask(request: UpstreamRequest, signal?: AbortSignal): Promise<WikiAnswer>
  close(): void
}

export type UpstreamFault =
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'undecodable'
  | 'too-large'
  | 'aborted'
  /** Its certificate is not trusted, or it does not speak TLS. */
  | 'untrusted'
  /** A proxy refuses the connection. */
  | 'proxy'
  /** It asks for a longer pause than this run may wait. */
  | 'busy'
  /** It redirects where the request must not follow. */
  | 'moved'
  /** Pages come instead of answers of the API, whatever is requested: maintenance, a portal, a login wall. */
  | 'blocked'

/** A request failed, or its answer did not arrive whole. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly fault: UpstreamFault
  constructor(fault: UpstreamFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** The code of a system error, e.g. `ECONNRESET`, or its message. Not by `instanceof`: test runners have realms with another `Error`. */
export function failureCode(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  if ('code' in error) return String(error.code)
  return 'message' in error ? String(error.message) : String(error)
}
