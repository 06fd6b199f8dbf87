/** The test that uses a cassette: its name and its time limit. */

// Those of a test may be fake.
import { clearTimeout, setTimeout } from 'node:timers'
import * as vitest from 'vitest'
import { uniqueName } from '../../recorder/cassette/interaction-path.ts'
import { folderOfFile, slugOf } from '../../recorder/cassette/test-names.ts'
import { mayRecord } from '../../recorder/playback/decide.ts'
import { chooseMode, isInCi } from '../../recorder/settings/choose-mode.ts'
import { isUnusedFolder } from '../../recorder/store/files/paths-inside.ts'
import { cassetteFolder } from '../in-process/insert-options.ts'
import { currentOwner } from '../in-process/interceptors.ts'
import {
  isShortLimit,
  recordingLimitMs,
  type TestCassetteOptions
} from '../testing/test-cassette-options.ts'
import { propertyOf } from '../testing/test-runner.ts'

export interface RunningTest extends TestTask {
  readonly context: { onTestFinished(then: () => unknown): void }
  readonly result?:
    | {
        readonly state: string
        readonly errors?: readonly { readonly message?: string }[] | undefined
      }
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
  typeof value === 'object' &&
  value !== null &&
  'file' in value &&
  'context' in value &&
  'name' in value

/**
 * Raises vitest's default limits for the tests behind this call, where they may record.
 * @param name of a cassette, or of the folder of those of each test. @returns the limit of tests before, if it was raised
 */
export function raiseTimeLimits(
  name: string,
  options: Pick<TestCassetteOptions, 'mode' | 'allowLive' | 'root'>,
  isForEach: boolean
): number | undefined {
  if (isInCi(process.env) && !options.allowLive) return undefined
  const mode = chooseMode({ ...options, allowLive: true }, process.env, { usual: 'once' })
  const isNew = isForEach || isUnusedFolder(cassetteFolder(name, options.root))
  if (!mayRecord(mode, isNew)) return undefined
  // vitest has no function that says which limits are in force.
  const config = propertyOf(Reflect.get(globalThis, '__vitest_worker__'), 'config')
  const short = ['testTimeout', 'hookTimeout'].filter((one) =>
    isShortLimit(propertyOf(config, one))
  )
  const limit = propertyOf(config, 'testTimeout')
  vitest.vi.setConfig(Object.fromEntries(short.map((one) => [one, recordingLimitMs])))
  return isShortLimit(limit) ? Number(limit) : undefined
}

/** Runs a test whose limit was raised within the one before, unless it records. */
export async function runWithin(
  limit: number | undefined,
  test: object,
  runTest: () => Promise<void>
): Promise<void> {
  if (limit === undefined || propertyOf(test, 'timeout') !== recordingLimitMs)
    return runTest()
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<void>((_, reject) => {
    const end = () => reject(new Error(`Test timed out in ${limit}ms.`))
    timer = setTimeout(() => recordingTests.has(test) || end(), limit)
  })
  await Promise.race([runTest(), expired]).finally(() => clearTimeout(timer))
}

/** Tests one of whose cassettes is recorded. */
export const recordingTests: WeakSet<object> = new WeakSet()

/** Why nothing of a test was written that ran out of time. */
export function timeLimitReason({ result }: RunningTest): string | undefined {
  const limit = result?.errors?.map(
    ({ message = '' }) => /timed out in (\d+)ms/.exec(message)?.[1]
  )[0]
  if (limit === undefined) return undefined
  const own = `give the test a longer one: it('…', async () => { … }, ${recordingLimitMs})`
  return `the test ran into its time limit of ${limit} ms; ${own}, or record it with WIKITAPE_MODE=new_episodes, which raises vitest's default`
}

/** The part of vitest's tasks that is used; the same in vitest 4 and 5. */
export interface TestTask {
  readonly name: string
  readonly suite?: SuiteTask | undefined
  /** Its name is its path from the project's root. */
  readonly file: SuiteTask
}

export interface SuiteTask {
  readonly type: string
  readonly name: string
  readonly suite?: SuiteTask | undefined
  readonly file?: SuiteTask
  readonly tasks: readonly (SuiteTask | (TestTask & { readonly type: string }))[]
}

/** e.g. `test/pages.test/lists_what_begins_with_Волга`: unique in its file, whatever part of the file runs. */
export function vitestCassetteName(test: TestTask): string {
  const used = new Set<string>()
  for (const one of testsIn(test.file)) {
    if (one === test) break
    uniqueName(slugOf(fullTitle(one)), used)
  }
  return `${folderOfFile(test.file.name)}/${uniqueName(slugOf(fullTitle(test)), used)}`
}

/** e.g. `test/pages.test/_hooks`: no test's name begins so. @param suite a file or `describe` */
export function hooksNameOf(suite: SuiteTask): string {
  const { file = suite } = suite
  const title = fullTitle(suite)
  return `${folderOfFile(file.name)}/_hooks${title === '' ? '' : `_${slugOf(title)}`}`
}

export function* testsIn(suite: SuiteTask): IterableIterator<TestTask> {
  for (const task of suite.tasks) {
    if ('tasks' in task) yield* testsIn(task)
    else yield task
  }
}

function fullTitle(test: TestTask | SuiteTask) {
  const titles = 'filepath' in test ? [] : [test.name]
  for (let { suite } = test; suite && suite.type === 'suite'; { suite } = suite)
    if (!('filepath' in suite)) titles.unshift(suite.name)
  return titles.join(' ')
}
