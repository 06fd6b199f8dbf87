/** Recordings in the other version of the JSON format. */
import { expect, test } from 'vitest'
import { inOtherVersion } from '../../../src/recorder/paging/joining/other-version.ts'
import { tapeOf } from './tape.ts'

const plain = { pageid: 1, ns: 0, title: 'A' }

test.each([
  ['list=embeddedin&eititle=Template:A', 'embeddedin', plain, true],
  // A redirect may include a template.
  ['list=embeddedin&eititle=Template:A', 'embeddedin', { ...plain, redirect: '' }, false],
  ['list=prefixsearch&pssearch=A', 'prefixsearch', plain, true],
  [
    'list=prefixsearch&pssearch=Special:A',
    'prefixsearch',
    { ns: -1, title: 'Special:A', special: '' },
    false
  ]
])('of %s are known unless a row has a boolean: %s %j', (query, list, row, isKnown) => {
  const recorded = tapeOf().record(query, { batchcomplete: '', query: { [list]: [row] } })
  expect(inOtherVersion(recorded) !== undefined).toBe(isKnown)
})
