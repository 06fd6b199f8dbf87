/** `wikitape/vitest`: cassettes that live as long as a test or a suite, and fail it where they do not fit. */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import { type Expected, mustBeOptions, oneOf } from '../../text/option-checks.ts'
import type { InsertOptions } from '../nock/insert-options.ts'
import { folderOf, insertOptions, settle, settledWiki } from '../nock/insert-options.ts'
import { watchRequests } from '../nock/nock-interceptor.ts'
import { HeldCassette } from '../testing/test-cassette.ts'
import { type Holding, type Outcome, type Verdict, verdicts } from '../testing/test-cassette-options.ts'
import { forward, handleOf, type UsedCassette } from './used-cassette.ts'
import { cassetteNameOf, type SuiteTask, testsIn } from './vitest-cassette-name.ts'
import { isRunningTest, type RunningTest, runningTest } from './vitest-test.ts'
import './to-have-no-drift.ts'

export type { Counts } from '../../engine/run-summary.ts'
export type { MissPolicy } from '../../playback/miss-policy.ts'
export type { Mode } from '../../playback/mode.ts'
export type { InsertOptions } from '../nock/insert-options.ts'
export type { Verdict } from '../testing/test-cassette-options.ts'
export type { DriftOptions, DriftSubject } from './to-have-no-drift.ts'
export type { UsedCassette } from './used-cassette.ts'

export interface UseOptions extends InsertOptions {
  /** What a request that nobody recorded does to its test; `fail` unless given. */
  readonly missed?: Verdict
  /** What a recording that nothing asked for does to its test or suite; `fail` unless given. */
  readonly unused?: Verdict
  /** False prints the summary of each cassette; otherwise only of one that something was recorded into. */
  readonly quiet?: boolean
}

const useOptions: Expected<UseOptions> = {
  missed: oneOf(verdicts),
  unused: oneOf(verdicts),
  ...insertOptions,
}

/**
 * In a test: this test's cassette, by default named after it. Outside, with a name: one cassette for all tests of the
 * file or `describe`. Outside, without a name: a cassette for each test of it, named after the test.
 */
export function useCassette(name: string, options?: UseOptions): UsedCassette
export function useCassette(options?: UseOptions): UsedCassette
export function useCassette(first: string | UseOptions = {}, second: UseOptions = {}): UsedCassette {
  const [name, given] = typeof first === 'string' ? [first, second] : [undefined, first]
  mustBeOptions('useCassette', given, useOptions)
  const file = expect.getState().testPath ?? ''
  const options = { ...ofSetUp.get(file), ...given }
  const test = runningTest()
  if (test !== undefined) return takeOver(test, name ?? cassetteNameOf(test), options)
  if (name !== undefined) return useForAll(name, options)
  ofSetUp.set(file, options)
  return useForEach(options)
}

/** What was given without a name, for each test file: cassettes with names take from it what they are not given. */
const ofSetUp = new Map<string, UseOptions>()
/** Cassettes that tests have without asking for them. */
const byDefault = new WeakMap<object, HeldCassette>()
/** Wikis that one cassette answers for during a whole suite. */
const heldBySuites = new Set<string>()

function takeOver(test: RunningTest, name: string, options: UseOptions, isDefault = false): UsedCassette {
  byDefault.get(test)?.giveWayTo(folderOf(name, options.root))
  const held = hold(name, options, { owner: test, isDefault })
  if (isDefault) byDefault.set(test, held)
  // After every hook of the test, so that no failure comes later.
  test.context.onTestFinished(() => {
    const passed = test.result?.state === 'pass'
    return held.finish({ passed, complete: passed })
  })
  return handleOf(held)
}

function useForEach(options: UseOptions): UsedCassette {
  let latest: UsedCassette | undefined
  const running = new Set<RunningTest>()
  guardBetweenTests(options)
  watchSuite('useCassette()', options)
  beforeEach(({ task }) => {
    if (!isRunningTest(task)) return
    const name = cassetteNameOf(task)
    if (heldBySuites.has(settle(name, options).api.origin)) return
    running.add(task)
    task.context.onTestFinished(() => void running.delete(task))
    if (running.size === 1) latest = takeOver(task, name, options, true)
    else for (const other of running) byDefault.get(other)?.contest(manyAtOnce)
  })
  return forward(() => latest)
}

const manyAtOnce =
  "wikitape: tests run at the same time (concurrent), and useCassette() cannot tell whose request this is; give them one cassette by name, for all of them: useCassette('name') in their describe or file."

/** A request outside of any test would go out unrecorded, and be missed by nobody. */
function guardBetweenTests(options: UseOptions): void {
  const { apiUrl = settledWiki(), mode } = options
  if (apiUrl === undefined || mode === 'passthrough') return
  let end: (() => void) | undefined
  beforeAll(() => {
    end = watchRequests({
      what: 'useCassette()',
      apiUrl,
      warn: warnOf(options),
      closed:
        "useCassette() gives each test a cassette of its own, and here no test runs, or several at the same time; for requests in beforeAll and of concurrent tests, use one for the whole file, above its hooks: useCassette('name').",
    })
  })
  afterAll(() => end?.())
}

/** Requests to wikis are checked from here to the end of the suite: also while its file is read, in hooks and between tests. */
function watchSuite(what: string, options: UseOptions): void {
  const file = expect.getState().testPath
  const { apiUrl, allowOtherWikis } = options
  const end = watchRequests({
    what,
    apiUrl,
    allowOtherWikis,
    warn: warnOf(options),
    // Where none of its tests ran, no hook tells its end, and files may share this process.
    isActive: () => expect.getState().testPath === file,
  })
  afterAll(end)
}

function useForAll(name: string, options: UseOptions): UsedCassette {
  let held: HeldCassette | undefined
  watchSuite(`useCassette('${name}')`, options)
  beforeAll(() => {
    held = hold(name, options, { owner: undefined, isDefault: false })
    heldBySuites.add(held.settings.api.origin)
  })
  beforeEach(({ task }) => {
    held?.renew()
    const before = held?.counts()?.missed ?? 0
    if (isRunningTest(task)) task.context.onTestFinished(() => held?.mustHaveMissedNone(before))
  })
  afterAll(function end() {
    if (held !== undefined) heldBySuites.delete(held.settings.api.origin)
    // biome-ignore lint/complexity/noArguments: vitest reads the source of parameters, and passes others in 4.0 than later
    return held?.finish(outcomeOf([...arguments].find(isSuite)))
  })
  return forward(() => held && handleOf(held))
}

function hold(name: string, options: UseOptions, whose: Pick<Holding, 'owner' | 'isDefault'>): HeldCassette {
  const { missed = 'fail', unused = 'fail', quiet = true } = options
  const settings = settle(name, { ...options, quiet })
  return new HeldCassette(settings, { verdicts: { missed, unused }, warn: warnOf(options), ...whose })
}

const warnOf = ({ report }: UseOptions): ((line: string) => void) =>
  report ?? ((line) => void process.stderr.write(`wikitape: ${line}\n`))

function outcomeOf(suite: SuiteTask | undefined): Outcome {
  const states = suite === undefined ? [undefined] : [...testsIn(suite)].map((test) => stateOf(test))
  return {
    passed: !states.includes('fail'),
    complete: states.every((state) => state === 'pass'),
  }
}

const stateOf = (test: unknown): string | undefined => (isRunningTest(test) ? test.result?.state : undefined)

const isSuite = (value: unknown): value is SuiteTask =>
  typeof value === 'object' && value !== null && 'tasks' in value && 'type' in value
