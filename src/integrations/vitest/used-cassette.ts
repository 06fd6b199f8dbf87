/** The handle of a cassette that useCassette() returns. */

import * as vitest from 'vitest'
import type { Counts } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/mode.ts'
import type { TroubleOptions } from '../../playback/trouble.ts'
import { startTrouble } from '../in-process/start-trouble.ts'
import type { TestCassette } from '../testing/test-cassette.ts'
import type { TestTask } from './vitest-cassette-name.ts'

/** The cassette in use; its members are known while a test runs. */
export interface UsedCassette {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  readonly apiUrl: string
  /** Undefined before the first request. */
  counts(): Counts | undefined
  /** From now on requests meet errors first, as on a bad day of the wiki. @returns the function that ends this */
  trouble(options: string | TroubleOptions): () => void
}

/** @param current undefined before any test runs: then each member throws */
export function handleOf(current: () => TestCassette | undefined): UsedCassette {
  const resolve = (): TestCassette => {
    const cassette = current()
    if (cassette === undefined)
      throw new Error('no cassette is in use yet: what useCassette() gave is known while a test runs')
    return cassette
  }
  return {
    get name() {
      return resolve().settings.name
    },
    get folder() {
      return resolve().folder
    },
    get mode() {
      return resolve().settings.mode
    },
    get apiUrl() {
      return resolve().settings.api.href
    },
    counts: () => resolve().counts(),
    trouble: (options) => startTrouble(resolve().settings, options),
  }
}

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
