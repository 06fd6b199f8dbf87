/**
 * Multipart bodies as clients write them, and PHP reads them. Unlike RFC 7578, lines may end in a bare LF (as Python's `email`
 * package writes them), and names need no quotes (.NET). What PHP reads in ways of its own is refused: other quotes, a text
 * before or behind the parts, a missing end. Source: PHP's main/rfc1867.c; compared with PHP 8.2 on random bodies.
 */

/** Texts have one character a byte. */
export interface MultipartPart {
  readonly name: string
  /** Undefined for an ordinary field. */
  readonly filename: string | undefined
  readonly content: string
}

/** PHP's buffer: a longer header line would be split. */
const maxHeadLength = 5000
/** PHP's defaults of `max_input_vars` and `max_file_uploads`. */
const maxParts = { fields: 1000, files: 20 }

/** @param body one character a byte (latin1). @returns the parts, or why PHP might see others */
export function parseMultipart(
  contentType: string,
  body: string
): readonly MultipartPart[] | string {
  const boundary = boundaryOf(contentType)
  if (boundary === undefined) return 'its content type names no boundary'
  const text = `\n${body}`
  const delimiter = `\n--${boundary}`
  const parts: MultipartPart[] = []
  const left = { ...maxParts }
  let at = text.indexOf(delimiter)
  if (at < 0 || !/^[\r\n]*$/.test(text.slice(0, at)))
    return 'it does not begin with its boundary'
  for (;;) {
    const behind = at + delimiter.length
    const start = endOfLine(text, behind)
    if (start === undefined)
      return text.startsWith('--', behind) && !text.includes(delimiter, behind)
        ? parts
        : 'a line of it begins with its boundary and goes on'
    const head = readHead(text, start)
    if (typeof head === 'string') return head
    // The next line that begins with the boundary; the line end before it is not content.
    at = text.indexOf(delimiter, head.end)
    if (at < 0) return 'a part of it has no end'
    const end = at > head.end && text[at - 1] === '\r' ? at - 1 : at
    const { name, filename } = head
    parts.push({ name, filename, content: text.slice(head.end, end) })
    left[filename === undefined ? 'fields' : 'files'] -= 1
    if (left.fields < 0 || left.files < 0) return 'it has more parts than PHP reads'
  }
}

function boundaryOf(contentType: string) {
  const found = /[;,\s]boundary=(?:"([^"]{1,200})"|([^\s;,"]{1,200}))(?=[;,]|$)/i.exec(
    contentType
  )
  return found?.[1] ?? found?.[2]
}

/** The offset behind a line end; undefined where there is none. */
function endOfLine(text: string, at: number) {
  const feed = text[at] === '\r' ? at + 1 : at
  return text[feed] === '\n' ? feed + 1 : undefined
}

const blankLine = /\n\r?\n/g
const headerLine = /^[\w-]+:[^\0\r]*$/
/** `form-data; name="a"; filename=b; filename*=utf-8''b`; a backslash escapes itself and the quote. */
const disposition =
  /^content-disposition:[^;"'=\\]*((?:;[ \t]*[\w*-]+=(?:"(?:[^"\\]|\\.)*"|(?:[\w-]+'[\w-]*')?[^;"'=\\ \t]*)[ \t]*)*)$/i
const dispositionPair =
  /;[ \t]*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|((?:[\w-]+'[\w-]*')?[^;"'=\\ \t]*))/g

function readHead(text: string, start: number) {
  blankLine.lastIndex = start
  const blank = blankLine.exec(text)
  if (blank === null || blank.index - start > maxHeadLength)
    return 'a part of it ends within its head'
  const head = text.slice(start, blank.index).replace(/\r$/, '')
  // A line that begins with white space continues the one before.
  const lines = head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)
  const pairs = disposition.exec(
    lines.find((line) => /^content-disposition:/i.test(line)) ?? ''
  )?.[1]
  if (pairs === undefined || !lines.every((line) => headerLine.test(line)))
    return 'a part of it has no plain Content-Disposition'
  const values = new Map(
    [...pairs.matchAll(dispositionPair)].map(([, key = '', quoted, plain = '']) => [
      key.toLowerCase(),
      quoted?.replace(/\\([\\"])/g, '$1') ?? plain
    ])
  )
  const name = values.get('name')
  if (name === undefined) return 'a part of it has no name'
  return { name, filename: values.get('filename'), end: blankLine.lastIndex }
}
