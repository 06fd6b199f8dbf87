/** What HAR, vcrpy, VCR and talkback kept, read: exactly, or left out with a reason. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import JSON5 from 'json5'
import { describe, expect, it } from 'vitest'
import type { ImportedEntry } from '../../src/transfer/exchange/exchanges.ts'
import {
  type ParsedRecording,
  readRecording
} from '../../src/transfer/find-recordings.ts'

const now = Date.UTC(2026, 0, 1)
const address = 'https://wiki.test/w/api.php?action=query&format=json&formatversion=2'

/** The exchanges of a text: the body of each answer, or why it was left out. */
async function bodiesIn(text: string): Promise<readonly string[]> {
  const kept = await readRecording(text, { now })
  if (!kept.ok) throw new Error(kept.fault.message)
  return kept.readings.map(told)
}

const told = (one: ImportedEntry): string =>
  one.kind === 'exchange'
    ? Buffer.from(one.exchange.answer.body).toString()
    : `left out: ${one.why}`

const where = (kept: ParsedRecording): string =>
  kept.ok ? 'read' : `${kept.fault.line}:${kept.fault.column}: ${kept.fault.message}`

interface Kept {
  readonly request?: object
  readonly headers?: object
  readonly status?: object
  readonly rest?: object
}

/** A cassette of vcrpy in JSON, which is YAML as well. */
const vcrpy = (body: unknown, kept: Kept = {}): string =>
  JSON.stringify({
    version: 1,
    interactions: [
      {
        request: {
          method: 'GET',
          uri: address,
          headers: {},
          body: null,
          ...kept.request
        },
        response: {
          status: { code: 200, message: 'OK', ...kept.status },
          headers: { 'Content-Type': ['application/json'], ...kept.headers },
          body,
          ...kept.rest
        }
      }
    ]
  })

/** The same in YAML, with a body spelled by hand. */
const yaml = (body: string): string =>
  `version: 1\ninteractions:\n- request: {method: GET, uri: '${address}'}\n  response:\n    status: {code: 200}\n    headers: {content-type: [application/json]}\n    body: ${body}\n`

describe('the format', () => {
  it.each([
    ['', '1:1: it is of no known format; expected one of: a HAR file'],
    ['\n\n# nothing\n', '1:1: it is of no known format; expected one of'],
    [
      '2134:9:websocket;0:~8:response;',
      '1:1: it is a flow file of mitmproxy; make a HAR'
    ],
    ['just words', '1:1: it is of no known format; expected one of'],
    ['{}', '1:1: it is of no known format; expected one of'],
    ['[1]', '1:1: it is of no known format; expected one of'],
    ['// a comment\n{meta: {}, req: 1}', 'it is of no known format; expected one of'],
    [
      '{"version": 2, "interactions": []}',
      'it is a vcrpy cassette of version 2; expected version 1'
    ],
    ['- request:\n    uri: http://a/', 'it is of no known format'],
    [
      '- !ruby/struct:VCR::HTTPInteraction\n  request: !ruby/struct:VCR::Request\n    method: :get\n',
      'it is of no known format'
    ],
    ['{"__proto__": {"interactions": []}}', 'it is of no known format; expected'],
    ['__proto__:\n  interactions: []\n', 'it is of no known format; expected']
  ])('of %j is none that is known', async (text, why) => {
    expect(where(await readRecording(text, { now }))).toContain(why)
  })

  it.each([
    ['interactions:\n- request: {\n', '3:1: '],
    ['interactions:\n\t- request', '2:1: Tabs are not allowed as indentation'],
    ['interactions: []\ninteractions: []\n', '2:1: Map keys must be unique'],
    ['a: 1\n---\nb: 2\n', '2:1: Source contains multiple documents'],
    [`a: &a 1\nb:\n${'- *a\n'.repeat(101)}`, '103:3: more than 100 aliases'],
    [
      'interactions: *gone\n',
      'Unresolved alias (the anchor must be set before the alias): gone'
    ],
    [yaml('!!binary "not base64"'), '7:11: its body is not in base64 as it says'],
    ['a: "\u2028 x"\n', '1:4: line breaks that YAML 1.1 and 1.2 read differently'],
    ['interactions: !mine x\n', '1:21: the unknown tag !mine'],
    [
      'a: "x\n\u2028"\n',
      '1:6: Missing closing "quote; the file has line breaks of YAML 1.1, such as U+2028'
    ],
    ['[[', '1:3: invalid end of input'],
    ["{meta: {}, req: '", '1:18: invalid end of input'],
    [`a:${' ['.repeat(20_000)}`, 'nested too deeply'],
    ['- a\n'.repeat(800_000), '1:1: it has more than 1500000 pieces of YAML'],
    [
      `a: ${'x'.repeat(64 * 1024 * 1024)}`,
      'it has 67108867 characters; YAML is read up to 67108864 an entry; split it'
    ],
    [
      `{a: "${'x'.repeat(64 * 1024 * 1024)}"}`,
      '1:2: property name or closing brace expected'
    ]
  ])(
    'of %.30j cannot be told',
    async (text, why) => {
      expect(where(await readRecording(text, { now }))).toContain(why)
    },
    60_000
  )

  it('is no way to fill the memory', async () => {
    const laughs = 'abcdefghi'.split('').map((name, at) => {
      const before = at === 0 ? 'ha' : `*${'abcdefghi'[at - 1]}`
      return `${name}: &${name} [${Array(9).fill(before).join(',')}]`
    })
    expect(
      where(await readRecording(`${laughs.join('\n')}\ninteractions: *i\n`, { now }))
    ).toBe('1:1: Excessive alias count indicates a resource exhaustion attack')
  })
})

describe('vcrpy', () => {
  it.each([
    ['text', { string: '{"a":"ж"}' }, '{"a":"ж"}'],
    ['bare text', '{"a":1}', '{"a":1}'],
    ['base64', { base64_string: Buffer.from('{"a":1}').toString('base64') }, '{"a":1}'],
    ['nothing', null, 'left out: its body was not recorded'],
    ['an empty object', {}, 'left out: its body was not recorded'],
    ['a number', { string: 7 }, 'left out: its body is neither text nor bytes'],
    ['a form', { action: 'query' }, 'left out: its body is neither text nor bytes'],
    [
      'bad base64',
      { base64_string: 'a' },
      'left out: its body is not in base64 as it says'
    ],
    [
      'half a character',
      { string: '\ud83d' },
      'left out: its body contains half a character'
    ]
  ])('keeps %s', async (_, body, expected) => {
    expect(await bodiesIn(vcrpy(body))).toEqual([expected])
  })

  it.each([
    ['"a\\nb"', 'a\nb'],
    ['!!binary eyJhIjox\n      LCJiIjoyfQ==', '{"a":1,"b":2}'],
    ['!binary |-\n      eyJhIjoxfQ==', '{"a":1}'],
    ["!!python/unicode 'a'", 'a'],
    ['Y', 'Y'],
    [
      "'a\u2028  b'",
      'left out: its body has line breaks that YAML 1.1 and 1.2 read differently'
    ],
    [
      '{string: "a\u0085b"}',
      'left out: its body has line breaks that YAML 1.1 and 1.2 read differently'
    ],
    ['{string: !mine x}', 'left out: its body has the unknown tag !mine'],
    ['yes', 'left out: its body is neither text nor bytes']
  ])('in YAML keeps %j', async (body, expected) => {
    expect(await bodiesIn(yaml(body))).toEqual([expected])
  })

  it('as httpx was kept before version 6', async () => {
    const rest = { status_code: 200, content: '{"a":1}', body: undefined }
    const httpx = (type: string): string =>
      vcrpy(null, {
        rest,
        status: { code: undefined },
        headers: { 'Content-Type': type }
      })
    expect(await bodiesIn(httpx('application/json; charset=utf-8'))).toEqual(['{"a":1}'])
    expect((await bodiesIn(httpx('text/xml')))[0]).toContain(
      'vcrpy may have dropped bytes of its body'
    )
  })
})

describe('vcrpy with gaps and repeated headers', () => {
  it('tells of what is not whole', async () => {
    const left = async (kept: Kept): Promise<string | undefined> =>
      (await bodiesIn(vcrpy('{}', kept)))[0]
    expect(await left({ request: { uri: undefined } })).toBe(
      'left out: it has no http address'
    )
    expect(await left({ request: { method: 'PUT' } })).toBe('left out: its method is PUT')
    expect(await left({ request: { method: 7 } })).toBe('left out: its method is unknown')
    expect(await left({ request: { method: 'POST', body: 'a\nb' } })).toBe(
      'left out: the content type of its request was not recorded'
    )
    expect(await left({ request: { method: 'POST', body: 'action=query' } })).toBe('{}')
    expect(await left({ status: { code: '20' } })).toBe('left out: it was not answered')
    expect(await left({ status: { code: '200' } })).toBe('{}')
    expect(await left({ status: { code: 304 } })).toBe(
      'left out: its answer is not in the file'
    )
    const long = { 'content-length': ['3'] }
    expect(await left({ headers: { ...long, 'Content-Type': ['text/plain'] } })).toBe(
      'left out: its body has 3 bytes, but the file has 2'
    )
    expect(await left({ headers: long })).toBe('{}')
    expect(await bodiesIn('{"interactions": [null, 7, {"request": []}]}')).toEqual(
      Array(3).fill('left out: it has no http address')
    )
  })

  it('keeps every header, and cookies apart', async () => {
    const headers = {
      Vary: ['a', 'b'],
      Age: 7,
      'set-cookie': ['a=1', 'b=2'],
      Connection: 'close',
      ['__proto__']: 'x'
    }
    const kept = await readRecording(vcrpy('{}', { headers }), { now })
    const [one] = kept.ok ? kept.readings : []
    if (one?.kind !== 'exchange') throw new Error('left out')
    expect([...one.exchange.answer.headers]).toEqual([
      ['content-type', 'application/json'],
      ['vary', 'a, b'],
      ['age', '7'],
      ['__proto__', 'x']
    ])
    expect(one.exchange.answer.setCookies).toEqual(['a=1', 'b=2'])
    expect(one.exchange.moment).toBe(now)
  })
})

describe('content coding', () => {
  const text = '{"query":{"pages":[]}}'
  const coded = (
    coding: string,
    bytes: Uint8Array | string
  ): Promise<readonly string[]> =>
    bodiesIn(
      vcrpy(
        typeof bytes === 'string'
          ? bytes
          : { base64_string: Buffer.from(bytes).toString('base64') },
        {
          headers: { 'Content-Encoding': [coding], 'Content-Length': ['9'] }
        }
      )
    )

  it.each([
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)]
  ])('%s is undone', async (coding, bytes) => {
    expect(await coded(coding, bytes)).toEqual([text])
  })

  it.each(['gzip', 'br', 'deflate'])(
    '%s that the client undid is not undone again',
    async (coding) => {
      expect(await coded(coding, text)).toEqual([text])
    }
  )

  it('is never guessed', async () => {
    const cut = gzipSync(text).subarray(0, 20)
    expect(await coded('gzip', cut)).toEqual([
      'left out: the answer says content-encoding gzip but cannot be decoded'
    ])
    expect((await coded('zstd', text))[0]).toContain(
      'left out: the answer has the unknown content-encoding "zstd"'
    )
    // Raw deflate that is ASCII as well: the one block of it holds nothing.
    expect(await coded('deflate', '\x03\0')).toEqual([
      'left out: its body may be content-encoding deflate, or decoded already'
    ])
  })
})

describe('VCR', () => {
  const vcr = (body: object): string =>
    JSON.stringify({
      http_interactions: [
        {
          request: {
            method: 'post',
            uri: address,
            body: { encoding: 'UTF-8', string: '' },
            headers: {}
          },
          response: {
            status: { code: 200 },
            headers: { 'Content-Type': ['text/plain'] },
            body
          },
          recorded_at: 'Thu, 01 Jan 2015 00:00:01 GMT'
        }
      ],
      recorded_with: 'VCR 5.0.0'
    })

  it.each([
    [{ encoding: 'UTF-8', string: 'ж' }, 'ж'],
    [{ encoding: 'ASCII-8BIT', string: 'a' }, 'a'],
    [{ encoding: 'ISO-8859-1', base64_string: 'YQ==\n' }, 'a'],
    [
      { encoding: 'ISO-8859-1', string: 'é' },
      'left out: its body was in ISO-8859-1, but is recorded in UTF-8'
    ]
  ])('keeps %j', async (body, expected) => {
    expect(await bodiesIn(vcr(body))).toEqual([expected])
  })

  it("reads the base64 that R's vcr before 1.0 wrote as a text", async () => {
    const file = JSON.parse(vcr({ encoding: 'ASCII-8BIT', string: 'eyJh\nIjoxfQ==' }))
    for (const one of file.http_interactions)
      one.recorded_with = 'vcr/0.5.4, webmockr/0.6.2'
    expect(await bodiesIn(JSON.stringify(file))).toEqual(['{"a":1}'])
  })

  it('tells when it asked', async () => {
    const kept = await readRecording(vcr({ string: '' }), { now })
    expect(kept).toMatchObject({
      readings: [{ exchange: { moment: Date.UTC(2015, 0, 1, 0, 0, 1), method: 'POST' } }]
    })
  })
})

interface Tape {
  readonly meta?: object
  readonly req?: object
  readonly headers?: object
}

const tape = (body: unknown, { meta, req, headers }: Tape = {}): string =>
  JSON5.stringify({
    meta: { host: 'https://wiki.test', resHumanReadable: true, ...meta },
    req: {
      url: '/w/api.php?action=query&format=json&formatversion=2',
      method: 'GET',
      headers: {},
      body: '',
      ...req
    },
    res: {
      status: 200,
      headers: { 'content-type': ['application/json; charset=utf-8'], ...headers },
      body
    }
  })

const length = (bytes: number): Tape => ({
  headers: { 'content-length': [String(bytes)] }
})

const compressed: Tape = {
  meta: { resUncompressed: true },
  headers: { 'content-encoding': ['gzip'], 'content-length': ['9'] }
}

describe('talkback', () => {
  const ascii = { req: { url: '/w/api.php?action=query&format=json' } }

  it.each([
    [
      'values in MediaWiki’s spelling',
      { a: 'ж/\u2028', b: [1, true, null] },
      {},
      '{"a":"ж/\\u2028","b":[1,true,null]}'
    ],
    ['values of formatversion=1', { a: 'ж' }, ascii, '{"a":"\\u0436"}'],
    [
      'one member by number',
      { pages: { 7: { pageid: 7 } } },
      ascii,
      '{"pages":{"7":{"pageid":7}}}'
    ],
    ['a member by a negative number', { '-1': 0, a: 1 }, {}, '{"-1":0,"a":1}'],
    [
      'a member of a hostile name',
      JSON.parse('{"__proto__":{"a":1},"b":2}'),
      {},
      '{"__proto__":{"a":1},"b":2}'
    ],
    ['a fraction that the length confirms', { a: 0.1 }, length(9), '{"a":0.1}'],
    ['a text that the length confirms', '{"2":1, "1":2}', length(14), '{"2":1, "1":2}']
  ])('keeps %s', async (_, body, kept, expected) => {
    expect(await bodiesIn(tape(body, kept))).toEqual([expected])
  })
})

describe('talkback with unusable tapes', () => {
  it.each([
    [
      'members by number',
      { pages: { 7: {}, 12: {} } },
      {},
      'members by number ("7"), whose order'
    ],
    [
      'a number among names',
      { a: { b: 1, 0: 2 } },
      length(19),
      'members by number ("0")'
    ],
    [
      'a fraction',
      { a: [0.1] },
      {},
      'the number 0.1, which may have been spelled in another way'
    ],
    ['a number too large', { a: 1e15 }, length(22), 'the number 1000000000000000'],
    ['a fraction too small', { a: 1e-5 }, length(11), 'the number 0.00001'],
    [
      'a number beyond all',
      { a: Number.POSITIVE_INFINITY },
      length(9),
      'the number Infinity'
    ],
    ['no body', undefined, {}, 'its body was not recorded'],
    [
      'another length',
      { a: 1 },
      length(12),
      'its body had 12 bytes, and has 7 as talkback recorded it'
    ],
    ['a fraction, compressed', { a: 0.1 }, compressed, 'the number 0.1'],
    ['JSON as text', '{"a":1', {}, 'recorded as text that is incomplete'],
    [
      'JSON of another address',
      {},
      { req: { url: '/w/rest.php/v1/page/A' } },
      'the values of its JSON were recorded, not the bytes'
    ],
    [
      'deep JSON',
      JSON.parse(`${'['.repeat(900)}${']'.repeat(900)}`),
      {},
      'its JSON is nested too deeply'
    ],
    [
      'text that was none',
      'a\ufffd',
      { headers: { 'content-type': ['text/html'] } },
      'may not have been UTF-8'
    ],
    [
      'no text',
      { a: 1 },
      { headers: { 'content-type': ['text/html'] } },
      'its body is not text'
    ],
    [
      'an object for base64',
      { a: 1 },
      { meta: { resHumanReadable: false } },
      'its body is not text'
    ],
    [
      'a request of JSON',
      {},
      { meta: { reqHumanReadable: true }, req: { method: 'POST', body: {} } },
      'of its request'
    ],
    ['no host', {}, { meta: { host: undefined } }, 'it has no http address']
  ])('leaves out %s', async (_, body, kept, why) => {
    expect((await bodiesIn(tape(body, kept)))[0]).toMatch(/^left out: /)
    expect((await bodiesIn(tape(body, kept)))[0]).toContain(why)
  })
})
