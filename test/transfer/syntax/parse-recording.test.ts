/** Recordings of real programs (scripts/recorders/): long ones are read, and those that are cut off or broken are refused. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ImportedEntry } from '../../../src/transfer/exchange/exchanges.ts'
import {
  type ParsedRecording,
  readRecording
} from '../../../src/transfer/find-recordings.ts'
import { sampled } from '../../helpers/scale.ts'

const now = Date.UTC(2026, 0, 1)
const folder = path.resolve('test/fixtures/recorders')
const contentOf = (name: string): string => readFileSync(path.join(folder, name), 'utf8')
const files = readdirSync(folder).filter(
  (name) => /\.(?:har|ya?ml|json)$/.test(name) && !name.includes('answers')
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
    moment
  ])
type Exchange = Extract<ImportedEntry, { kind: 'exchange' }>['exchange']
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

const exchangesOf = (kept: ParsedRecording): readonly string[] =>
  kept.ok
    ? kept.readings.flatMap((one) =>
        one.kind === 'exchange' ? [essence(one.exchange)] : []
      )
    : []

const faultOf = (kept: ParsedRecording): string =>
  kept.ok ? '' : `${kept.fault.line}:${kept.fault.column}: ${kept.fault.message}`

const read = (text: string): Promise<ParsedRecording> => readRecording(text, { now })

const hint = '; make the recording again, or cut the file at its last whole entry'

describe.each(files.map((name, at) => ({ name, at })))(
  '$name, cut off',
  ({ name, at }) => {
    const text = contentOf(name)

    it.each(sampled([1, 2, 3, 4, 5, 6, 7, 8, 9], 3, at))(
      'at %i tenths is refused',
      async (tenth) => {
        const kept = await read(text.slice(0, Math.floor((text.length * tenth) / 10)))
        expect(faultOf(kept)).toMatch(/^\d+:\d+: ./)
        expect(faultOf(kept).endsWith(hint)).toBe(true)
      }
    )
  }
)

it('is whole whatever its last answer ends with, where the recorder has written its own last member', async () => {
  const answer = (
    more: string
  ): string => `- request: {method: get, uri: 'https://w/api.php', headers: {}}
  response: {status: {code: 200}, headers: {}, body: {string: '{}'}${more}}
  recorded_at: Mon, 01 Jan 2024 00:00:00 GMT
`
  const text = `http_interactions:\n${answer(", http_version: '1.1'")}${answer('')}recorded_with: VCR 6.0.0\n`
  expect(faultOf(await read(text))).toBe('')
  // go-vcr names its version first.
  expect(
    faultOf(
      await read(
        `version: 1\n${text.replace(/recorded_with.*/s, '').replace('http_', '')}`
      )
    )
  ).toMatch(/ends within an entry/)
})

describe('a broken recording', () => {
  it.each([
    [
      'two recordings in one file',
      contentOf('polly.har') + contentOf('nock.json'),
      /^\d+:\d+: invalid char/
    ],
    [
      'two documents',
      `${contentOf('go-vcr.yaml')}---\n${contentOf('r-vcr.yml')}`,
      /multiple documents/
    ],
    [
      'an entry of YAML',
      contentOf('vcrpy.yaml').replace(
        /(- request:[\s\S]*?- request:[\s\S]*?\n {4})method: GET/,
        '$1method: "GET'
      ),
      /^\d+:\d+: Missing closing/
    ],
    [
      'an entry of JSON',
      '{"interactions": [{"request": {}}, {"request": ]}',
      /^1:48: invalid character ']'/
    ]
  ])('is refused with the place, for %s', async (_, text, why) => {
    expect(faultOf(await read(text))).toMatch(why)
    expect(faultOf(await read(text))).toContain(hint)
  })

  it('of YAML that has a tag of a program is not made into anything', async () => {
    const text = contentOf('vcrpy.yaml').replace(
      'method: GET',
      'method: !!python/object/apply:os.system [id]'
    )
    const kept = await read(text)
    expect(exchangesOf(kept)).toHaveLength(14)
    expect(kept).toMatchObject({
      readings: expect.arrayContaining([
        { kind: 'unusable', address: expect.any(String), why: 'its method is unknown' }
      ])
    })
  })

  it('of YAML without the line end of its last member is whole', async () => {
    const text = contentOf('vcrpy.yaml')
    expect(exchangesOf(await read(text.trimEnd()))).toEqual(exchangesOf(await read(text)))
  })
})

describe('a text beyond what is read at once', () => {
  const padding = 'x'.repeat(9 * 1024 * 1024)

  it.each(['vcrpy.yaml', 'vcr.yml', 'go-vcr.yaml', 'r-vcr-exact.yml'])(
    'of %s is read entry by entry',
    async (name) => {
      const text = contentOf(name)
      const long = await read(`# ${padding}\n${text}`)
      expect([faultOf(long), exchangesOf(long)]).toEqual([
        '',
        exchangesOf(await read(text))
      ])
      const broken = await read(
        `# ${padding}\n${text.replace(/method: (?=get|GET)/gi, 'method: "')}`
      )
      expect(faultOf(broken)).toMatch(/^\d+:\d+: Missing closing "quote/)
      const [, line = ''] = /^(\d+):/.exec(faultOf(broken)) ?? []
      expect(Number(line)).toBeGreaterThan(2)
      const odd = await read(`# ${padding}\n${text}other: [\n`)
      expect(faultOf(odd)).toContain(`${text.split('\n').length + 2}:1: `)
    }
  )

  it.each(['polly.har', 'vcr.json', 'nock.json', 'betamax.json'])(
    'of %s is read',
    async (name) => {
      const text = contentOf(name)
      const long = await read(text + ' '.repeat(padding.length))
      expect([faultOf(long), exchangesOf(long)]).toEqual([
        '',
        exchangesOf(await read(text))
      ])
      expect(
        faultOf(await read(' '.repeat(padding.length) + text.trimEnd().slice(0, -1)))
      ).toMatch(/^\d+:\d+: comma or closing bracket expected; make the recording again/)
    }
  )
})
