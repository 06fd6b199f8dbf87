/** `wikitape/testing`: a cassette as long as one test, whatever runs it: jest, mocha, node:test or another. */

import {
  assertOptions,
  assertValue,
  functionOption,
  type OptionExpectations,
  oneOfOption,
  textOption,
} from '../../text/option-checks.ts'
import { type InsertOptions, insertOptions, resolveInsertOptions } from '../nock/insert-options.ts'
import { folderOfFile, slugOf } from './cassette-slug.ts'
import { CassetteProblem, TestCassette } from './test-cassette.ts'
import { type Verdict, verdictValues } from './test-cassette-options.ts'
import { findTestName } from './test-name.ts'

export type { InsertOptions } from '../nock/insert-options.ts'
export type { Verdict } from './test-cassette-options.ts'

export interface TestOptions extends InsertOptions {
  /** The cassette; unless given, one that is named after the test and its file. */
  readonly name?: string
  /** What a request that nobody recorded does to its test; `fail` unless given. */
  readonly missed?: Verdict
  /** What a recording that the test does not ask for does to it; `fail` unless given. */
  readonly unused?: Verdict
}

const testOptions: OptionExpectations<TestOptions> = {
  name: textOption('lists-pages'),
  missed: oneOfOption(verdictValues),
  unused: oneOfOption(verdictValues),
  ...insertOptions,
}

/** A test's function; without parameters of its own, since some runners take one for a callback. */
export type TestBody<This> = (this: This, ...given: never[]) => unknown

/**
 * Wraps a test's function: while it runs, its cassette answers for the wiki. What was recorded is written when the test
 * has passed; a request that nobody recorded, or a recording not asked for, fails it.
 * @returns what the runner is given: `it('lists pages', withCassette({ apiUrl }, async () => { … }))`
 */
export function withCassette<This>(
  options: TestOptions,
  body: TestBody<This>,
): (this: This, ...given: unknown[]) => Promise<void> {
  assertOptions('withCassette', options, testOptions)
  assertValue('withCassette: the test', body, functionOption('async () => { … }'))
  return async function taped(this: This, ...given) {
    const cassette = openCassette(options.name ?? defaultName(this, given), options)
    try {
      await Reflect.apply(body, this, given)
    } catch (error) {
      await finishAfterFailure(cassette)
      throw error
    }
    await cassette.finish({ passed: true, complete: true })
  }
}

function defaultName(self: unknown, given: readonly unknown[]): string {
  const test = findTestName(self, given)
  if (test !== undefined) return `${folderOfFile(test.file)}/${slugOf(test.title)}`
  throw new Error(
    'wikitape: this test runner does not say which test runs; give the cassette a name: withCassette({ name: "lists-pages", … }, …)',
  )
}

function openCassette(name: string, options: TestOptions): TestCassette {
  const { missed = 'fail', unused = 'fail', quiet = true } = options
  return new TestCassette(resolveInsertOptions(name, { ...options, quiet }), {
    verdicts: { missed, unused },
    warn: warnFunction(options),
    owner: undefined,
    isDefault: false,
  })
}

const warnFunction = ({ report }: TestOptions): ((line: string) => void) =>
  report ?? ((line) => void process.stderr.write(`wikitape: ${line}\n`))

/** The test's own error is the one to throw; what the cassette lacked may be why, and is told beside it. */
async function finishAfterFailure(cassette: TestCassette): Promise<void> {
  try {
    await cassette.finish({ passed: false, complete: false })
  } catch (error) {
    if (!(error instanceof CassetteProblem)) throw error
    process.stderr.write(`${error.message}\n`)
  }
}
