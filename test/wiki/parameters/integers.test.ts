import { expect, test } from 'vitest'
import { readInteger } from '../../../src/wiki/parameters/integers.ts'

test('a number is what every version reads as one', () => {
  const read = (texts: string): readonly (number | undefined)[] => texts.split('|').map(readInteger)
  expect(read('46|046|+46|-46|0')).toEqual([46, 46, 46, -46, 0])
  expect(
    read('46.0|46.| 46|46 |4.6e1|0x2E|٤٦|４６||46\n|1_0|99999999999999999999').filter(
      (one) => one !== undefined,
    ),
  ).toEqual([])
})
