/** Answers what never becomes a request: heads that Node's HTTP parser rejects, and CONNECT. */
import { type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { OwnError } from '../http/reply-headers.ts'

/** Bytes of request line and headers that are accepted: fifty Cyrillic titles make a URL longer than Node's 16 KB. */
export const maxHeadBytes: number = 128 * 1024

export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (socket.writable) endWithError(socket, describeUnreadable(error))
  else socket.destroy()
}

function describeUnreadable({ code, message }: Error & { readonly code?: string }): OwnError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW': {
      const info = `URL and headers are longer than ${maxHeadBytes} bytes; send the parameters as a POST`
      return { status: 431, code: 'url-too-long', info }
    }
    case 'HPE_INVALID_URL':
      return {
        status: 400,
        code: 'bad-url',
        info: 'the URL contains characters that must be percent-encoded',
      }
    default:
      return { status: 400, code: 'no-http', info: `the request is not HTTP (${code ?? message})` }
  }
}

/** CONNECT asks for a tunnel, in which nothing could be recorded. @returns the line for a person at the terminal */
export function refuseTunnel({ url = '' }: IncomingMessage, socket: Duplex): string {
  const info =
    `CONNECT ${url.slice(0, 200)} was refused: wikitape does not look inside TLS; ` +
    'name the wiki with http:// where it is a forward proxy, or give the client WIKITAPE_API_URL'
  socket.on('error', () => undefined)
  endWithError(socket, { status: 405, code: 'no-tunnel', info }, [
    'allow: GET, HEAD, POST, OPTIONS',
    'mediawiki-api-error: no-tunnel',
  ])
  return info
}

function endWithError(
  socket: Duplex,
  { status, code, info }: OwnError,
  headers: readonly string[] = [],
): void {
  const body = JSON.stringify({ error: { code, info } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
