/**
 * Multipart bodies as PHP reads them, which differs from RFC 7578: lines may end in a bare LF (as Python's `email` package writes
 * them), a boundary line must be exact, quotes may be single. Source: PHP's main/rfc1867.c; compared with PHP 8.2 on random
 * bodies.
 */

/** Texts have one character a byte. */
export interface MultipartPart {
  /** Undefined where PHP would number the file itself. */
  readonly name: string | undefined
  /** Undefined for an ordinary field. */
  readonly filename: string | undefined
  readonly content: string
}

/** The parts, or why PHP might see others. */
export type MultipartResult =
  | { readonly kind: 'parts'; readonly parts: readonly MultipartPart[] }
  | { readonly kind: 'broken'; readonly reason: string }

/** PHP's buffer: a longer header line would be split. */
const maxLineLength = 5000
/** PHP's defaults of `max_input_vars` and `max_file_uploads`. */
const maxParts = { fields: 1000, files: 20 }

/** @param body one character a byte (latin1) */
export function parseMultipart(contentType: string, body: string): MultipartResult {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined || boundary.length > maxLineLength)
    return brokenMultipart('its content type names no boundary')
  const parts: MultipartPart[] = []
  const left = { ...maxParts }
  for (let at = afterBoundary(body, 0, boundary); at !== undefined; ) {
    const head = readHead(body, at)
    if (head === undefined) return brokenMultipart('a part of it ends within its head')
    const disposition = head.headers.get('content-disposition')
    if (disposition === undefined) {
      at = afterBoundary(body, head.end, boundary)
      continue
    }
    const { name, filename } = readDisposition(disposition)
    if (name === undefined && filename === undefined) return brokenMultipart('a part of it has no name')
    // Up to the line that begins with the boundary, or to the end; the line end before it is not content.
    const next = body.indexOf(`\n--${boundary}`, head.end)
    if (next < 0 && filename !== undefined) return brokenMultipart(`its file ${filename} has no end`)
    const end = next < 0 ? startOfCutBoundary(body, head.end, `\n--${boundary}`) : next
    const hasReturn = end < body.length && end > head.end && body[end - 1] === '\r'
    const content = body.slice(head.end, hasReturn ? end - 1 : end)
    left[filename === undefined ? 'fields' : 'files'] -= 1
    if (left.fields < 0 || left.files < 0) return brokenMultipart('it has more parts than PHP reads')
    parts.push({ name, filename, content })
    at = next < 0 ? undefined : afterBoundary(body, next + 1, boundary)
  }
  return { kind: 'parts', parts }
}

const brokenMultipart = (reason: string): MultipartResult => ({ kind: 'broken', reason })

function boundaryOf(contentType: string): string | undefined {
  const exact = contentType.indexOf('boundary')
  const at = exact < 0 ? contentType.toLowerCase().indexOf('boundary') : exact
  const equals = at < 0 ? -1 : contentType.indexOf('=', at)
  if (equals < 0) return undefined
  const rest = contentType.slice(equals + 1)
  if (!rest.startsWith('"')) return rest.split(/[,;]/, 1)[0]
  const quote = rest.indexOf('"', 1)
  return quote < 0 ? undefined : rest.slice(1, quote)
}

/** Up to a LF or CRLF; undefined where no LF follows. A NUL ends the text, as strings end in C. */
function readLine(body: string, at: number): { readonly text: string; readonly next: number } | undefined {
  const end = body.indexOf('\n', at)
  if (end < 0) return undefined
  const text = body.slice(at, end > at && body[end - 1] === '\r' ? end - 1 : end)
  return { text: text.split('\0', 1)[0] ?? '', next: end + 1 }
}

/** The offset behind the next line that is exactly the boundary. */
function afterBoundary(body: string, from: number, boundary: string): number | undefined {
  const wanted = `--${boundary}`
  const behindLine = `\n${wanted}`
  let found = body.startsWith(wanted, from) ? from : undefined
  for (;;) {
    const line = found === undefined ? undefined : readLine(body, found)
    if (line?.text === wanted) return line.next
    // The line feed in front keeps the search linear, whatever the boundary repeats.
    const next: number = body.indexOf(behindLine, found === undefined ? Math.max(0, from - 1) : found + 1)
    if (next < 0) return undefined
    found = next + 1
  }
}

interface PartHead {
  /** Names in lower case; the first of a name counts. */
  readonly headers: ReadonlyMap<string, string>
  readonly end: number
}

/** A line without a colon, or one that begins with white space, continues the one before. */
function readHead(body: string, from: number): PartHead | undefined {
  const headers: [name: string, value: string][] = []
  for (let line = readLine(body, from); line !== undefined; line = readLine(body, line.next)) {
    const { text, next } = line
    if (text === '') return { headers: new Map(headers.toReversed()), end: next }
    if (text.length > maxLineLength) return undefined
    const colon = space.test(text[0] ?? '') ? -1 : text.indexOf(':')
    const last = headers.at(-1)
    if (colon >= 0) headers.push([text.slice(0, colon).toLowerCase(), trimStart(text.slice(colon + 1))])
    else if (last !== undefined) last[1] += text
  }
  return undefined
}

const space = /[ \t\n\v\f\r]/
const trimStart = (text: string): string => text.replace(/^[ \t\n\v\f\r]+/, '')

/** The offset of a boundary that the end of the body cuts off, or the end. */
function startOfCutBoundary(body: string, from: number, wanted: string): number {
  for (let start = Math.max(from, body.length - wanted.length); start < body.length; start += 1)
    if (wanted.startsWith(body.slice(start))) return start
  return body.length
}

function readDisposition(disposition: string): Pick<MultipartPart, 'name' | 'filename'> {
  let name: string | undefined
  let filename: string | undefined
  for (let at = 0, end = 0; at < disposition.length; at = end + 1) {
    end = endOutsideQuotes(disposition, at, ';')
    const pair = trimStart(disposition.slice(at, end))
    if (!pair.includes('=')) continue
    const cut = endOutsideQuotes(pair, 0, '=')
    const key = pair.slice(0, cut).toLowerCase()
    const value = (): string => unquote(pair.slice(cut).replace(/^=+/, ''))
    if (key === 'name') name = value()
    if (key === 'filename') filename = value()
  }
  return { name, filename }
}

/** The offset of the next `stop` outside of quotes, single or double. */
function endOutsideQuotes(text: string, from: number, stop: string): number {
  let at = from
  while (at < text.length && text[at] !== stop) {
    const quote = text[at]
    at += 1
    if (quote !== '"' && quote !== "'") continue
    while (at < text.length && text[at] !== quote) at += text[at] === '\\' && text[at + 1] === quote ? 2 : 1
    at += 1
  }
  return Math.min(at, text.length)
}

/** What the quotes hold, or the first word without them; a backslash escapes itself and the quote. */
function unquote(given: string): string {
  const text = trimStart(given)
  const quote = text.startsWith('"') || text.startsWith("'") ? text[0] : undefined
  const inside = quote === undefined ? (text.split(space, 1)[0] ?? '') : text.slice(1)
  let value = ''
  for (let at = 0; at < inside.length && inside[at] !== quote; at += 1) {
    const next = inside[at + 1]
    if (inside[at] === '\\' && (next === '\\' || (quote !== undefined && next === quote))) at += 1
    value += inside[at]
  }
  return value
}
