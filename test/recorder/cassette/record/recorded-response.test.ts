import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeInteraction } from '../../../../src/recorder/cassette/format/decode-interaction.ts'
import { encodeInteraction } from '../../../../src/recorder/cassette/format/encode-interaction.ts'
import type { RecordedResponse } from '../../../../src/recorder/cassette/interaction.ts'
import { sameRecording } from '../../../../src/recorder/cassette/interaction.ts'
import { renderReply } from '../../../../src/recorder/http/render-reply.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import type { WikiRequest } from '../../../../src/recorder/request/api-request.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import type { WikiAnswer } from '../../../../src/recorder/wiki/answers/wiki-answer.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { toRecordedResponse } from '../../../helpers/converted.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'
import { anySpelling, anyTree } from '../../../helpers/json-values.ts'
import { answer, jsonBody, response } from '../../../helpers/recorded.ts'
import { rounds } from '../../../helpers/scale.ts'

const now = Date.parse('2026-11-21T00:00:00Z')
const query = 'action=query&list=allpages&format=json'

function taken(request: WikiRequest, given: WikiAnswer): RecordedResponse {
  const taking = toRecordedResponse(request, given, now)
  return taking.kind === 'converted' ? taking.response : expect.fail(taking.reason)
}

const refused = (request: WikiRequest, given: WikiAnswer): string => {
  const taking = toRecordedResponse(request, given, now)
  return taking.kind === 'refused' ? taking.reason : expect.fail('was taken')
}

/** What a client gets of an answer that went through a cassette's file; the reason where it gets none. */
function replayed(
  request: WikiRequest,
  given: WikiAnswer,
  asked: WikiRequest = request
): string {
  const { key, canonical } = derive(request, factsOfWiki('1.43'))
  const { text, bodyFiles: beside } = encodeInteraction(
    { request: canonical, sentValues: new Map(), responses: [taken(request, given)] },
    'stem'
  )
  const reading = decodeInteraction(text, (name) => beside.get(name))
  if (!reading.ok) return expect.fail(text)
  const reply = renderReply(reading.interaction.responses[0], asked, {
    status: 'replayed',
    key,
    now
  })
  return typeof reply === 'string' ? `refused: ${reply}` : reply.body.toString('utf8')
}

describe('taking a JSON answer', () => {
  it('keeps every byte of what MediaWiki writes, less debuginfo', () => {
    fc.assert(
      fc.property(
        anyTree,
        fc.constantFrom('', '&utf8=', '&formatversion=2', '&formatversion=2&ascii='),
        (tree, extra) => {
          const request = apiRequest(query + extra)
          if (request.envelope.kind === 'opaque') return
          const sent = writeCompact(tree, request.envelope.spelling)
          const kept =
            tree.kind === 'object'
              ? {
                  kind: 'object' as const,
                  members: tree.members.filter(
                    ({ key }) => key !== 'debuginfo' && key !== 'requestid'
                  )
                }
              : tree
          expect(taken(request, answer(sent)).body.kind).toBe('json')
          expect(replayed(request, answer(sent))).toBe(
            writeCompact(kept, request.envelope.spelling)
          )
        }
      ),
      { numRuns: rounds(300) }
    )
  })

  it('keeps every byte of what another writer spells, less debuginfo', () => {
    fc.assert(
      fc.property(anySpelling, ([, text]) => {
        fc.pre(!/debuginfo|requestid|\\u00/i.test(text))
        expect(replayed(apiRequest(query), answer(text))).toBe(text)
      }),
      { numRuns: rounds(500) }
    )
  })

  it('cuts debuginfo out of odd spellings without touching the rest', () => {
    const odd =
      '{ "a" : "\\/", "debuginfo": {"mwVersion":"1.43.9"}, "requestid":"R", "b":1.0 }'
    const request = apiRequest(`${query}&requestid=R`)
    expect(taken(request, answer(odd)).body).toEqual({
      kind: 'text',
      text: '{ "a" : "\\/", "b":1.0 }',
      spelling: 'ascii'
    })
    const taking = toRecordedResponse(request, answer(odd), now)
    expect(taking.kind === 'converted' && taking.engine).toBe('1.43.9')
  })

  it('serves an odd spelling only where nothing of it has to change', () => {
    const odd = answer('{"a":"\\/"}')
    expect(replayed(apiRequest(query), odd)).toBe('{"a":"\\/"}')
    for (const other of ['&utf8=', '&formatversion=2', '&requestid=1'])
      expect(replayed(apiRequest(query), odd, apiRequest(query + other))).toMatch(
        /^refused/
      )
    expect(replayed(apiRequest(query), odd, apiRequest(`${query}&callback=f`))).toBe(
      '/**/f({"a":"\\/"})'
    )
  })

  it('keeps the JSON alone of an odd JSONP answer', () => {
    const request = apiRequest(`${query}&callback=f`)
    const odd = answer('/**/f({"a":"\\/"})', {
      'content-type': 'text/javascript; charset=utf-8'
    })
    expect(replayed(request, odd, apiRequest(query))).toBe('{"a":"\\/"}')
  })
})

describe('taking a JSON answer of any shape', () => {
  it('is one recording for every envelope', () => {
    const sent = answer('{"batchcomplete":"","requestid":"R","query":{"t":"\\u0412"}}')
    const request = apiRequest(`${query}&requestid=R`)
    const all = (extra: string): string =>
      replayed(request, sent, apiRequest(query + extra))
    expect(all('')).toBe('{"batchcomplete":"","query":{"t":"\\u0412"}}')
    expect(all('&requestid=S')).toBe(
      '{"batchcomplete":"","requestid":"S","query":{"t":"\\u0412"}}'
    )
    expect(all('&utf8=')).toBe('{"batchcomplete":"","query":{"t":"В"}}')
    expect(all('&callback=')).toBe('/**/({"batchcomplete":"","query":{"t":"\\u0412"}})')
    expect(all('&callback=g')).toBe('/**/g({"batchcomplete":"","query":{"t":"\\u0412"}})')
  })

  it('keeps an answer whose spelling is not the one asked for as it was sent', () => {
    const ascii = '{"error":{"info":"\\u0412"}}'
    const request = apiRequest(`${query}&formatversion=2`)
    expect(taken(request, answer(ascii)).body.kind).toBe('text')
    expect(replayed(request, answer(ascii))).toBe(ascii)
  })

  it('keeps a body with a byte order mark, and one too deep for the file, as text', () => {
    const marked = '\ufeff{"a":1}'
    expect(replayed(apiRequest(query), answer(marked))).toBe(marked)
    const deep = '['.repeat(998) + ']'.repeat(998)
    expect(taken(apiRequest(query), answer(deep)).body.kind).toBe('text')
    expect(replayed(apiRequest(query), answer(deep))).toBe(deep)
    const kindAt = (levels: number): string =>
      taken(apiRequest(query), answer('['.repeat(levels) + ']'.repeat(levels))).body.kind
    expect([kindAt(996), kindAt(997)]).toEqual(['json', 'text'])
    const deepest = '['.repeat(996) + ']'.repeat(996)
    expect(replayed(apiRequest(query), answer(deepest))).toBe(deepest)
  })

  it.each([
    ['{"a":[1,2', 'at line 1, column 10'],
    ['', 'at line 1, column 1'],
    ['<html></html>', 'at line 1, column 1'],
    ['{"a":1}{', 'at line 1, column 8'],
    ['['.repeat(100_000), 'nested too deeply']
  ])('refuses what is announced as JSON and is none: %s', (body, why) => {
    expect(refused(apiRequest(query), answer(body))).toContain(why)
  })

  it('refuses JSONP without the envelope that was asked for', () => {
    const request = apiRequest(`${query}&callback=f`)
    expect(
      refused(request, answer('{"a":1}', { 'content-type': 'text/javascript' }))
    ).toContain('JSONP')
  })
})

const xml = (body: string): WikiAnswer =>
  answer(body, { 'content-type': 'text/xml; charset=utf-8' })

describe('taking any other answer', () => {
  const html = (body: string): WikiAnswer =>
    answer(body, { 'content-type': 'text/html; charset=UTF-8' })

  it('keeps text as text and bytes as bytes', () => {
    expect(taken(apiRequest('format=xml'), xml('<api>\r\n</api>')).body).toEqual({
      kind: 'text',
      text: '<api>\r\n</api>'
    })
    const image = answer(Uint8Array.of(0x89, 0x50, 0xff), { 'content-type': 'image/png' })
    const plain: WikiRequest = {
      kind: 'plain',
      target: '/a.png',
      posted: false,
      bodyDigest: '',
      form: new Map(),
      identity: 'anonymous'
    }
    expect(taken(plain, image).body).toEqual({
      kind: 'binary',
      bytes: Uint8Array.of(0x89, 0x50, 0xff)
    })
  })

  it('keeps text that is not UTF-8 as bytes', () => {
    expect(
      taken(
        apiRequest('format=xml'),
        answer(Uint8Array.of(0xff), { 'content-type': 'text/xml' })
      ).body.kind
    ).toBe('binary')
  })

  it('cuts debuginfo out of xml and refuses it in pages', () => {
    const block = '<debuginfo mwVersion="1.43.9"><x /></debuginfo>'
    expect(taken(apiRequest('format=xml'), xml(`<api>${block}</api>`)).body).toEqual({
      kind: 'text',
      text: '<api />'
    })
    expect(
      refused(apiRequest('format=xmlfm'), html('&lt;debuginfo mwVersion="1"'))
    ).toContain('text/html')
    expect(
      refused(
        apiRequest('format=json&wrappedhtml=1'),
        answer('{"html":"{\\"debuginfo\\":{\\"mwVersion\\""}')
      )
    ).toContain('application/json')
  })
})

describe('headers of any answer', () => {
  it('keeps the headers that mean something to a client, and the content type where it does not follow', () => {
    const headers = {
      'mediawiki-api-error': 'x',
      date: 'Sat, 21 Nov 2026 00:00:00 GMT',
      'x-powered-by': 'PHP',
      vary: 'Cookie',
      'retry-after': '5'
    }
    expect([...taken(apiRequest(query), answer('{}', headers)).headers]).toEqual([
      ['mediawiki-api-error', 'x'],
      ['retry-after', '5']
    ])
    expect([...taken(apiRequest('format=xml'), xml('<api/>')).headers]).toEqual([
      ['content-type', 'text/xml; charset=utf-8']
    ])
  })

  it.each([
    ['application/json; charset=utf-8', []],
    ['application/json;charset="UTF-8"', []],
    ['application/json', ['application/json']],
    ['application/json; charset=iso-8859-1', ['application/json; charset=iso-8859-1']]
  ])('of JSON, keeps %s only if it names no UTF-8', (type, kept) => {
    const { headers } = taken(apiRequest(query), answer('{}', { 'content-type': type }))
    expect([...headers.values()]).toEqual(kept)
  })

  it("counts cookie dates from the answer's own clock, or from the present where it has none", () => {
    const setCookies = ['ru_session=; expires=Sat, 21 Nov 2026 00:10:00 GMT']
    const dated = answer('{}', { date: 'Sat, 21 Nov 2026 00:05:00 GMT' }, { setCookies })
    expect(taken(apiRequest(query), dated).cookies[0]?.expiresIn).toBe(300)
    expect(
      taken(apiRequest(query), answer('{}', {}, { setCookies })).cookies[0]?.expiresIn
    ).toBe(600)
    expect(
      taken(apiRequest(query), answer('{}', { date: 'yesterday' }, { setCookies }))
        .cookies[0]?.expiresIn
    ).toBe(600)
  })
})

it.each([
  [undefined, undefined],
  [1, undefined],
  [1.1, 1.1]
])('an answer that took %s seconds is recorded with %s', (seconds, recorded) => {
  const given = answer('{}')
  expect(
    taken(apiRequest(query), seconds === undefined ? given : { ...given, seconds })
      .seconds
  ).toBe(recorded)
})

describe('the same recording', () => {
  const parse = (report: string, text = 'x', rest: Partial<RecordedResponse> = {}) =>
    response(
      jsonBody(
        JSON.stringify({
          parse: {
            text: { '*': `<p>${text}</p><!-- \nNewPP limit report\n${report}-->` }
          }
        })
      ),
      rest
    )

  it('is one that differs in what varies by itself alone', () => {
    expect(sameRecording(parse('0.1'), parse('0.2'))).toBe(true)
    expect(sameRecording(parse('0.1'), parse('0.1', 'y'))).toBe(false)
    expect(sameRecording(parse('1'), parse('1', 'x', { seconds: 7 }))).toBe(true)
    expect(sameRecording(parse('1'), parse('1', 'x', { status: 403 }))).toBe(false)
    expect(
      sameRecording(
        parse('1'),
        parse('1', 'x', { headers: new Map([['retry-after', '1']]) })
      )
    ).toBe(false)
    expect(
      sameRecording(
        parse('1'),
        parse('1', 'x', {
          cookies: [{ name: 'a', value: '', attributes: [], expiresIn: 1 }]
        })
      )
    ).toBe(false)
  })

  it('compares text and bytes too, and never one with the other', () => {
    const text = (value: string) => response({ kind: 'text', text: value })
    const bytes = (...values: number[]) =>
      response({ kind: 'binary', bytes: Uint8Array.from(values) })
    expect(
      sameRecording(
        text('a<!--NewPP limit report 1-->'),
        text('a<!--NewPP limit report 2-->')
      )
    ).toBe(true)
    expect(sameRecording(text('a'), text('b'))).toBe(false)
    expect(sameRecording(bytes(1, 2), bytes(1, 2))).toBe(true)
    expect(sameRecording(bytes(1, 2), bytes(1, 3))).toBe(false)
    expect(sameRecording(text('{}'), response(jsonBody('{}')))).toBe(false)
  })
})
