/** The handle of a cassette that useCassette() returns. */
import * as vitest from 'vitest'
import type { Counts } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/decide.ts'
import type { TroubleOptions } from '../../playback/trouble.ts'
import { callAll } from '../in-process/in-process-request.ts'
import { currentOwner } from '../in-process/interceptors.ts'
import type { OverrideParams, OverrideReply } from '../in-process/overrides.ts'
import { startTrouble } from '../in-process/start-trouble.ts'
import type { TestCassette } from '../testing/test-cassette.ts'
import type { WikiCassette } from '../testing/wiki-cassette.ts'
import type { TestTask } from './vitest-cassette-name.ts'

/** The cassette in use; its members are known while a test runs. With several wikis, name to apiUrl are those of the first. */
export interface UsedCassette {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  readonly apiUrl: string
  /** Undefined before the first request. */
  counts(): Counts | undefined
  /** From now on requests meet errors first, as on a bad day of the wiki. @returns the function that ends this */
  trouble(options: string | TroubleOptions): () => void
  /** Answers requests with these parameters itself, before the cassette: nothing is written. @returns the function that ends this */
  answer(params: OverrideParams, reply: OverrideReply): () => void
}

/** @param current undefined before any test runs: then each member throws */
export function handleOf(current: () => TestCassette | undefined): UsedCassette {
  const inUse = (): TestCassette => {
    const cassette = current()
    if (cassette !== undefined) return cassette
    throw new Error('no cassette is in use yet: what useCassette() gave is known while a test runs')
  }
  const first = (): WikiCassette => {
    const [cassette] = inUse().cassettes
    if (cassette !== undefined) return cassette
    throw new Error('no cassette is in use yet: those of a pattern are known once a wiki was requested')
  }
  return {
    get name() {
      return first().settings.name
    },
    get folder() {
      return first().folder
    },
    get mode() {
      return first().settings.mode
    },
    get apiUrl() {
      return first().settings.api.href
    },
    counts: () => inUse().counts(),
    answer: (params, reply) => inUse().overrides.add(params, reply),
    trouble: (options) => callAll(inUse().cassettes.map(({ settings }) => startTrouble(settings, options))),
  }
}

export interface RunningTest extends TestTask {
  readonly context: { onTestFinished(then: () => unknown): void }
  readonly result?:
    | { readonly state: string; readonly errors?: readonly { readonly message?: string }[] | undefined }
    | undefined
}

const readCurrentTest: () => unknown =
  'TestRunner' in vitest
    ? () => vitest.TestRunner.getCurrentTest()
    : (await import('vitest/suite')).getCurrentTest

/** Of tests that run at the same time, the one whose context this is. */
export function currentTest(): RunningTest | undefined {
  const test = currentOwner() ?? readCurrentTest()
  return isRunningTest(test) ? test : undefined
}

export const isRunningTest = (value: unknown): value is RunningTest =>
  typeof value === 'object' && value !== null && 'file' in value && 'context' in value && 'name' in value
