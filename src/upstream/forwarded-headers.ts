/** Which headers pass through wikitape, in either direction. Source: RFC 9110, 7.6.1 (connection-specific fields). */

type HeaderFields = Readonly<Record<string, string | readonly string[] | undefined>>

const hopByHopHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Set anew for each upstream request, or meant for wikitape only. */
const replacedHeaders: ReadonlySet<string> = new Set(['host', 'content-length', 'accept-encoding', 'expect'])

/** They ask for a part, or for nothing where the client has it cached: a recording must be whole. */
const conditionalHeaders: ReadonlySet<string> = new Set([
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
])

export function forwardedHeaders(
  headers: HeaderFields,
  bodyBytes: number,
  isPost: boolean,
): Record<string, string | string[]> {
  const connectionHeaders = new Set(listTokens(headers['connection']))
  const copied: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHopHeaders.has(name) || connectionHeaders.has(name)) continue
    if (replacedHeaders.has(name) || conditionalHeaders.has(name) || name.startsWith('x-cassette')) continue
    copied[name] = typeof value === 'string' ? value : [...value]
  }
  copied['accept-encoding'] = 'gzip'
  if (isPost) copied['content-length'] = String(bodyBytes)
  return copied
}

/** The wiki's headers less those of the connection and of the encoding, which is decoded; repeated ones joined. */
export function receivedHeaders(headers: HeaderFields): Map<string, string> {
  const connectionHeaders = new Set(listTokens(headers['connection']))
  const copied = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHopHeaders.has(name) || connectionHeaders.has(name)) continue
    if (name === 'set-cookie' || name === 'content-encoding' || name === 'content-length') continue
    copied.set(name, typeof value === 'string' ? value : value.join(', '))
  }
  return copied
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
