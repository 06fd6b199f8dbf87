/** What a wiki answered, freed of its transport: content decoded, connection headers gone. */
export interface WikiAnswer {
  readonly status: number
  /** Lower-case names; `set-cookie` is apart. */
  readonly headers: ReadonlyMap<string, string>
  readonly setCookies: readonly string[]
  readonly body: Uint8Array
}

/** The media type of an answer, e.g. `application/json`; empty where none was sent. */
export const mediaType = (headers: ReadonlyMap<string, string>): string =>
  (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

const textual = /^text\/|json|xml|javascript|php\.serialized|x-www-form-urlencoded/

/** True where the media type says that the body is text. */
export const isText = (answer: WikiAnswer): boolean => textual.test(mediaType(answer.headers))

/** The body as text where the media type says text and the bytes are whole UTF-8; undefined otherwise. */
export function bodyText(answer: WikiAnswer): string | undefined {
  if (!isText(answer)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.body)
  } catch {
    return undefined
  }
}
