/** Every reader of what strangers write takes time in proportion to what it reads. */
import { describe, expect, it } from 'vitest'
import { lateReaders, readers } from '../../scripts/fuzz/readers.ts'
import { scaled } from '../helpers/scale.ts'

/** What stands before, what is repeated, what stands behind. */
type Shape = readonly [head: string, unit: string, tail: string]

const repeated = [
  ...[
    'a',
    '1',
    'é',
    '\ud83d',
    ' ',
    '\n',
    '"',
    '\\',
    '\\"',
    '{',
    '[',
    '[1,2],',
    '{"a":',
    '"a":1,',
    '<',
    '&'
  ],
  ...[
    '&a=b',
    'a[]=1&',
    'a[b]=1&',
    '%41',
    '%ff',
    '+',
    '|',
    '../',
    '--',
    '<!--',
    '-->',
    '<debuginfo ',
    'mwVersion'
  ],
  ...[
    'a:1:{i:0;',
    's:9:"debuginfo";',
    'token="',
    '"token":"a",',
    '<input name="token" value="',
    'a="b" ',
    ': ',
    '- '
  ],
  ...[
    '1.2.3.4 ',
    '::',
    'eyJaaaaaaaa.',
    'https://a:b',
    '@',
    '--x\r\n',
    '; a',
    '\u001f',
    'debuginfo',
    '_',
    '?',
    '&x '
  ]
].map((unit): Shape => ['', unit, ''])

const framed: readonly Shape[] = [
  ['mw.config.set({"debugInfo":{', '\\"', ''],
  ['mw.config.set({"debugInfo":{', '{', ''],
  ['{"a":"', 'a', '"}'],
  ['{"a":"', '\\"', '"}'],
  ['[', '[1,2],', '1]'],
  ['{', '"a":1,', '"a":1}'],
  ['{"query":{', '"token":"abcdef123456",', '"a":1}}'],
  ['a:99999:{', 'i:0;s:1:"a";', ''],
  ['<?xml?><api>', '<a b="', ''],
  ['<?xml?><feed><id>', 'a', ''],
  ['<?xml?><feed><id></id>', '<link rel="self" ', ''],
  ['<?xml?><api>', '<limitreportdata ', ''],
  ['<?xml?><api ', ' timeoffset="', '>'],
  ['a:1:{', '"timeoffset";', ''],
  ['NewPP limit report', '<!--', ''],
  ['-----------------------------------------------------------------------\n', '-', '']
]

const least = 8 * 1024
const make = ([head, unit, tail]: Shape, size: number): string =>
  head + unit.repeat(Math.ceil(size / unit.length)) + tail

/** Milliseconds of work, whatever else the machine does meanwhile. */
async function work(read: (input: string) => unknown, input: string): Promise<number> {
  const before = process.cpuUsage()
  await read(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function leastOf(times: number, measure: () => Promise<number>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < times; turn += 1) best = Math.min(best, await measure())
  return best
}

/** Each with a place, so that in the usual run, where a reader gets each sixth shape, every shape has its readers. */
const all = [...readers, ...lateReaders].map(
  ([name, read], turn) => [name, read, turn] as const
)

describe.each(all)('%s', (_, read, turn) => {
  it('reads eight times as much in some eight times the time', async () => {
    for (const [at, shape] of [...repeated, ...framed].entries()) {
      if ((at + turn) % scaled(6, 1) !== 0) continue
      const large = make(shape, 8 * least)
      // Nothing that is done at once can be worse than linear to speak of.
      if ((await work(read, large)) < 150) continue
      const times: number[] = []
      for (const factor of [1, 2, 4, 8]) {
        const input = make(shape, factor * least)
        times.push(await leastOf(3, () => work(read, input)))
      }
      const [first = 0, ...more] = times
      // Quadratic would be 64; what is left is the noise of small numbers.
      expect(
        (more.at(-1) ?? 0) / Math.max(first, 1),
        `${JSON.stringify(shape)}: ${times.join(', ')} ms`
      ).toBeLessThan(24)
    }
  })
})
