/** Recordings of real programs (scripts/recorders/) that are cut off, broken or in one file with others: what is sound is taken. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportedEntry } from '../../../src/import/exchange/imported-exchange.ts'
import { type ParsedRecording, readRecording } from '../../../src/import/read-recording.ts'
import { sampled } from '../../helpers/scale.ts'

const now = Date.UTC(2026, 0, 1)
const folder = path.resolve('test/fixtures/recorders')
const contentOf = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const files = readdirSync(folder).filter(
  (name) => /\.(?:har|ya?ml|json)$/.test(name) && !name.includes('answers'),
)

/** All that an exchange says. */
const essence = ({ url, method, headers, body, answer, moment }: Exchange): string =>
  JSON.stringify([
    url,
    method,
    headers,
    latin1(body),
    answer.status,
    [...answer.headers],
    latin1(answer.body),
    moment,
  ])
type Exchange = Extract<ImportedEntry, { kind: 'exchange' }>['exchange']
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const exchangesOf = (kept: ParsedRecording): readonly string[] =>
  kept.ok ? kept.readings.flatMap((one) => (one.kind === 'exchange' ? [essence(one.exchange)] : [])) : []

const whysOf = (kept: ParsedRecording): readonly string[] =>
  kept.ok ? kept.readings.flatMap((one) => (one.kind === 'unusable' ? [one.why] : [])) : []

const faultOf = (kept: ParsedRecording): string =>
  kept.fault === undefined ? '' : `${kept.fault.line}:${kept.fault.column}: ${kept.fault.message}`

const read = (text: string): Promise<ParsedRecording> => readRecording(text, { now })

describe.each(files.map((name, at) => ({ name, at })))('$name, cut off', ({ name, at }) => {
  const text = contentOf(name)
  const reading = read(text)

  it.each(sampled([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, at))(
    'at %i tenths gives what is whole, and says where it ends',
    async (tenth) => {
      const whole = await reading
      const cut = Math.floor((text.length * tenth) / 10)
      const kept = await read(text.slice(0, cut))
      const taken = exchangesOf(kept)
      // A moment that may be half told is not taken.
      const timeless = (all: readonly string[]): readonly string[] =>
        all.map((one) => one.replace(/,[\d.]+\]$/, ''))
      expect(timeless(exchangesOf(whole)).slice(0, taken.length)).toEqual(timeless(taken))
      const lost = whysOf(kept).some((why) => !whysOf(whole).includes(why)) || faultOf(kept) !== ''
      expect(lost).toBe(true)
      // Of the entries that begin before the cut only the last may be missing.
      const begun = text.slice(0, cut).match(/(?:^|\W)(?:request|"scope")"?:/g)?.length ?? 0
      expect(taken.length).toBeGreaterThanOrEqual(begun - 1 - whysOf(whole).length)
      expect(taken.length).toBeLessThan(exchangesOf(whole).length)
    },
  )
})

describe('two recordings in one file', () => {
  const pairs: readonly (readonly [string, string])[] = [
    ['vcrpy.yaml', 'vcr.yml'],
    ['vcr.yml', 'vcrpy.yaml'],
    ['vcrpy.yaml', 'vcrpy.yaml'],
    ['go-vcr.yaml', 'r-vcr.yml'],
    ['r-vcr.yml', 'go-vcr.yaml'],
    ['vcrpy.json', 'betamax.json'],
    ['polly.har', 'nock.json'],
    ['nock.json', 'vcrpy-decoded.yaml'],
    ['vcrpy-decoded.yaml', 'polly.har'],
    ['talkback/01.json5', 'talkback/03.json5'],
    ['vcr.json', 'talkback/05.json5'],
  ]

  it.each(pairs)('%s and %s are both taken', async (one, other) => {
    const [first, second] = [await read(contentOf(one)), await read(contentOf(other))]
    for (const between of ['', '\n']) {
      const kept = await read(
        contentOf(one).trimEnd() + (/\.(?:json|har)$/.test(one) ? between : '\n') + contentOf(other),
      )
      expect([faultOf(kept), exchangesOf(kept).toSorted()]).toEqual([
        '',
        [...exchangesOf(first), ...exchangesOf(second)].toSorted(),
      ])
    }
  })

  it('of which the first is cut off give what is whole', async () => {
    const first = contentOf('polly.har')
    const kept = await read(`${first.slice(0, first.length / 2)}\n${contentOf('nock.json')}`)
    const nock = exchangesOf(await read(contentOf('nock.json')))
    expect(exchangesOf(kept).slice(-nock.length)).toEqual(nock)
    expect(exchangesOf(kept).length).toBeGreaterThan(nock.length)
    expect(whysOf(kept)).toContainEqual(expect.stringMatching(/^it cannot be read: line \d+, column \d+: /))
  })
})

describe('an entry that is broken', () => {
  it('of YAML costs no other', async () => {
    const text = contentOf('vcrpy.yaml')
    const broken = text.replace(/(- request:[\s\S]*?- request:[\s\S]*?\n {4})method: GET/, '$1method: "GET')
    const kept = await read(broken)
    const all = exchangesOf(await read(text))
    expect(exchangesOf(kept)).toEqual(all.toSpliced(1, 1))
    expect(whysOf(kept)).toEqual([
      expect.stringMatching(/^it cannot be read: line \d+, column \d+: Missing closing/),
    ])
  })

  it('of YAML that has a tag of a program is not made into anything', async () => {
    const text = contentOf('vcrpy.yaml').replace(
      'method: GET',
      'method: !!python/object/apply:os.system [id]',
    )
    const kept = await read(text)
    expect(exchangesOf(kept)).toHaveLength(14)
    expect(whysOf(kept)).toEqual(['its method is unknown'])
  })

  it('of many is told in its place', async () => {
    const kept = await read('{"interactions": [{"request": {}}, {"request": ]}')
    expect(whysOf(kept)).toEqual([
      'it has no http address',
      'it cannot be read: line 1, column 48: value expected',
    ])
  })
})

describe('a text beyond what is read at once', () => {
  const padding = 'x'.repeat(9 * 1024 * 1024)

  it.each(['vcrpy.yaml', 'vcr.yml', 'go-vcr.yaml', 'r-vcr-exact.yml'])(
    'of %s is read entry by entry',
    async (name) => {
      const text = contentOf(name)
      const long = await read(`# ${padding}\n${text}`)
      expect([faultOf(long), exchangesOf(long)]).toEqual(['', exchangesOf(await read(text))])
    },
  )

  it.each(['polly.har', 'vcr.json', 'nock.json', 'betamax.json'])(
    'of %s is read entry by entry',
    async (name) => {
      const text = contentOf(name)
      const long = await read(text + ' '.repeat(padding.length))
      expect([faultOf(long), exchangesOf(long)]).toEqual(['', exchangesOf(await read(text))])
    },
  )
})
