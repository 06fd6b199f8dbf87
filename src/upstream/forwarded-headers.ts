/** Which headers cross the proxy. Source: RFC 9110, 7.6.1 (connection-specific fields). */

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const hopByHop: ReadonlySet<string> = new Set([
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

/** Set anew for each upstream request, or meant for wikitape alone. */
const own: ReadonlySet<string> = new Set(['host', 'content-length', 'accept-encoding', 'expect'])

/** They ask for a part, or for nothing where the client has it: a recording must be whole. */
const partial: ReadonlySet<string> = new Set([
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
])

/** What of a client's headers goes to the wiki. */
export function forwardedHeaders(
  headers: Headers,
  bodyBytes: number,
  posted: boolean,
): Record<string, string | string[]> {
  const named = new Set(listed(headers['connection']))
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || own.has(name) || named.has(name)) continue
    if (partial.has(name) || name.startsWith('x-cassette')) continue
    kept[name] = typeof value === 'string' ? value : [...value]
  }
  kept['accept-encoding'] = 'gzip'
  if (posted) kept['content-length'] = String(bodyBytes)
  return kept
}

/** The wiki's headers less those of the connection and of the encoding, which is undone; joined where repeated. */
export function receivedHeaders(headers: Headers): Map<string, string> {
  const named = new Set(listed(headers['connection']))
  const kept = new Map<string, string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || hopByHop.has(name) || named.has(name)) continue
    if (name === 'set-cookie' || name === 'content-encoding' || name === 'content-length') continue
    kept.set(name, typeof value === 'string' ? value : value.join(', '))
  }
  return kept
}

const listed = (value: string | readonly string[] | undefined): readonly string[] =>
  [value ?? []].flat().flatMap((one) => one.split(',').map((name) => name.trim().toLowerCase()))

/** What of a body's transfer coding nobody here undoes: all but chunks, e.g. `gzip`; undefined where nothing is left. Source: RFC 9112, 6.1 */
export function foreignTransferCoding(headers: Headers): string | undefined {
  const sent = headers['transfer-encoding']
  if (sent === undefined) return undefined
  const foreign = listed(sent).filter((coding) => coding !== 'chunked' && coding !== 'identity')
  return foreign.length === 0 ? undefined : foreign.join(', ')
}
