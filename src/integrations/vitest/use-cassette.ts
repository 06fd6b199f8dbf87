/** `wikitape/vitest`: cassettes as long as a test or a suite, which fail it where they do not match. */
import '../../supported-node.ts'
import path from 'node:path'
import * as vitest from 'vitest'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { folderOfFile } from '../../recorder/cassette/test-names.ts'
import { assertOptions } from '../../recorder/text/option-checks.ts'
import { watchRequests } from '../in-process/direct-interceptor.ts'
import { runAsOwner } from '../in-process/interceptors.ts'
import { handleOf, type UsedCassette } from '../testing/cassette-handle.ts'
import { TestCassette } from '../testing/test-cassette.ts'
import {
  apiUrlsOf,
  type TestCassetteOptions,
  testCassetteOptions,
  watchOf
} from '../testing/test-cassette-options.ts'
import {
  currentTest,
  hooksNameOf,
  isRunningTest,
  type RunningTest,
  raiseTimeLimits,
  recordingTests,
  runWithin,
  type SuiteTask,
  testsIn,
  timeLimitReason,
  vitestCassetteName
} from './used-cassette.ts'
import './to-have-no-drift.ts'

export type { Counts } from '../../recorder/engine/run-summary.ts'
export type { MissPolicy, Mode } from '../../recorder/playback/decide.ts'
export type { InsertOptions } from '../in-process/insert-options.ts'
export type { OverrideParams, OverrideReply } from '../in-process/overrides.ts'
export type { UsedCassette } from '../testing/cassette-handle.ts'
export type { Verdict } from '../testing/test-cassette-options.ts'
export type { DriftOptions, DriftSubject } from './compare-drift.ts'

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
export function useCassette(
  first: string | UseOptions = {},
  second: UseOptions = {}
): UsedCassette {
  const [name, given] = typeof first === 'string' ? [first, second] : [undefined, first]
  assertOptions('useCassette', given, testCassetteOptions)
  const file = expect.getState().testPath ?? ''
  const options = { ...defaultsByFile.get(file), ...given }
  const test = currentTest()
  if (test) {
    const cassette =
      name === undefined ? useDefault(test, options) : useForTest(test, name, options)
    return handleOf(() => cassette)
  }
  if (name !== undefined) {
    raiseTimeLimits(name, options, false)
    return useForAll(name, options)
  }
  defaultsByFile.set(file, options)
  const folder = folderOfFile(path.relative('', file))
  return useForEach(
    options,
    raiseTimeLimits(folder, options, vitest.aroundEach !== undefined)
  )
}

/** Options given without a name, by test file: the defaults of named cassettes. */
const defaultsByFile = new Map<string, UseOptions>()
/** Each running test's own, without a name. */
const defaultCassettes = new Map<object, TestCassette>()
function useForTest(
  test: RunningTest,
  name: string,
  options: UseOptions,
  isDefault = false
) {
  const cassette = new TestCassette(name, options, { owner: test, isDefault })
  if (cassette.mayRecord()) recordingTests.add(test)
  // After every hook of the test.
  test.context.onTestFinished(() => {
    defaultCassettes.delete(test)
    const passed = test.result?.state === 'pass'
    return cassette.finish({ passed, complete: passed, reason: timeLimitReason(test) })
  })
  return cassette
}

/** Calls for other wikis add up. */
function useDefault(test: RunningTest, options: UseOptions) {
  const known = defaultCassettes.get(test)
  if (known) {
    known.add(options)
    if (known.mayRecord()) recordingTests.add(test)
    return known
  }
  const cassette = useForTest(test, vitestCassetteName(test), options, true)
  defaultCassettes.set(test, cassette)
  return cassette
}

function useForEach(options: UseOptions, limit: number | undefined) {
  useInHooks(options)
  watchSuite('useCassette()', options)
  // Since vitest 4.1; before, tests that run at the same time cannot be told apart.
  vitest.aroundEach?.((runTest, { task }) =>
    runAsOwner(task, () => runWithin(limit, task, runTest))
  )
  beforeEach(({ task }) => {
    if (isRunningTest(task)) useDefault(task, options)
  })
  return handleOf(() => {
    const test = currentTest()
    return test && defaultCassettes.get(test)
  })
}

/** By file or `describe`: what answers its hooks. */
const cassettesOfHooks = new WeakMap<SuiteTask, TestCassette>()

/** Requests of beforeAll and afterAll, whose cassette is that of no test. */
function useInHooks(options: UseOptions) {
  const apiUrl = apiUrlsOf(options).filter((one) => one !== undefined)
  if (apiUrl.length === 0) return
  let cassette: TestCassette | undefined
  beforeAll(
    withSuite((suite) => {
      if (!suite) return
      const known = cassettesOfHooks.get(suite)
      if (known) return known.add({ ...options, apiUrl })
      const owner = { owner: suite, isDefault: true, isFallback: true }
      cassette = new TestCassette(hooksNameOf(suite), { ...options, apiUrl }, owner)
      cassettesOfHooks.set(suite, cassette)
    })
  )
  afterAll(withSuite((suite) => cassette?.finish(outcomeOf(suite))))
}

/** A hook that gets its suite. vitest parses the source of a hook's parameters, and passes others in 4.0 than later. */
const withSuite = (hook: (suite: SuiteTask | undefined) => void | Promise<void>) =>
  function hookOfSuite() {
    // biome-ignore lint/complexity/noArguments: see above
    return hook([...arguments].find(isSuite))
  }

/** Checks requests to wikis until the end of the suite: also while its file is read, in hooks and between tests. */
function watchSuite(label: string, options: UseOptions) {
  const file = expect.getState().testPath
  const end = watchRequests({
    ...watchOf(label, options),
    // Where none of its tests runs, no hook runs at its end, and files may share this process.
    isActive: () => expect.getState().testPath === file
  })
  afterAll(end)
}

function useForAll(name: string, options: UseOptions) {
  let cassette: TestCassette | undefined
  watchSuite(`useCassette('${name}')`, options)
  beforeAll(() => {
    cassette = new TestCassette(name, options, { owner: undefined, isDefault: false })
  })
  beforeEach(({ task }) => {
    const before = cassette?.missed() ?? new Map()
    if (isRunningTest(task))
      task.context.onTestFinished(() => cassette?.checkNoMisses(before))
  })
  afterAll(withSuite((suite) => cassette?.finish(outcomeOf(suite))))
  return handleOf(() => cassette)
}

function outcomeOf(suite: SuiteTask | undefined) {
  const tests = suite ? [...testsIn(suite)].filter(isRunningTest) : []
  const states = tests.map((test) => test.result?.state)
  return {
    passed: !states.includes('fail'),
    complete: suite !== undefined && states.every((state) => state === 'pass'),
    reason: tests.map(timeLimitReason).find((one) => one !== undefined)
  }
}

const isSuite = (value: unknown): value is SuiteTask =>
  typeof value === 'object' && value !== null && 'tasks' in value && 'type' in value
