/** Answers what never becomes a request: heads that Node's HTTP parser rejects, and CONNECT. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'

/** Bytes of request line and headers that are accepted: fifty Cyrillic titles make a URL longer than Node's 16 KB. */
export const maxHeadBytes: number = 128 * 1024

interface RawError {
  /** Code and phrase of the HTTP status line. */
  readonly status: string
  readonly code: string
  readonly info: string
}

export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  endWithError(socket, describeUnreadable(error))
}

function describeUnreadable({ code, message }: Error & { readonly code?: string }): RawError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: '431 Request Header Fields Too Large',
        code: 'url-too-long',
        info: `URL and headers are longer than ${maxHeadBytes} bytes; send the parameters as a POST`,
      }
    case 'HPE_INVALID_URL':
      return {
        status: '400 Bad Request',
        code: 'bad-url',
        info: 'the URL contains characters that must be percent-encoded',
      }
    default:
      return {
        status: '400 Bad Request',
        code: 'no-http',
        info: `the request is not HTTP (${code ?? message})`,
      }
  }
}

/** CONNECT asks for a tunnel, in which nothing could be recorded. @returns the line for a person at the terminal */
export function refuseTunnel({ url = '' }: IncomingMessage, socket: Duplex): string {
  const info =
    `CONNECT ${url.slice(0, 200)} was refused: wikitape does not look inside TLS; ` +
    'name the wiki with http:// where it is a forward proxy, or give the client WIKITAPE_API_URL'
  socket.on('error', () => undefined)
  endWithError(socket, { status: '405 Method Not Allowed', code: 'no-tunnel', info }, [
    'allow: GET, HEAD, POST, OPTIONS',
    'mediawiki-api-error: no-tunnel',
  ])
  return info
}

function endWithError(
  socket: Duplex,
  { status, code, info }: RawError,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ error: { code, info } })
  const head = [
    `HTTP/1.1 ${status}`,
    ...headers,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
