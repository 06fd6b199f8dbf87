/** Moments in the two spellings that a key has as one. */
import { expect, test } from 'vitest'
import { timestampDigits } from '../../../../src/recorder/wiki/parameters/timestamps.ts'

test.each(['2020-01-02T03:04:05Z', '20200102030405'])('%s is a moment', (text) => {
  expect(timestampDigits(text)).toBe('20200102030405')
})

test.each([
  '2020-01-02',
  '2020-01-02T03:04:05',
  'x2020-01-02T03:04:05Z',
  '2020-01-02T03:04:05z',
  '20200102',
  '1577934245',
  'now',
  // The wiki takes these for other days.
  '2024-17-01T00:00:00Z',
  '2023-02-29T00:00:00Z',
  '20240101246000'
])('%s is read in the own way of the wiki', (text) => {
  expect(timestampDigits(text)).toBeUndefined()
})
