/** Answers what Node's HTTP parser rejects: a head that is too long, a bad URL, or no HTTP at all. */
import type { Duplex } from 'node:stream'

/** Bytes of request line and headers that are accepted: fifty Cyrillic titles make a URL longer than Node's 16 KB. */
export const maxHeadBytes: number = 128 * 1024

export function refuseUnreadable(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy()
  const { status, code, info } = describeUnreadable(error)
  const body = JSON.stringify({ error: { code, info } })
  const head = `content-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
}

interface UnreadableRequest {
  /** Code and phrase of the HTTP status line. */
  readonly status: string
  readonly code: string
  readonly info: string
}

function describeUnreadable({ code, message }: Error & { readonly code?: string }): UnreadableRequest {
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
        info: 'the URL holds characters that must be percent-encoded',
      }
    default:
      return {
        status: '400 Bad Request',
        code: 'no-http',
        info: `the request is not HTTP (${code ?? message})`,
      }
  }
}
