/** Warnings of parameters that no module has, in answers that have a place for them. */
import { expect, test } from 'vitest'
import { warnOfUnknown } from '../../../../src/recorder/engine/replay/unknown-params.ts'
import { readTree } from '../../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../../src/recorder/json/write-json.ts'
import { derive } from '../../../../src/recorder/request/derive.ts'
import { apiRequest } from '../../../helpers/api-requests.ts'
import { factsOfWiki } from '../../../helpers/described-wikis.ts'

const warned = (text: string): string | undefined => {
  const [sent, plain] = ['&foo=1', ''].map((more) =>
    derive(apiRequest(`action=query&format=json${more}`), factsOfWiki('1.43'))
  )
  const tree = readTree(text)
  const answer = tree && sent && plain && warnOfUnknown(tree, sent, plain)
  return answer && writeCompact(answer, 'utf8')
}

test('an object begins with the warning', () => {
  expect(warned('{"batchcomplete":""}')).toBe(
    '{"warnings":{"main":{"*":"Unrecognized parameter: foo."}},"batchcomplete":""}'
  )
})

test.each(['["A",["Ab"]]', '{"warnings":{}}'])('%s has none', (text) => {
  expect(warned(text)).toBeUndefined()
})

test('an error ends a request before its parameters are looked through', () => {
  expect(warned('{"error":{}}')).toBe('{"error":{}}')
})
