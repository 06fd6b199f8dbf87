/** Formats by what is particular to them. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type {
  ImportContext,
  ImportedEntry
} from '../../../src/transfer/exchange/exchanges.ts'
import { readRecording } from '../../../src/transfer/find-recordings.ts'

const now = Date.UTC(2026, 0, 1)
const address = 'https://wiki.test/w/api.php?action=query&format=json&formatversion=2'
const json = { 'content-type': 'application/json; charset=utf-8' }
const body = '{"query":{"pages":[{"title":"Волга"}]}}'

async function read(
  value: unknown,
  context: Partial<ImportContext> = {}
): Promise<readonly ImportedEntry[]> {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const kept = await readRecording(text, { now, ...context })
  if (!kept.ok) throw new Error(kept.fault.message)
  return kept.readings
}

const told = (one: ImportedEntry): string =>
  one.kind === 'exchange'
    ? Buffer.from(one.exchange.answer.body).toString()
    : `left out: ${one.why}`

const bodies = async (
  value: unknown,
  context?: Partial<ImportContext>
): Promise<readonly string[]> => (await read(value, context)).map(told)

const named = (all: Readonly<Record<string, string>>): object[] =>
  Object.entries(all).map(([name, value]) => ({ name, value }))

describe('Polly', () => {
  const entry = (text: string, coding: string, more: object = {}, at = 0): object => ({
    _id: 'a',
    _order: at,
    startedDateTime: `2021-05-05T00:00:0${at}.000Z`,
    request: { method: 'GET', url: address, headers: [] },
    response: {
      status: 200,
      headers: named({
        ...json,
        ...(coding === '' ? {} : { 'content-encoding': coding })
      }),
      content: { mimeType: 'application/json', size: 10, text, ...more }
    }
  })
  const har = (...entries: readonly object[]): object => ({
    log: { creator: { name: 'Polly.JS' }, entries }
  })
  const halves = (bytes: Buffer): readonly Buffer[] => [
    bytes.subarray(0, 20),
    bytes.subarray(20)
  ]

  it.each([
    ['gzip', gzipSync(body)],
    ['br', brotliCompressSync(body)],
    ['deflate', deflateSync(body)]
  ])('keeps chunks of %s in hex or base64', async (coding, bytes) => {
    for (const spelling of ['hex', 'base64'] as const) {
      const text = JSON.stringify(halves(bytes).map((one) => one.toString(spelling)))
      expect(
        await bodies(
          har(entry(text, coding, spelling === 'hex' ? {} : { encoding: 'base64' }))
        )
      ).toEqual([body])
    }
  })

  it('says of chunks that are no compressed data what they are not', async () => {
    expect(await bodies(har(entry('["00ff","1234"]', 'gzip')))).toEqual([
      expect.stringMatching(/^left out: the answer says content-encoding gzip/)
    ])
  })

  it('keeps bytes in hex, text as it was, and a list that the wiki sent', async () => {
    const hex = Buffer.from(body).toString('hex')
    expect(
      await bodies(
        har(
          entry(hex, '', { _isBinary: true }),
          entry(body, ''),
          entry('["a",["b"]]', 'gzip')
        )
      )
    ).toEqual([body, body, '["a",["b"]]'])
  })

  it('answers equal requests in their order', async () => {
    const all = ['{"a":0}', '{"a":1}', '{"a":2}'].map((one, at) => entry(one, '', {}, at))
    expect(await bodies(har(...all.toReversed()))).toEqual([
      '{"a":0}',
      '{"a":1}',
      '{"a":2}'
    ])
  })
})

const boundary = '----x'

const upload = (content: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n--${boundary}--\r\n`

const posted = (
  text: string,
  length: number,
  cookies: readonly string[] = []
): object => ({
  log: {
    entries: [
      {
        startedDateTime: '2025-07-23T12:34:07Z',
        request: {
          method: 'POST',
          url: address,
          headers: [
            ...named({
              'Content-Type': `multipart/form-data; boundary=${boundary}`,
              'Content-Length': `${length}`
            }),
            ...cookies.map((value) => ({ name: 'cookie', value }))
          ],
          postData: { text }
        },
        response: { status: 200, headers: named(json), content: { text: body } }
      }
    ]
  }
})

describe('HAR of a proxy', () => {
  it.each([
    ['as UTF-8', upload('Волга'), upload('Волга')],
    ['as Latin-1', Buffer.from(upload('Волга')).toString('latin1'), upload('Волга')],
    ['of plain letters', upload('Volga'), upload('Volga')]
  ])('keeps an uploaded file %s', async (_, text, sent) => {
    const [one] = await read(posted(text, Buffer.byteLength(sent)))
    expect(one?.kind === 'exchange' && Buffer.from(one.exchange.body).toString()).toBe(
      sent
    )
  })

  it.each([
    ['is empty, as browsers write it', upload(''), upload('Волга')],
    ['had bytes that were no text', upload('\ufffd'), upload('abc')]
  ])('leaves out a file that %s', async (_, text, sent) => {
    expect(await bodies(posted(text, Buffer.byteLength(sent)))).toEqual([
      'left out: its file or form was not recorded byte for byte'
    ])
  })
})

describe('HAR of a proxy, with texts', () => {
  const picture = '<svg><title>№ Ж</title></svg>'
  const svg = { 'content-type': 'image/svg+xml' }
  const latin = (sent: string): string => Buffer.from(sent).toString('latin1')
  const size = Buffer.byteLength(picture)

  it.each([
    ['as UTF-8', picture, svg, { size }, picture],
    ['as Latin-1', latin(picture), svg, { size, compression: 0 }, picture],
    [
      'as Latin-1 that was compressed',
      latin(picture),
      svg,
      { size: 20, compression: size - 20 },
      picture
    ],
    ['that names its charset', '"é"', json, { size: 3 }, '"é"'],
    ['with nothing told of its length', '<svg>é</svg>', svg, {}, '<svg>é</svg>'],
    [
      'that counts letters, it may be',
      '<svg>é</svg>',
      svg,
      { size: 12 },
      'left out: its charset was not recorded, and its length is not that of its text'
    ],
    [
      'of bytes that were no text',
      '<svg>\udcff</svg>',
      svg,
      { size: 12 },
      'left out: its body contains half a character'
    ]
  ])('keeps a text %s', async (_, text, headers, lengths, wanted) => {
    const request = { method: 'GET', url: address, headers: [] }
    const response = {
      status: 200,
      headers: named(headers),
      content: { text, ...lengths }
    }
    expect(
      await bodies({
        log: {
          entries: [{ startedDateTime: '2025-07-23T12:34:07Z', request, response }]
        }
      })
    ).toEqual([wanted])
  })

  it('has each cookie of HTTP/2 in a header of its own', async () => {
    const [one] = await read(posted(upload('x'), upload('x').length, ['a=1', 'b=2']))
    expect(one).toMatchObject({ exchange: { headers: { cookie: 'a=1; b=2' } } })
  })
})

describe('R’s vcr', () => {
  const cassette = (kept: object, status: unknown = { status_code: '200' }): object => ({
    http_interactions: [
      {
        request: { method: 'get', uri: address, body: { encoding: '', string: '' } },
        response: {
          status,
          headers: { ...json, 'content-encoding': 'gzip' },
          body: kept
        },
        recorded_at: '2025-07-23 12:34:07'
      }
    ]
  })

  it.each([
    ['text', { encoding: '', file: false, string: body }, { status_code: '200' }],
    [
      'base64',
      { encoding: '', base64_string: Buffer.from(body).toString('base64') },
      { status_code: 200 }
    ],
    ['raw_gzip of version 2', { raw_gzip: deflateSync(body).toString('base64') }, 200]
  ])('keeps %s', async (_, kept, status) => {
    expect(await bodies(cassette(kept, status))).toEqual([body])
    expect(await read(cassette(kept, status))).toMatchObject([
      { exchange: { moment: Date.UTC(2025, 6, 23, 12, 34, 7), isDated: true } }
    ])
  })

  it('leaves out bodies in files of their own', async () => {
    expect(await bodies(cassette({ file: true, string: 'some/path' }))).toEqual([
      'left out: its body is in a separate file'
    ])
  })
})

describe('ExVCR', () => {
  const cassette = (response: object, url = address): readonly object[] => [
    {
      request: { method: 'get', url, headers: [], body: '' },
      response: { status_code: 200, headers: json, ...response }
    }
  ]
  const term = (bytes: Buffer, tag = 109): string => {
    const head = Buffer.from([131, tag, 0, 0, 0, 0])
    head.writeUInt32BE(bytes.length, 2)
    return Buffer.concat([head, bytes]).toString('base64')
  }

  it('has the whole status line under httpc', async () => {
    expect(
      await bodies(cassette({ body, status_code: ['HTTP/1.1', 200, 'OK'] }))
    ).toEqual([body])
  })

  it('keeps no content type of a request: a form of many parts tells its own', async () => {
    const form =
      '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nparse\r\n--b--\r\n'
    const [one] = cassette({ body })
    const posted = (text: string): unknown => [
      {
        ...one,
        request: {
          method: 'post',
          url: address,
          headers: {},
          request_body: '',
          body: text
        }
      }
    ]
    expect(await read(posted(form))).toMatchObject([
      { exchange: { headers: { 'content-type': 'multipart/form-data; boundary="b"' } } }
    ])
    expect(await bodies(posted(form.slice(0, -6)))).toEqual([
      'left out: the content type of its request was not recorded'
    ])
  })

  it('keeps texts, and Erlang’s binaries', async () => {
    expect(await bodies(cassette({ body }))).toEqual([body])
    const headers = { ...json, 'Content-Encoding': 'gzip' }
    expect(
      await bodies(cassette({ binary: true, headers, body: term(gzipSync(body)) }))
    ).toEqual([body])
    expect(
      await bodies(cassette({ binary: true, body: term(Buffer.from(body), 110) }))
    ).toEqual(['left out: its body is not an Erlang binary, as it claims'])
  })

  it('written by hand without headers: JSON of an api.php is JSON, and nothing else is', async () => {
    const typeOf = async (kept: string, url?: string): Promise<unknown> => {
      const [one] = await read(cassette({ headers: [], body: kept }, url))
      return one?.kind === 'exchange'
        ? one.exchange.answer.headers.get('content-type')
        : one
    }
    expect(await typeOf(body)).toBe('application/json; charset=utf-8')
    expect(await typeOf('{"query":')).toBeUndefined()
    expect(await typeOf('<html>')).toBeUndefined()
    expect(
      await typeOf('{}', 'https://wiki.test/w/index.php?title=A.json&action=raw')
    ).toBeUndefined()
  })

  it('leaves out what was not answered, and patterns', async () => {
    expect(await bodies(cassette({ type: 'error', body: 'econnrefused' }))).toEqual([
      'left out: it was not answered'
    ])
    expect(await bodies(cassette({ body }, '~r/api.php/'))).toEqual([
      'left out: it has no http address'
    ])
  })
})

describe('nock', () => {
  const scope = (response: unknown, more: object = {}): object => [
    {
      scope: 'https://wiki.test:443',
      method: 'GET',
      path: '/w/api.php?action=query&format=json&formatversion=2',
      body: '',
      status: 200,
      response,
      rawHeaders: Object.entries(json).flat(),
      ...more
    }
  ]
  const rawHeaders = [...Object.entries(json).flat(), 'Content-Encoding', 'gzip']
  const hex = gzipSync(body).toString('hex')

  it.each([
    ['chunks in hex', [hex.slice(0, 20), hex.slice(20)], { rawHeaders }, body],
    [
      'headers as an object',
      [hex],
      { rawHeaders: undefined, headers: { ...json, 'content-encoding': 'gzip' } },
      body
    ],
    ['values in MediaWiki’s spelling', JSON.parse(body), {}, body],
    ['a list', ['a', ['b']], {}, '["a",["b"]]'],
    ['bytes in hex', Buffer.from(body).toString('hex'), { responseIsBinary: true }, body],
    ['text', 'a b', { rawHeaders: ['Content-Type', 'text/plain'] }, 'a b'],
    [
      'pages by number',
      { pages: { 2: 1, 1: 2 } },
      {},
      expect.stringMatching(/^left out: its JSON has members by number/)
    ]
  ])('keeps %s', async (_, response, more, expected) => {
    expect(await bodies(scope(response, more))).toEqual([expected])
  })

  it('takes a body for the form that it was', async () => {
    const [one] = await read(
      scope(
        { a: 1 },
        {
          method: 'POST',
          path: '/w/api.php',
          body: 'action=parse&format=json&formatversion=2'
        }
      )
    )
    expect(one).toMatchObject({
      exchange: { headers: { 'content-type': 'application/x-www-form-urlencoded' } }
    })
  })
})

const mapping = (request: object, response: object, more: object = {}): object => ({
  request: { method: 'GET', ...request },
  response: { status: 200, headers: json, ...response },
  ...more
})

const url = { url: '/w/api.php?action=query&format=json&formatversion=2' }

const context = {
  base: 'https://wiki.test',
  readBodyFile: (name: string) => (name === 'body.json' ? Buffer.from(body) : undefined)
}

describe('WireMock', () => {
  it.each([
    ['a body', url, { body }, body],
    ['base64', url, { base64Body: Buffer.from(body).toString('base64') }, body],
    ['a file', url, { bodyFileName: 'body.json' }, body],
    ['values', url, { jsonBody: JSON.parse(body) }, body],
    [
      'parameters that must not be there',
      {
        urlPath: '/w/api.php',
        queryParameters: { action: { equalTo: 'query' }, continue: { absent: true } }
      },
      { body },
      body
    ],
    [
      'lists of values, as WireMock 3 writes them',
      {
        urlPath: '/w/api.php',
        queryParameters: {
          action: { hasExactly: [{ equalTo: 'query' }] },
          format: { hasExactly: [{ equalTo: 'json' }] }
        }
      },
      { body },
      body
    ],
    [
      'a list with a pattern',
      {
        urlPath: '/w/api.php',
        queryParameters: { action: { hasExactly: [{ matches: '.*' }] } }
      },
      { body },
      'left out: it answers every request of a pattern, not one'
    ],
    [
      'a lost file',
      url,
      { bodyFileName: '../x' },
      'left out: its body is in __files/../x, which does not exist'
    ],
    [
      'a pattern',
      { urlPattern: '/w/.*' },
      { body },
      'left out: it answers every request of a pattern, not one'
    ],
    [
      'a template',
      url,
      { body, transformers: ['response-template'] },
      'left out: its answer is a template'
    ]
  ])('keeps %s', async (_, request, response, expected) => {
    expect(await bodies(mapping(request, response), context)).toEqual([expected])
  })
})

describe('WireMock and the order of its mappings', () => {
  it('takes the states of a scenario in turn', async () => {
    const state = (at: number): object =>
      mapping(
        url,
        { body: `{"a":${at}}` },
        {
          scenarioName: 'scenario-1',
          requiredScenarioState: at === 1 ? 'Started' : `scenario-1-w-api.php-${at}`
        }
      )
    expect(await bodies({ mappings: [state(2), state(1), state(3)] }, context)).toEqual([
      '{"a":1}',
      '{"a":2}',
      '{"a":3}'
    ])
  })

  it('takes what was recorded in one second in its order: the last is written first', async () => {
    const nth = (insertionIndex: number): object =>
      mapping(url, { body: `{"a":${insertionIndex}}` }, { insertionIndex })
    expect(await bodies({ mappings: [nth(0), nth(2), nth(1)] }, context)).toEqual([
      '{"a":2}',
      '{"a":1}',
      '{"a":0}'
    ])
  })

  it('wants to know the host', async () => {
    expect(await bodies(mapping(url, { body }))).toEqual([
      expect.stringContaining('name the wiki with --wiki')
    ])
  })
})

it('go-vcr 3 numbers its format 2', async () => {
  const interaction = {
    id: 0,
    request: { url: address, method: 'GET', body: '', headers: {} },
    response: { body, headers: json, status: '200 OK', code: 200 }
  }
  expect(await bodies({ version: 2, interactions: [interaction] })).toEqual([body])
})

describe('a length that is that of the compressed body', () => {
  const cassette = (type: string, text: string): object => ({
    http_interactions: [
      {
        request: { method: 'get', uri: address },
        response: {
          status: { code: 200 },
          headers: { 'Content-Type': [type], 'Content-Length': ['9999'] },
          body: { encoding: 'UTF-8', string: text }
        }
      }
    ]
  })

  it.each([
    ['application/json', body, body],
    ['application/json', body.slice(0, -1), 'left out: its body has 9999 bytes'],
    [
      'text/xml; charset=utf-8',
      '<?xml version="1.0"?><api batchcomplete=""><query /></api>',
      '<?xml'
    ],
    ['text/xml; charset=utf-8', '<?xml version="1.0"?><api/>', '<?xml'],
    [
      'text/xml; charset=utf-8',
      '<?xml version="1.0"?><api><query /><',
      'left out: its body has 9999 bytes'
    ],
    ['application/vnd.php.serialized', 'a:1:{s:1:"a";i:1;}', 'a:1'],
    [
      'application/vnd.php.serialized',
      'a:1:{s:1:"a";i:1',
      'left out: its body has 9999 bytes'
    ]
  ])('cuts nothing off %s: %s', async (type, text, expected) => {
    expect((await bodies(cassette(type, text)))[0]?.startsWith(expected)).toBe(true)
  })
})
