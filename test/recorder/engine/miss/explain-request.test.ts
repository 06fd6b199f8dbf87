/** Addresses as people copy them, for `explain`. */
import { expect, it } from 'vitest'
import { targetOf } from '../../../../src/recorder/engine/miss/explain-request.ts'

it.each([
  ['action=query&titles=A/B', '/w/api.php?action=query&titles=A/B'],
  ['titles=Ё', '/w/api.php?titles=%D0%81'],
  ['https://x.org/w/api.php?titles=A', '/w/api.php?titles=A'],
  ['https://x.org/w/rest.php/v1/page/A', '/w/rest.php/v1/page/A'],
  ['/w/rest.php/v1/page/Ёж 1', '/w/rest.php/v1/page/%D0%81%D0%B6%201'],
  ['rest.php/v1/page/A', '/w/rest.php/v1/page/A'],
  ['/~mine/w/api.php?titles=A', '/w/api.php?titles=A'],
  ['titles=\ud800', '/w/api.php?titles=%EF%BF%BD']
])('%s is %s', (address, target) => {
  expect(targetOf(address, '/w/api.php')).toBe(target)
})
