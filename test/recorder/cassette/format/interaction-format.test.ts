import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeInteraction } from '../../../../src/recorder/cassette/format/decode-interaction.ts'
import {
  encodeInteraction,
  maxInlineBytes,
  maxInlineCharacters
} from '../../../../src/recorder/cassette/format/encode-interaction.ts'
import {
  cachedBodyText,
  type Interaction,
  type RecordedBody,
  type RecordedCookie,
  type RecordedResponse
} from '../../../../src/recorder/cassette/interaction.ts'
import { interactionPath } from '../../../../src/recorder/cassette/interaction-path.ts'
import { itemsOf, memberOf, sameTree } from '../../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact, writePretty } from '../../../../src/recorder/json/write-json.ts'
import { requestKey } from '../../../../src/recorder/request/request-key.ts'
import { character } from '../../../helpers/any-text.ts'
import { anyString, anyTree } from '../../../helpers/json-values.ts'
import { interactionOf, jsonBody, response, treeOf } from '../../../helpers/recorded.ts'
import { rounds } from '../../../helpers/scale.ts'

const anyMap = (
  keys: fc.Arbitrary<string>,
  size = 5
): fc.Arbitrary<ReadonlyMap<string, string>> =>
  fc
    .uniqueArray(fc.tuple(keys, anyString), {
      selector: ([name]) => name,
      maxLength: size
    })
    .map((entries) => new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))))

const wellFormed = fc.oneof(
  fc.string({ unit: character, maxLength: 40 }),
  fc.constantFrom('', '\n', 'a\r\nb\n\n', '<p>\u2028</p>')
)
const spelling = fc.constantFrom('ascii' as const, 'utf8' as const)

const anyBody: fc.Arbitrary<RecordedBody> = fc.oneof(
  fc.record({ kind: fc.constant('json' as const), tree: anyTree, spelling }),
  wellFormed.map((text) => ({ kind: 'text' as const, text })),
  fc.record({ kind: fc.constant('text' as const), text: wellFormed, spelling }),
  fc.uint8Array({ maxLength: 20 }).map((bytes) => ({ kind: 'binary' as const, bytes })),
  fc.nat(255).map((byte) => ({
    kind: 'binary' as const,
    bytes: new Uint8Array(maxInlineBytes + 1).fill(byte)
  }))
)

/** What can stand in a header; the rest makes a file a broken one (test/recorder/store/untrusted-cassettes.test.ts). */
const sendable = fc.string({
  unit: fc.constantFrom('a', 'é', ' ', '=', '"', '/', '\t'),
  maxLength: 9
})
const headerName = fc.string({
  unit: fc.constantFrom('a', 'X', '-', '9', '_'),
  minLength: 1,
  maxLength: 9
})

const anyCookie: fc.Arbitrary<RecordedCookie> = fc.record({
  name: sendable,
  value: sendable,
  attributes: fc.array(sendable, { maxLength: 3 }),
  expiresIn: fc.option(fc.integer(), { nil: undefined }),
  optedIn: fc.constant(true as const),
  session: fc.constant(true as const)
})

const anyResponse: fc.Arbitrary<RecordedResponse> = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  headers: anyMap(headerName, 3).map(
    (map) => new Map([...map.keys()].map((name) => [name, 'é; a="b"']))
  ),
  cookies: fc.array(anyCookie, { maxLength: 2 }),
  body: anyBody,
  seconds: fc.option(fc.constantFrom(1.4, 7), { nil: undefined })
})

const anyInteraction: fc.Arbitrary<Interaction> = fc
  .tuple(
    anyMap(anyString),
    anyMap(anyString, 2),
    anyResponse,
    fc.array(anyResponse, { maxLength: 2 })
  )
  .map(([request, sentValues, first, more]) => ({
    key: requestKey(request),
    request,
    sentValues,
    responses: [first, ...more]
  }))

/** The same JSON with other white space. */
const reformats: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll('\n', '\r\n'),
  (text) => `\ufeff${text}`,
  (text) => writePretty(treeOf(text), '\t'),
  (text) => writePretty(treeOf(text), ''),
  (text) => text.replaceAll(/^ {6}"spelling": /gm, '$& ')
]

/** A JSON body is served in whatever spelling is asked for: the file need not keep it. */
const served = (interaction: Interaction): Interaction => {
  const plain = interaction.responses.map((one) =>
    one.body.kind === 'json'
      ? { ...one, body: { ...one.body, spelling: 'utf8' as const } }
      : one
  )
  const [first, ...more] = plain
  return first === undefined
    ? interaction
    : { ...interaction, responses: [first, ...more] }
}

describe('a file of a cassette, written and read', () => {
  it('gives back any interaction, also after an editor has reformatted it', () => {
    fc.assert(
      fc.property(
        anyInteraction,
        fc.constantFrom(...reformats),
        (interaction, reformat) => {
          const { text, bodyFiles: beside } = encodeInteraction(interaction, 'stem')
          const reading = decodeInteraction(reformat(text), (name) => beside.get(name))
          if (!reading.ok) return expect.fail(`${JSON.stringify(reading.fault)}\n${text}`)
          expect(plain(served(reading.interaction))).toEqual(plain(served(interaction)))
        }
      ),
      { numRuns: rounds(500) }
    )
  })

  it('is written the same again after it was read', () => {
    fc.assert(
      fc.property(anyInteraction, (interaction) => {
        const { text, bodyFiles: beside } = encodeInteraction(interaction, 'stem')
        const reading = decodeInteraction(text, (name) => beside.get(name))
        expect(reading.ok && encodeInteraction(reading.interaction, 'stem').text).toBe(
          text
        )
      }),
      { numRuns: rounds(300) }
    )
  })

  it('has the text of each JSON body in either spelling, if at all without a tree', () => {
    fc.assert(
      fc.property(
        anyInteraction,
        fc.constantFrom(...reformats),
        (interaction, reformat) => {
          const { text, bodyFiles: beside } = encodeInteraction(interaction, 'stem')
          const reading = decodeInteraction(reformat(text), (name) => beside.get(name))
          const read = reading.ok ? reading.interaction.responses : []
          for (const [at, { body }] of interaction.responses.entries())
            for (const spelled of ['ascii', 'utf8'] as const) {
              const again = read[at]?.body
              if (body.kind !== 'json' || again?.kind !== 'json') continue
              const found = cachedBodyText(again, spelled)
              if (found === undefined) continue
              expect(Buffer.from(found).toString()).toBe(writeCompact(body.tree, spelled))
            }
        }
      ),
      { numRuns: rounds(500) }
    )
  })

  it('holds no carriage return of its own, ends in a line feed, and is UTF-8 whatever the strings', () => {
    fc.assert(
      fc.property(anyInteraction, (interaction) => {
        const { text } = encodeInteraction(interaction, 'stem')
        expect(text.endsWith('}\n')).toBe(true)
        expect(text).not.toContain('\r')
        expect(text.isWellFormed()).toBe(true)
      })
    )
  })
})

/** What test/fixtures/interaction.json holds: a body of every kind, cookies, and values in another order. */
const wholeFile = readFileSync(path.resolve('test/fixtures/interaction.json'), 'utf8')

describe('a file of a cassette, line by line', () => {
  it('looks like this (the format is a promise)', () => {
    const interaction = interactionOf(
      { action: 'query', titles: 'А|Б', prop: 'info' },
      [
        response(
          jsonBody(
            '{"batchcomplete":"","query":{"pages":{"7":{"pageid":7,"title":"\\u0412\\u043e\\u043b\\u0433\\u0430"},"-1":{}}}}'
          )
        ),
        response(
          { kind: 'text', text: 'один\nдва' },
          {
            status: 403,
            headers: new Map([
              ['mediawiki-api-error', 'x'],
              ['content-type', 'text/html']
            ]),
            cookies: [
              {
                name: 'wikiToken',
                value: '',
                attributes: ['path=/', 'HttpOnly'],
                expiresIn: -31_536_000
              },
              {
                name: 'wiki_session',
                value: '(session)',
                attributes: [],
                expiresIn: undefined
              }
            ]
          }
        ),
        response({ kind: 'text', text: '{"a":"\\/"}', spelling: 'ascii' }),
        response({ kind: 'binary', bytes: Uint8Array.of(1, 2, 255) })
      ],
      { titles: 'Б|А' }
    )
    expect(encodeInteraction(interaction, 'stem').text).toBe(wholeFile)
  })

  it('has the same path when somebody has put its parameters in another order', () => {
    const path = (request: object): string => {
      const text = JSON.stringify({ request, responses: [{ status: 200, lines: [] }] })
      const reading = decodeInteraction(text, () => undefined)
      if (!reading.ok) throw new Error(JSON.stringify(reading))
      return interactionPath(reading.interaction.request, reading.interaction.key)
    }
    expect(path({ titles: 'A', action: 'parse', page: 'B' })).toBe(
      path({ action: 'parse', page: 'B', titles: 'A' })
    )
  })
})

describe('a file with a large body', () => {
  it('puts a large binary body beside itself and says where', () => {
    const bytes = new Uint8Array(maxInlineBytes + 1).fill(7)
    const { text, bodyFiles: beside } = encodeInteraction(
      interactionOf({ 'plain target': '/x.png' }, [response({ kind: 'binary', bytes })]),
      'x.abc'
    )
    expect(text).toContain('"file": "x.abc.0.bin"')
    expect(
      [...beside].map(([name, held]) => [name, Buffer.compare(held, bytes)])
    ).toEqual([['x.abc.0.bin', 0]])
    const lost = decodeInteraction(text, () => undefined)
    expect(lost).toMatchObject({
      ok: false,
      fault: { message: 'the file "x.abc.0.bin" with the body was not found' }
    })
  })

  it.each(['', 'ascii', 'utf8'] as const)(
    'puts a large text beside itself (spelling %j)',
    (spelling) => {
      const text = `\ufeff{"a":"Ж\r\n${'x'.repeat(maxInlineCharacters)}"}\n`
      const body = {
        kind: 'text',
        text,
        ...(spelling === '' ? {} : { spelling })
      } as const
      const written = encodeInteraction(
        interactionOf({ 'plain target': '/x' }, [response(body)]),
        'x.abc'
      )
      expect(written.text).toContain('"textFile": "x.abc.0.bin"')
      expect(written.text.length).toBeLessThan(1000)
      expect(
        [...written.bodyFiles].map(([name, bytes]) => [
          name,
          Buffer.compare(bytes, Buffer.from(text))
        ])
      ).toEqual([['x.abc.0.bin', 0]])
      const reading = decodeInteraction(written.text, (name) =>
        written.bodyFiles.get(name)
      )
      const read = reading.ok ? reading.interaction.responses[0].body : undefined
      expect(read).toMatchObject({ ...body, text: expect.any(String) })
      expect(read?.kind === 'text' && read.text === text).toBe(true)
      const cut = decodeInteraction(written.text, () => Buffer.from(text).subarray(0, 10))
      expect(cut).toMatchObject({
        ok: false,
        fault: { message: 'the file "x.abc.0.bin" is not UTF-8' }
      })
    }
  )

  it('keeps a large text in its lines where UTF-8 cannot hold it', () => {
    const body = {
      kind: 'text',
      text: `\ud800${'x'.repeat(maxInlineCharacters)}`
    } as const
    const { text, bodyFiles: beside } = encodeInteraction(
      interactionOf({ action: 'x' }, [response(body)]),
      'x.abc'
    )
    expect(beside.size).toBe(0)
    const reading = decodeInteraction(text, () => undefined)
    expect(reading.ok && reading.interaction.responses[0].body).toEqual(body)
  })
})

describe('a file of a cassette, edited by hand', () => {
  it.each([
    ['{', 'property name or closing brace expected'],
    ['', 'value expected'],
    ['[]', 'expected an object under "request"'],
    ['{"request":[],"responses":[]}', 'expected an object under "request"'],
    ['{"request":{}}', 'expected at least one response under "responses"'],
    ['{"request":{},"responses":[]}', 'expected at least one response'],
    ['{"request":{},"responses":[{"json":1}]}', 'expected an HTTP status'],
    ['{"request":{},"responses":[{"status":"200","json":1}]}', 'expected an HTTP status'],
    ['{"request":{},"responses":[{"status":99,"json":1}]}', 'expected an HTTP status'],
    ['{"request":{},"responses":[{"status":200.5,"json":1}]}', 'expected an HTTP status'],
    [
      '{"request":{},"responses":[{"status":200}]}',
      'expected one of "json", "lines", "base64", "file" and "textFile"'
    ],
    ['{"request":{},"responses":[5]}', 'expected an HTTP status']
  ])('says what is wrong with %j', (text, message) => {
    const reading = decodeInteraction(text, () => undefined)
    expect(reading.ok ? 'nothing' : reading.fault.message).toContain(message)
  })

  it('points at the line and column of broken JSON', () => {
    const { text } = encodeInteraction(interactionOf({ action: 'query' }), 'stem')
    const broken = text.replace('"status": 200', '"status" 200')
    const reading = decodeInteraction(broken, () => undefined)
    const line = broken.split('\n').findIndex((one) => one.includes('"status" 200')) + 1
    expect(reading).toMatchObject({
      ok: false,
      fault: { line, column: 16, message: 'colon expected' }
    })
  })

  it.each([
    ['a number among the lines', { lines: ['a', 7] }, 'expected texts under "lines"'],
    ['lines that are an object', { lines: { 0: 'a' } }, 'expected texts under "lines"'],
    [
      'a number as the value of a header',
      { headers: { 'x-a': 7 }, lines: ['a'] },
      'expected a text for the header "x-a"'
    ]
  ])('says what it cannot read of an answer edited by hand: %s', (_, edited, message) => {
    const file = { request: { action: 'query' }, responses: [{ status: 200, ...edited }] }
    expect(decodeInteraction(JSON.stringify(file), () => undefined)).toMatchObject({
      ok: false,
      fault: { message: expect.stringContaining(message) }
    })
  })

  const wrongValues = [7, 'seven', true, null, [7], ['a', 7], { a: 7 }, [{ name: 7 }]]
  const members = ['request', 'asked', 'chosenBy', 'turns', 'responses']
  const ofResponse = [
    ...['status', 'headers', 'cookies', 'seconds', 'spelling', 'afterOthers'],
    ...['lines', 'base64', 'file', 'textFile']
  ]
  const cases = [...members, ...ofResponse].flatMap((name) =>
    wrongValues.map((value) => [name, JSON.stringify(value), value] as const)
  )

  it.each(cases)('is read with %s: %s as it is, or not at all', (name, _, value) => {
    const isOfResponse = ofResponse.includes(name)
    const body = ['lines', 'base64', 'file', 'textFile'].includes(name) ? {} : { json: 1 }
    const given = { status: 200, ...body, ...(isOfResponse ? { [name]: value } : {}) }
    const file = {
      request: { action: 'query' },
      responses: [given],
      ...(isOfResponse ? {} : { [name]: value })
    }
    const reading = decodeInteraction(JSON.stringify(file), Buffer.from)
    if (!reading.ok)
      return expect(reading.fault.message).toMatch(
        /expected .* (?:under|for) "|of each response/
      )
    const written = JSON.parse(encodeInteraction(reading.interaction, 'x').text)
    const found = isOfResponse ? written.responses[0] : written
    // A text in one piece is one line; the bytes of a small body are in the text.
    const kept = { lines: [value], file: undefined, textFile: undefined }[name] ?? value
    if (name in { file: 0, textFile: 0 }) expect(value).toBe('seven')
    else expect(found[name]).toEqual(kept)
  })

  it.each([
    ['two bodies', { json: 1, lines: ['a'] }],
    ['base64 that is none', { base64: 'a b' }],
    ['a note in a cookie', { json: 1, cookies: [{ name: 'a', value: '', note: 1 }] }]
  ])('is not read with %s', (_, edited) => {
    const file = { request: { action: 'query' }, responses: [{ status: 200, ...edited }] }
    expect(decodeInteraction(JSON.stringify(file), () => undefined)).toMatchObject({
      ok: false
    })
  })

  it('keeps what a person has added', () => {
    const file = {
      note: 'ask Ann',
      request: { action: 'query' },
      responses: [{ json: 1, status: 200, ticket: { id: 7 } }]
    }
    const reading = decodeInteraction(JSON.stringify(file), () => undefined)
    const again = reading.ok ? encodeInteraction(reading.interaction, 'x').text : '{}'
    expect(JSON.parse(again)).toMatchObject(file)
  })

  it('says that a number cannot be the value of a parameter', () => {
    const responses = [{ status: 200, lines: ['a'] }]
    const file = { request: { action: 'query', pageids: 7 }, responses }
    expect(decodeInteraction(JSON.stringify(file), () => undefined)).toMatchObject({
      ok: false,
      fault: { message: 'expected a text for "pageids" under "request"' }
    })
  })

  it('reads a text in one piece in place of its lines', () => {
    const responses = [
      { status: 200, headers: { 'content-type': 'text/plain' }, lines: 'a\nb' }
    ]
    const reading = decodeInteraction(
      JSON.stringify({ request: { action: 'query' }, responses }),
      () => undefined
    )
    expect(reading).toMatchObject({
      ok: true,
      interaction: { responses: [{ body: { kind: 'text', text: 'a\nb' } }] }
    })
  })

  it('derives its key from what it says, not from where it lies', () => {
    const { text } = encodeInteraction(
      interactionOf({ action: 'query', list: 'allpages' }),
      'stem'
    )
    const reading = decodeInteraction(
      text.replace('allpages', 'allimages'),
      () => undefined
    )
    expect(reading.ok && reading.interaction.key).toBe(
      interactionOf({ action: 'query', list: 'allimages' }).key
    )
  })
})

/** Trees compare by value, bytes too. */
function plain({ key, request, sentValues: asked, responses }: Interaction): unknown {
  const values = {
    key,
    request: [...request],
    asked: [...asked],
    responses: responses.map(({ status, headers, cookies, body }) => ({
      status,
      headers: [...headers],
      cookies: cookies.map((cookie) => ({ ...cookie })),
      body:
        body.kind === 'binary'
          ? Buffer.from(body.bytes).toString('hex').slice(0, 200) + body.bytes.length
          : body.kind === 'json'
            ? // Members of what is read come about when they are asked for.
              { ...body, tree: treeOf(writeCompact(body.tree, 'utf8')) }
            : body
    }))
  }
  return JSON.parse(JSON.stringify(values))
}

describe('the JSON of a recorded body', () => {
  it('keeps its order, spelling and doubled names inside of the file', () => {
    const odd = '{"2":1.0,"1":-0,"2":1e5,"__proto__":"\\ud800"}'
    const { text } = encodeInteraction(
      interactionOf({ action: 'x' }, [response(jsonBody(odd))]),
      'stem'
    )
    const reading = decodeInteraction(text, () => undefined)
    const body = reading.ok ? reading.interaction.responses[0].body : undefined
    expect(body?.kind === 'json' && sameTree(body.tree, treeOf(odd))).toBe(true)
    expect(readJson(text).ok).toBe(true)
  })
})

describe('a JSON body', () => {
  /** The texts of the bodies under "json", as the tree of the whole file has them. */
  const viaTree = (text: string): readonly string[] => {
    const reading = readJson(text)
    const responses = reading.ok
      ? itemsOf(memberOf(reading.tree, 'responses'))
      : expect.fail(text)
    return responses.flatMap((one) => {
      const body = memberOf(one, 'json')
      return body === undefined ? [] : [writeCompact(body, 'utf8')]
    })
  }
  const viaFile = (text: string): readonly string[] => {
    const reading = decodeInteraction(text, () => undefined)
    const interaction = reading.ok
      ? reading.interaction
      : expect.fail(reading.fault.message)
    return interaction.responses.flatMap(({ body }) => {
      const json = body.kind === 'json' ? cachedBodyText(body, 'utf8') : undefined
      if (json !== undefined) return [Buffer.from(json).toString()]
      return body.kind === 'json' ? [writeCompact(body.tree, 'utf8')] : []
    })
  }
  const file = (response: string, more = ''): string =>
    `{${more}\n  "request": {},\n  "responses": [\n    {\n${response},\n      "status": 200\n    }\n  ]\n}\n`

  it.each([
    [
      'in the usual layout',
      file('      "json": {\n        "a": 1.0,\n        "7": "b"\n      }')
    ],
    ['on one line', file('      "json": {"b": [ 1, 2 ], "a": "x"}')],
    [
      'with a member of its name inside',
      file('      "json": {\n        "json": {\n      "json": 1\n      }\n      }')
    ],
    [
      'beside a member of its name',
      file(
        '      "json": {\n      "json": 1\n      }',
        '\n  "asked": {\n      "json": "x"\n},'
      )
    ],
    ['twice', file('      "json": 1,\n      "json": 2')],
    ['like a placeholder', file('      "json": "\\u00000"')],
    [
      'like a placeholder elsewhere',
      file('   "json": "\\u00000"', '\n  "asked": {\n      "json": "x"\n},')
    ],
    ['with other escapes', file('      "json": "\\u0041\\/"')],
    [
      'with other line ends',
      file('      "json": {\n        "a": 1\n      }').replaceAll('\n', '\r\n')
    ]
  ])('is the one of the file: %s', (_, text) => {
    expect(viaFile(text)).toEqual(viaTree(text))
  })
})
