import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameTree } from '../../../../src/recorder/json/json-tree.ts'
import { readJson } from '../../../../src/recorder/json/read-json.ts'
import {
  type Envelope,
  envelopeOf,
  escapeHtml,
  unwrapEnvelope,
  wrapInEnvelope
} from '../../../../src/recorder/wiki/answers/envelope.ts'
import { paramsOf } from '../../../helpers/api-requests.ts'
import { goldenPages } from '../../../helpers/golden-calls.ts'
import { anyTree } from '../../../helpers/json-values.ts'
import { treeOf } from '../../../helpers/recorded.ts'

const of = (query: string): Envelope => envelopeOf(paramsOf(query))
const wrapped = (query: string, json: string): string => {
  const envelope = of(query)
  return envelope.kind === 'opaque'
    ? expect.fail(query)
    : wrapInEnvelope(envelope, treeOf(json)).text
}
const bodyText = (html: string): string =>
  html
    .replace(/^[\s\S]*<body[^>]*>/, '')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#039;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

describe('the envelope of an answer', () => {
  it.each<[string, Envelope]>([
    ['format=json', { kind: 'bare', spelling: 'ascii', requestId: undefined }],
    ['format=json&utf8', { kind: 'bare', spelling: 'utf8', requestId: undefined }],
    [
      'format=json&formatversion=1&utf8=0',
      { kind: 'bare', spelling: 'utf8', requestId: undefined }
    ],
    [
      'format=json&formatversion=2',
      { kind: 'bare', spelling: 'utf8', requestId: undefined }
    ],
    [
      'format=json&formatversion=2&ascii',
      { kind: 'bare', spelling: 'ascii', requestId: undefined }
    ],
    [
      'format=json&formatversion=latest',
      { kind: 'bare', spelling: 'utf8', requestId: undefined }
    ],
    ['format=json&ascii', { kind: 'bare', spelling: 'ascii', requestId: undefined }],
    ['format=json&requestid=Ы', { kind: 'bare', spelling: 'ascii', requestId: 'Ы' }],
    ['', { kind: 'page', spelling: 'ascii', requestId: undefined }],
    ['format=jsonfm', { kind: 'page', spelling: 'ascii', requestId: undefined }],
    [
      'format=json&callback=',
      { kind: 'jsonp', spelling: 'ascii', requestId: undefined, callback: '' }
    ],
    [
      'format=json&callback=a.b[0]',
      { kind: 'jsonp', spelling: 'ascii', requestId: undefined, callback: 'a.b[0]' }
    ],
    [
      'format=json&callback=alert(1)//',
      { kind: 'jsonp', spelling: 'ascii', requestId: undefined, callback: 'alert1' }
    ],
    ['format=xml', { kind: 'opaque', format: 'xml' }],
    ['format=phpfm', { kind: 'opaque', format: 'phpfm' }],
    ['format=jsonfm&wrappedhtml=1', { kind: 'opaque', format: 'jsonfm' }],
    ['format=json&requestid=%01', { kind: 'opaque', format: 'json' }],
    ['format=', { kind: 'opaque', format: '' }],
    ['format=JSON', { kind: 'opaque', format: 'JSON' }]
  ])('of %j', (query, expected) => {
    expect(of(query)).toEqual(expected)
  })

  it('is undone by unwrap for every tree that it wraps', () => {
    fc.assert(
      fc.property(
        anyTree,
        fc.constantFrom(
          'format=json',
          'format=json&utf8',
          'format=json&callback=f',
          'format=json&callback=f&formatversion=2'
        ),
        (tree, query) => {
          const envelope = of(query)
          if (envelope.kind === 'opaque') return
          const reading = readJson(
            unwrapEnvelope(envelope, wrapInEnvelope(envelope, tree).text) ?? ''
          )
          expect(reading.ok && sameTree(reading.tree, tree)).toBe(true)
        }
      )
    )
  })

  it('is refused where a JSONP answer has another shape', () => {
    const envelope = of('format=json&callback=f')
    for (const body of ['', '{}', 'f({})', '/**/f', '/**/f)(', '<html>'])
      expect(unwrapEnvelope(envelope, body)).toBeUndefined()
    expect(unwrapEnvelope(envelope, '/**/f({"a":"()"})')).toBe('{"a":"()"}')
  })
})

describe('requestid', () => {
  // Each order was measured on 1.35, 1.39 and 1.43 (test/live/envelopes.test.ts).
  it.each([
    ['{"query":{}}', '{"requestid":"R","query":{}}'],
    [
      '{"batchcomplete":"","query":{}}',
      '{"batchcomplete":"","requestid":"R","query":{}}'
    ],
    [
      '{"batchcomplete":"","continue":{},"warnings":{},"query":{}}',
      '{"batchcomplete":"","continue":{},"warnings":{},"requestid":"R","query":{}}'
    ],
    [
      '{"query-continue":{},"query":{}}',
      '{"query-continue":{},"requestid":"R","query":{}}'
    ],
    [
      '{"batchcomplete":"","limits":{},"query":{}}',
      '{"batchcomplete":"","requestid":"R","limits":{},"query":{}}'
    ],
    ['{"error":{},"servedby":"x"}', '{"error":{},"requestid":"R","servedby":"x"}'],
    ['{"errors":[],"*":"See"}', '{"errors":[],"requestid":"R","*":"See"}'],
    ['{"errors":[],"docref":"See"}', '{"errors":[],"docref":"See","requestid":"R"}'],
    ['{"batchcomplete":true}', '{"batchcomplete":true,"requestid":"R"}'],
    ['{}', '{"requestid":"R"}'],
    ['["А",[],[]]', '["\\u0410",[],[]]']
  ])('goes where the wiki puts it: %s', (recorded, served) => {
    expect(wrapped('format=json&requestid=R', recorded)).toBe(served)
  })

  it('is spelled like the rest and is there even where it is empty', () => {
    expect(wrapped('format=json&requestid=Ы%22', '{}')).toBe('{"requestid":"\\u042b\\""}')
    expect(wrapped('format=json&requestid=', '{}')).toBe('{"requestid":""}')
    expect(wrapped('format=json', '{}')).toBe('{}')
  })
})

describe('the debugging page', () => {
  const json = '{"query":{"a":"<b>&\\"Волга\\"","n":1.0}}'

  it('shows four lines of banner and then the pretty JSON, like that of a real 1.25.4', () => {
    const lines = bodyText(wrapped('', json)).trim().split('\n')
    expect(lines.slice(0, 4)).toEqual([
      'MediaWiki API result',
      'This is the HTML representation of the JSON format. HTML is good for debugging, but is unsuitable for application use.',
      'Specify the format parameter to change the output format. To see the non-HTML representation of the JSON format, set format=json.',
      'See the complete documentation, or the API help for more information.'
    ])
    const reading = readJson(lines.slice(4).join('\n'))
    expect(reading.ok && sameTree(reading.tree, treeOf(json))).toBe(true)
    for (const page of goldenPages) {
      const text = bodyText(page.body).replace(/\s+/g, ' ')
      for (const line of lines.slice(1, 4)) expect(text).toContain(line)
    }
  })

  it('lets no markup of an answer through', () => {
    const page = wrapped('', '{"<script>":"</pre><script>alert(1)</script>"}')
    expect(page).not.toContain('<script')
    expect(escapeHtml('<a href="x">&')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;')
  })
})
