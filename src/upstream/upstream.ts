/** The live wiki behind a port of one method. */
import type { WikiAnswer } from '../wiki/answers/wiki-answer.ts'

/** One request for the wiki, its body buffered. */
export interface UpstreamRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query, exactly as they shall be sent. */
  readonly target: string
  /** As the client sent them; hop-by-hop and control headers are dropped on the way. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Uint8Array
  /** True where the credentials of the api-url must not be added. */
  readonly anonymous?: boolean
  /** True where it changes nothing, so that it may be asked again although the first time may have arrived. */
  readonly isRepeatable?: boolean
  /** Why an answer to this is not the API's; undefined where it is. Not given where any answer will do. */
  readonly whyNotApiAnswer?: (answer: WikiAnswer) => string | undefined
}

/** Tells when nobody waits for an answer any more, as an AbortSignal does. */
export interface AbortListenable {
  readonly aborted: boolean
  addEventListener(type: 'abort', listener: () => void): void
  removeEventListener(type: 'abort', listener: () => void): void
}

export interface Upstream {
  /**
   * Asks the wiki once; a second time only where a kept connection turned out to be closed already.
   * @param signal aborts the request, e.g. when the client has gone
   * @throws UpstreamError
   */
  ask(request: UpstreamRequest, signal?: AbortListenable): Promise<WikiAnswer>
  close(): void
}

export type UpstreamFault =
  | 'unreachable'
  | 'timeout'
  | 'reset'
  | 'undecodable'
  | 'too-large'
  | 'aborted'
  /** Its certificate is not believed, or it does not speak TLS. */
  | 'untrusted'
  /** A proxy on the way lets nothing through. */
  | 'proxy'
  /** It asks to be left alone for longer than this run may wait. */
  | 'busy'
  /** It sends its callers elsewhere, where they cannot follow. */
  | 'moved'
  /** Pages come where the API should answer, whatever is asked: maintenance, a portal, a login wall. */
  | 'walled'

/** The wiki could not be asked, or its answer did not arrive whole. */
export class UpstreamError extends Error {
  readonly fault: UpstreamFault
  constructor(fault: UpstreamFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'UpstreamError'
    this.fault = fault
  }
}
