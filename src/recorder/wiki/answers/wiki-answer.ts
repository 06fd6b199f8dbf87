/** An answer of the wiki without its transport: content decoded, no connection headers. */

export interface WikiAnswer {
  readonly status: number
  /** Lower-case names, without `set-cookie`. */
  readonly headers: ReadonlyMap<string, string>
  readonly setCookies: readonly string[]
  readonly body: Uint8Array
  /** From the request to the whole answer, to tenths; undefined where it was not measured. */
  readonly seconds?: number
}

/** The media type of an answer, e.g. `application/json`; empty where none was sent. */
export const mediaType = (headers: ReadonlyMap<string, string>): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const textMediaType = /^text\/|json|xml|javascript|php\.serialized|x-www-form-urlencoded/

/** True where the media type says that the body is text. */
export const isText = (answer: WikiAnswer): boolean =>
  textMediaType.test(mediaType(answer.headers))

/** Of answers that are being recorded: a large one is read once. */
const texts = new WeakMap<WikiAnswer, string | undefined>()

/** The body, where the media type says text and the bytes are UTF-8. */
export function bodyText(answer: WikiAnswer): string | undefined {
  if (!texts.has(answer))
    texts.set(answer, isText(answer) ? utf8Text(answer.body) : undefined)
  return texts.get(answer)
}

/** The text of the first bytes of a body; undefined where they are not text. */
export const bodyHead = (answer: WikiAnswer, bytes: number): string | undefined =>
  isText(answer) ? utf8Text(answer.body.subarray(0, bytes), 'cut') : undefined

/** UTF-8 as text, with its byte order mark; undefined for other bytes. `cut`: the last character may be incomplete. */
export function utf8Text(bytes: Uint8Array, end?: 'cut'): string | undefined {
  // A character has four bytes at most.
  for (let missing = 0; missing <= (end === 'cut' ? 3 : 0); missing += 1) {
    // Not by a TextDecoder: jsdom, in which a test may run, has none.
    const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length - missing)
    const text = whole.toString()
    if (!text.includes('\ufffd') || whole.equals(Buffer.from(text))) return text
  }
  return undefined
}
