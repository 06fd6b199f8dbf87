/** Which headers pass through wikitape, in either direction. Source: RFC 9110, 7.6.1 (connection-specific fields). */
import { wordSet } from '../text/words.ts'

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

const hopByHopHeaders: ReadonlySet<string> = wordSet(`
  connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade
`)

/** Set anew for each upstream request; or they ask for a part only, or for what the client has not cached. */
const replacedHeaders: ReadonlySet<string> = wordSet(`
  host content-length accept-encoding expect
  if-match if-modified-since if-none-match if-range if-unmodified-since range
`)

/** The wiki's body is decoded; cookies are kept by themselves. */
const unwrappedHeaders: ReadonlySet<string> = wordSet('set-cookie content-encoding content-length')

export function forwardedHeaders(
  headers: HeaderFields,
  bodyBytes: number,
  isPost: boolean,
): Record<string, string | string[]> {
  const copied: Record<string, string | string[]> = {}
  for (const [name, value] of endToEndHeaders(headers, replacedHeaders))
    if (!name.startsWith('x-cassette')) copied[name] = typeof value === 'string' ? value : [...value]
  copied['accept-encoding'] = 'gzip'
  if (isPost) copied['content-length'] = String(bodyBytes)
  return copied
}

/** The wiki's headers less those of the connection and of the encoding, which is decoded; repeated ones joined. */
export function receivedHeaders(headers: HeaderFields): Map<string, string> {
  const fields = endToEndHeaders(headers, unwrappedHeaders)
  return new Map(fields.map(([name, value]) => [name, typeof value === 'string' ? value : value.join(', ')]))
}

function endToEndHeaders(
  headers: HeaderFields,
  dropped: ReadonlySet<string>,
): readonly (readonly [string, string | readonly string[]])[] {
  const ofConnection = new Set([...hopByHopHeaders, ...listTokens(headers['connection']), ...dropped])
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofConnection.has(name) ? [] : [[name, value] as const],
  )
}

const listTokens = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined
    ? []
    : String(value)
        .split(',')
        .map((name) => name.trim().toLowerCase())

/** The transfer codings of a body that nothing here decodes, e.g. `gzip`; undefined where there is none. Source: RFC 9112, 6.1 */
export function unsupportedTransferCoding(headers: HeaderFields): string | undefined {
  const unsupported = listTokens(headers['transfer-encoding']).filter(
    (coding) => coding !== 'chunked' && coding !== 'identity',
  )
  return unsupported.length === 0 ? undefined : unsupported.join(', ')
}
