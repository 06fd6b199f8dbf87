import { expect, test } from 'vitest'
import { envelopeOf } from '../../../../src/recorder/wiki/answers/envelope.ts'
import { readInteger } from '../../../../src/recorder/wiki/parameters/integers.ts'
import {
  mergeParams,
  parseUrlencoded
} from '../../../../src/recorder/wiki/parameters/request-params.ts'

test('a number is what every version reads as one', () => {
  const read = (texts: string): readonly (number | undefined)[] =>
    texts.split('|').map(readInteger)
  expect(read('46|046|+46|-46|0')).toEqual([46, 46, 46, -46, 0])
  expect(
    read('46.0|46.| 46|46 |4.6e1|0x2E|٤٦|４６||46\n|1_0|99999999999999999999').filter(
      (one) => one !== undefined
    )
  ).toEqual([])
})

test('an array in a body replaces one in the address, and the other way round', () => {
  const merged = (
    body: string,
    query: string
  ): readonly (readonly [string, string])[] => [
    ...mergeParams(parseUrlencoded(body), parseUrlencoded(query))
  ]
  expect(merged('titles=X', 'titles[]=Y')).toEqual([['titles', 'X']])
  expect(merged('titles[]=Y', 'titles=X&a=1')).toEqual([
    ['titles[]', 'Y'],
    ['a', '1']
  ])
})

test('an unknown version of formats is told of without an envelope', () => {
  const kind = (query: string): string => envelopeOf(parseUrlencoded(query)).kind
  const spelled = (more: string) =>
    envelopeOf(parseUrlencoded(`action=query&format=json&formatversion=9${more}`))
  for (const more of ['', '&utf8=1', '&ascii=1'])
    expect(spelled(more)).toEqual({ kind: 'bare', spelling: 'ascii' })
  expect(spelled('&requestid=a').kind).toBe('opaque')
  expect(kind('action=query&format=jsonfm&formatversion=9')).toBe('opaque')
  expect(kind('action=query&format=json&formatversion=9&callback=f')).toBe('opaque')
  expect(kind('action=query&format=json&formatversion=latest&callback=f')).toBe('jsonp')
})
