/** `wikitape/testing`: a cassette as long as one test, in any runner: jest, mocha, node:test or another. */
import {
  assertOptions,
  assertValue,
  functionOption,
  type OptionExpectations,
  textOption,
} from '../../text/option-checks.ts'
import { runAsOwner } from '../in-process/interceptors.ts'
import { cassetteNameOf } from './cassette-slug.ts'
import { CassetteProblem } from './failure-text.ts'
import { TestCassette } from './test-cassette.ts'
import {
  isShortLimit,
  recordingLimitMs,
  type TestCassetteOptions,
  testCassetteOptions,
} from './test-cassette-options.ts'
import { callMethod, findTestName } from './test-runner.ts'

export type { InsertOptions } from '../in-process/insert-options.ts'
export type { Verdict } from './test-cassette-options.ts'
export { type RunnerHooks, useCassette } from './test-hooks.ts'

export interface TestOptions extends TestCassetteOptions {
  /** The cassette; unless given, one that is named after the test and its file. */
  readonly name?: string
}

const testOptions: OptionExpectations<TestOptions> = {
  name: textOption('lists-pages'),
  ...testCassetteOptions,
}

/** A test's function, without parameters, since some runners take one for a callback. */
export type TestBody<This> = (this: This, ...given: never[]) => unknown

/**
 * Wraps a test's function: while it runs, its cassette answers for the wiki. What was recorded is written when the test
 * has passed; a missed request or an unused recording fails it.
 * @returns the function for the runner: `it('lists pages', withCassette({ apiUrl }, async () => { … }))`
 */
export function withCassette<This>(
  options: TestOptions,
  body: TestBody<This>,
): (this: This, ...given: unknown[]) => Promise<void> {
  assertOptions('withCassette', options, testOptions)
  assertValue('withCassette: the test', body, functionOption('async () => { … }'))
  return async function taped(this: This, ...given) {
    const owner = {}
    const name = options.name ?? cassetteNameOf(findTestName(this, given))
    const cassette = new TestCassette(name, options, { owner, isDefault: false })
    if (cassette.mayRecord()) raiseMochaLimit(this)
    try {
      await runAsOwner(owner, () => Reflect.apply(body, this, given))
    } catch (error) {
      await cassette.finish({ passed: false, complete: false }).catch(printProblem)
      throw error
    }
    await cassette.finish({ passed: true, complete: true })
  }
}

/** Source: https://mochajs.org/features/timeouts/ */
function raiseMochaLimit(self: unknown): void {
  if (isShortLimit(callMethod(self, 'timeout'))) callMethod(self, 'timeout', recordingLimitMs)
}

/** The test's own error is thrown; problems of the cassette may be its cause, and are printed. */
function printProblem(error: unknown): void {
  if (!(error instanceof CassetteProblem)) throw error
  process.stderr.write(`${error.message}\n`)
}
