/** `wikitape/vitest`: cassettes as long as a test or a suite, which fail it where they do not match. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { assertOptions } from '../../text/option-checks.ts'
import { watchRequests } from '../in-process/direct-interceptor.ts'
import { cassetteFolder, configuredApiUrl, resolveInsertOptions } from '../in-process/insert-options.ts'
import { TestCassette } from '../testing/test-cassette.ts'
import {
  type TestCassetteOptions,
  type TestOutcome,
  testCassetteOptions,
  warnFunction,
} from '../testing/test-cassette-options.ts'
import { currentTest, handleOf, isRunningTest, type RunningTest, type UsedCassette } from './used-cassette.ts'
import { cassetteNameOf, type SuiteTask, testsIn } from './vitest-cassette-name.ts'
import './to-have-no-drift.ts'

export type { Counts } from '../../engine/run-summary.ts'
export type { MissPolicy, Mode } from '../../playback/mode.ts'
export type { InsertOptions } from '../in-process/insert-options.ts'
export type { Verdict } from '../testing/test-cassette-options.ts'
export type { DriftOptions, DriftSubject } from './compare-drift.ts'
export type { UsedCassette } from './used-cassette.ts'

export interface UseOptions extends TestCassetteOptions {
  /** False prints the summary of each cassette; otherwise only of those that were recorded to. */
  readonly quiet?: boolean
}

/**
 * In a test: this test's cassette, by default named after it. Outside, with a name: one cassette for all tests of the
 * file or `describe`. Outside, without a name: a cassette for each test of it, named after the test.
 */
export function useCassette(name: string, options?: UseOptions): UsedCassette
export function useCassette(options?: UseOptions): UsedCassette
export function useCassette(first: string | UseOptions = {}, second: UseOptions = {}): UsedCassette {
  const [name, given] = typeof first === 'string' ? [first, second] : [undefined, first]
  assertOptions('useCassette', given, testCassetteOptions)
  const file = expect.getState().testPath ?? ''
  const options = { ...defaultsByFile.get(file), ...given }
  const test = currentTest()
  if (test !== undefined) {
    const cassette = useForTest(test, name ?? cassetteNameOf(test), options)
    return handleOf(() => cassette)
  }
  if (name !== undefined) return useForAll(name, options)
  defaultsByFile.set(file, options)
  return useForEach(options)
}

/** Options given without a name, by test file: the defaults of named cassettes. */
const defaultsByFile = new Map<string, UseOptions>()
const defaultCassettes = new WeakMap<object, TestCassette>()
/** Wikis that a suite's cassette answers for. */
const originsOfSuites = new Set<string>()

function useForTest(test: RunningTest, name: string, options: UseOptions, isDefault = false): TestCassette {
  defaultCassettes.get(test)?.giveWayTo(cassetteFolder(name, options.root))
  const cassette = new TestCassette(name, options, { owner: test, isDefault })
  if (isDefault) defaultCassettes.set(test, cassette)
  // After every hook of the test.
  test.context.onTestFinished(() => {
    const passed = test.result?.state === 'pass'
    return cassette.finish({ passed, complete: passed })
  })
  return cassette
}

function useForEach(options: UseOptions): UsedCassette {
  let current: TestCassette | undefined
  const running = new Set<RunningTest>()
  guardBetweenTests(options)
  watchSuite('useCassette()', options)
  beforeEach(({ task }) => {
    if (!isRunningTest(task)) return
    const name = cassetteNameOf(task)
    if (originsOfSuites.has(resolveInsertOptions(name, options).api.origin)) return
    running.add(task)
    task.context.onTestFinished(() => void running.delete(task))
    if (running.size === 1) current = useForTest(task, name, options, true)
    else for (const other of running) defaultCassettes.get(other)?.refuseRequests(concurrentMessage)
  })
  return handleOf(() => current)
}

const concurrentMessage =
  "wikitape: tests run at the same time (concurrent), and useCassette() cannot tell whose request this is; give them one cassette by name, for all of them: useCassette('name') in their describe or file."

/** A request outside of any test would go to the wiki unrecorded. */
function guardBetweenTests(options: UseOptions): void {
  const { apiUrl = configuredApiUrl(), mode } = options
  if (apiUrl === undefined || mode === 'passthrough') return
  let end: (() => void) | undefined
  beforeAll(() => {
    end = watchRequests({
      label: 'useCassette()',
      apiUrl,
      warn: warnFunction(options),
      closedReason:
        "useCassette() gives each test a cassette of its own, but no test is running, or several run at the same time; for requests in beforeAll and of concurrent tests, use one for the whole file, above its hooks: useCassette('name').",
    })
  })
  afterAll(() => end?.())
}

/** Checks requests to wikis until the end of the suite: also while its file is read, in hooks and between tests. */
function watchSuite(label: string, options: UseOptions): void {
  const file = expect.getState().testPath
  const { apiUrl, allowOtherWikis } = options
  const end = watchRequests({
    label,
    apiUrl,
    allowOtherWikis,
    warn: warnFunction(options),
    // Where none of its tests runs, no hook runs at its end, and files may share this process.
    isActive: () => expect.getState().testPath === file,
  })
  afterAll(end)
}

function useForAll(name: string, options: UseOptions): UsedCassette {
  let cassette: TestCassette | undefined
  watchSuite(`useCassette('${name}')`, options)
  beforeAll(() => {
    cassette = new TestCassette(name, options, { owner: undefined, isDefault: false })
    originsOfSuites.add(cassette.settings.api.origin)
  })
  beforeEach(({ task }) => {
    const before = cassette?.counts()?.missed ?? 0
    if (isRunningTest(task)) task.context.onTestFinished(() => cassette?.checkNoMisses(before))
  })
  afterAll(function end() {
    if (cassette !== undefined) originsOfSuites.delete(cassette.settings.api.origin)
    // biome-ignore lint/complexity/noArguments: vitest parses the parameters' source, and passes others in 4.0 than later
    return cassette?.finish(outcomeOf([...arguments].find(isSuite)))
  })
  return handleOf(() => cassette)
}

function outcomeOf(suite: SuiteTask | undefined): TestOutcome {
  const states = suite === undefined ? [undefined] : [...testsIn(suite)].map((test) => stateOf(test))
  return {
    passed: !states.includes('fail'),
    complete: states.every((state) => state === 'pass'),
  }
}

const stateOf = (test: unknown): string | undefined => (isRunningTest(test) ? test.result?.state : undefined)

const isSuite = (value: unknown): value is SuiteTask =>
  typeof value === 'object' && value !== null && 'tasks' in value && 'type' in value
