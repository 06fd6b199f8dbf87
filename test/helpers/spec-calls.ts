/** Calls of the spec for tests that ask real wikis, which take their time. */
import { specCalls } from '../../scripts/recording/calls.ts'
import { scaled } from './scale.ts'

/** Each call stands there three times in a row. */
const spellings = 3

/** Usually each call in one of its spellings, another one for each `which`; with `WIKITAPE_TESTS=full` in all of them. */
export const someSpecCalls = (which: number): readonly string[] =>
  specCalls.filter(
    (_, at) => (Math.floor(at / spellings) + at + which) % scaled(spellings, 1) === 0
  )
