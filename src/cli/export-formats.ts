/** Recorded exchanges as other programs keep them. */

/** One request with one of its answers, as HTTP. */
export interface Exported {
  readonly url: URL
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer
}

export interface ExportFormat {
  readonly name: 'har' | 'nock'
  /** The text of the whole file. @param day of the recording */
  write(exchanges: readonly Exported[], day: string, version: string): string
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
const typeOf = ({ headers }: Exported): string => headers.find(([name]) => name === 'content-type')?.[1] ?? ''
const pairs = (all: Iterable<readonly [string, string]>): readonly object[] =>
  [...all].map(([name, value]) => ({ name, value }))

/** Undefined where the bytes are no UTF-8. */
function textOf(body: Buffer): string | undefined {
  const text = body.toString('utf8')
  return Buffer.from(text).equals(body) ? text : undefined
}

/** Source: http://www.softwareishard.com/blog/har-12-spec/ */
const har: ExportFormat = {
  name: 'har',
  write: (exchanges, day, version) =>
    json({
      log: {
        version: '1.2',
        creator: { name: 'wikitape', version },
        entries: exchanges.map((one) => harEntry(one, day)),
      },
    }),
}

const harEntry = (one: Exported, day: string): object => ({
  startedDateTime: `${day}T00:00:00.000Z`,
  time: 0,
  request: {
    method: 'GET',
    url: one.url.href,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    queryString: pairs(one.url.searchParams),
    headersSize: -1,
    bodySize: 0,
  },
  response: {
    status: one.status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(one.headers),
    content: { size: one.body.length, mimeType: typeOf(one), ...harText(one.body) },
    redirectURL: one.headers.find(([name]) => name === 'location')?.[1] ?? '',
    headersSize: -1,
    bodySize: one.body.length,
  },
  cache: {},
  timings: { send: 0, wait: 0, receive: 0 },
})

function harText(body: Buffer): object {
  const text = textOf(body)
  return text === undefined ? { text: body.toString('base64'), encoding: 'base64' } : { text }
}

/** For `nock.load`. Source: https://github.com/nock/nock#recording */
const nock: ExportFormat = { name: 'nock', write: (exchanges) => json(exchanges.map(nockDefinition)) }

const nockDefinition = (one: Exported): object => ({
  scope: one.url.origin,
  method: 'GET',
  path: one.url.pathname + one.url.search,
  body: '',
  status: one.status,
  ...nockResponse(one.body),
  rawHeaders: one.headers.flat(),
})

/** nock parses a text that is JSON and writes it anew; where that would change a byte the bytes are given as hex digits. */
function nockResponse(body: Buffer): object {
  const text = textOf(body)
  return text !== undefined && survivesParsing(text)
    ? { response: text }
    : { response: body.toString('hex'), responseIsBinary: true }
}

function survivesParsing(text: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === text
  } catch {
    return true
  }
}

export const exportFormats: readonly ExportFormat[] = [har, nock]
