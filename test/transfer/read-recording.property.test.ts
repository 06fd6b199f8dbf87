/** Whatever `export` writes, `import` reads: the same bytes, headers and status, in the same order. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type {
  ExportedExchange,
  FormatWriter,
  ImportedEntry
} from '../../src/transfer/exchange/exchanges.ts'
import { readRecording } from '../../src/transfer/find-recordings.ts'
import { formatWriters } from '../../src/transfer/formats/formats.ts'
import { vcrWriter } from '../../src/transfer/formats/vcr-writer.ts'
import { character } from '../helpers/any-text.ts'
import { rounds } from '../helpers/scale.ts'

/** Texts that formats write in ways of their own, or read as something else. */
const odd: readonly string[] = [
  ...[
    '\n',
    '\r',
    '\r\n',
    '\t',
    '  ',
    '\0',
    '\u007f',
    '\u0085',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\uffff',
    '𝄞',
    'ж'
  ],
  ...[
    '"',
    "'",
    '\\',
    ': ',
    ' #',
    '- ',
    '{',
    ']',
    '&a',
    '*a',
    '!x',
    '|',
    '>',
    '%',
    '=',
    '<<',
    'yes',
    '~',
    '0x1',
    '1:30'
  ]
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...odd), fc.string({ unit: character })), {
    maxLength: 20
  })
  .map((parts) => parts.join('').toWellFormed())
const body = fc.oneof(
  text.map((one) => Buffer.from(one)),
  fc.json().map((one) => Buffer.from(one)),
  fc.uint8Array().map((bytes) => Buffer.from(bytes))
)
const exchange: fc.Arbitrary<ExportedExchange> = fc.record({
  url: text.map(
    (titles) =>
      new URL(
        `https://wiki.test/w/api.php?format=json&titles=${encodeURIComponent(titles)}`
      )
  ),
  status: fc.constantFrom(200, 400, 503),
  headers: fc.constantFrom<ExportedExchange['headers']>(
    [['content-type', 'application/json; charset=utf-8']],
    [
      ['content-type', 'text/html; charset=utf-8'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2']
    ]
  ),
  body
})

function textsOf(
  format: FormatWriter,
  exchanges: readonly ExportedExchange[]
): readonly string[] {
  const written = format.write(exchanges, '2026-01-31', '0.0.0')
  return typeof written === 'string' ? [written] : [...written.values()]
}

async function readingsOf(texts: readonly string[]): Promise<readonly ImportedEntry[]> {
  const all: ImportedEntry[] = []
  for (const one of texts) {
    const kept = await readRecording(one, { now: 0 })
    if (!kept.ok) throw new Error(kept.fault.message)
    all.push(...kept.readings)
  }
  return all
}

/** What of an exchange must come back; parameters may be sorted. */
const essence = (
  url: URL,
  status: number,
  setCookies: readonly string[],
  bytes: Uint8Array
): unknown => [
  url.origin + url.pathname,
  [...url.searchParams].sort(),
  status,
  setCookies,
  Buffer.from(bytes).toString('base64')
]

describe.each(formatWriters.filter(({ name }) => name !== 'nock'))('$name', (format) => {
  it('gives back what was exported', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(exchange, { minLength: 1, maxLength: 5 }),
        async (exchanges) => {
          const readings = await readingsOf(textsOf(format, exchanges))
          const back = readings.map((one) => {
            if (one.kind === 'unusable') return one
            const { url, answer } = one.exchange
            return essence(url, answer.status, answer.setCookies, answer.body)
          })
          const cookies = (one: ExportedExchange): readonly string[] =>
            one.headers
              .filter(([name]) => name === 'set-cookie')
              .map(([, value]) => value)
          expect(back).toEqual(
            exchanges.map((one) => essence(one.url, one.status, cookies(one), one.body))
          )
        }
      ),
      { numRuns: rounds(300) }
    )
  })
})

it('addresses for VCR are spelled as WebMock 3.18 spells them', () => {
  const url = new URL(
    "http://a.test/w/api.php?titles=A|B:%20c/d,e+f%20g%2Bh%3Bi'(j)*~!$@?&action=query&b=&B=3&a2=1&rawcontinue="
  )
  const spelled =
    "http://a.test/w/api.php?B=3&a2=1&action=query&b=&rawcontinue=&titles=A%7CB:%20c/d,e%20f%20g%2Bh%3Bi'(j)*~!$@?"
  const one: ExportedExchange = { url, status: 200, headers: [], body: Buffer.from('') }
  expect(vcrWriter.write([one], '2026-01-31', '0.0.0')).toContain(`uri: "${spelled}"\n`)
})
