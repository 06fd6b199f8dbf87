import { expect, test } from 'vitest'
import {
  maxResultSize,
  resultSize
} from '../../../../src/recorder/wiki/answers/result-size.ts'
import { treeOf } from '../../../helpers/recorded.ts'

test('values count in bytes, names do not', () => {
  expect(resultSize(treeOf('{"a":"Ж","b":[12,true],"c":{"name":""}}'))).toBe(8)
})

test('the most that an answer may have is 8 MB, or what the wiki says where it cut one', () => {
  const cut = (text: string) => treeOf(`{"warnings":{"result":${text}}}`)
  expect(maxResultSize([treeOf('{"query":{}}')])).toBe(8_388_608)
  expect(
    maxResultSize([treeOf('{}'), cut('{"*":"larger than the limit of 20,000 bytes"}')])
  ).toBe(20_000)
  expect(maxResultSize([cut('{"warnings":"больше 20 000 байт"}')])).toBe(20_000)
  expect(maxResultSize([cut('{"*":"?"}')])).toBe(0)
})
