/** The running test, if any: vitest 4.1 and 5 have it on TestRunner, vitest 4.0 in an entry that was removed later. */
import * as vitest from 'vitest'
import type { TestTask } from './vitest-cassette-name.ts'

export interface RunningTest extends TestTask {
  readonly context: { onTestFinished(then: () => unknown): void }
  readonly result?: { readonly state: string } | undefined
}

const readCurrentTest: () => unknown =
  'TestRunner' in vitest
    ? () => vitest.TestRunner.getCurrentTest()
    : (await import('vitest/suite')).getCurrentTest

export function currentTest(): RunningTest | undefined {
  const test = readCurrentTest()
  return isRunningTest(test) ? test : undefined
}

export const isRunningTest = (value: unknown): value is RunningTest =>
  typeof value === 'object' && value !== null && 'file' in value && 'context' in value && 'name' in value
