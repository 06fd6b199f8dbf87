/** `wikitape/testing`: a cassette as long as one test, in any runner: jest, mocha, node:test or another; around its function, or by hooks. */
import '../../supported-node.ts'
import {
  assertOptions,
  assertValue,
  functionOption,
  type OptionExpectations,
  textOption
} from '../../recorder/text/option-checks.ts'
import { watchRequests } from '../in-process/direct-interceptor.ts'
import { runAsOwner } from '../in-process/interceptors.ts'
import { handleOf, type UsedCassette } from './cassette-handle.ts'
import { CassetteProblem } from './failure-text.ts'
import { TestCassette } from './test-cassette.ts'
import {
  isShortLimit,
  recordingLimitMs,
  type TestCassetteOptions,
  testCassetteOptions,
  watchOf
} from './test-cassette-options.ts'
import {
  callMethod,
  cassetteNameOf,
  failTest,
  findTestName,
  hasTestPassed,
  isLastHook
} from './test-runner.ts'

export type { InsertOptions } from '../in-process/insert-options.ts'
export type { UsedCassette } from './cassette-handle.ts'
export type { Verdict } from './test-cassette-options.ts'

export interface TestOptions extends TestCassetteOptions {
  /** The cassette; unless given, one that is named after the test and its file. */
  readonly name?: string
}

const testOptions: OptionExpectations<TestOptions> = {
  name: textOption('lists-pages'),
  ...testCassetteOptions
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
  body: TestBody<This>
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
function raiseMochaLimit(self: unknown) {
  if (isShortLimit(callMethod(self, 'timeout')))
    callMethod(self, 'timeout', recordingLimitMs)
}

/** The test's own error is thrown; problems of the cassette may be its cause, and are printed. */
function printProblem(error: unknown) {
  if (!(error instanceof CassetteProblem)) throw error
  process.stderr.write(`${error.message}\n`)
}

/** A hook without parameters, since some runners take one for a callback. */
type Hook = (this: unknown, ...given: never[]) => unknown

/** The functions of a runner that register hooks: those of `node:test`; jest's and mocha's are global. */
export interface RunnerHooks {
  beforeEach(hook: Hook): unknown
  afterEach(hook: Hook): unknown
  /** mocha and node:test */
  after?(hook: Hook): unknown
  /** jest */
  afterAll?(hook: Hook): unknown
}

const closedReason =
  'useCassette() gives each test a cassette of its own, but no test is running; for requests in a hook of a whole file, wrap the function of the hook: withCassette({ name: "my-hook", … }, async () => { … }) from wikitape/testing. Tests that run at the same time (it.concurrent) run outside of these hooks: run them one after another, or wrap each in withCassette({ name: "…" }, …).'

const unknownOutcome =
  'wikitape: this test runner does not say in afterEach whether the test has passed, so nothing was recorded; wrap each test instead: it("…", withCassette({ … }, async () => { … }))'

/**
 * Gives each test after the call a cassette named after it. What was recorded is written when the test has passed; a
 * missed request or an unused recording fails it. @param hooks the runner's own; its globals unless given
 * @returns the cassette of the test that runs
 */
export function useCassette(
  options: TestCassetteOptions = {},
  hooks: RunnerHooks = globalThis as unknown as RunnerHooks
): UsedCassette {
  assertOptions('useCassette', options, testCassetteOptions)
  for (const name of ['beforeEach', 'afterEach'] as const)
    assertValue(
      `useCassette: ${name}`,
      hooks[name],
      functionOption(`the runner's: useCassette(options, { beforeEach, afterEach })`)
    )
  const guard = options.mode === 'passthrough' ? {} : { closedReason }
  const endWatch = watchRequests({ ...watchOf('useCassette()', options), ...guard })
  let cassette: TestCassette | undefined
  hooks.beforeEach(function begin(this: unknown, ...given) {
    const name = cassetteNameOf(findTestName(this, given))
    cassette = new TestCassette(name, options, { owner: undefined, isDefault: true })
  })
  hooks.afterEach(async function end(this: unknown, ...given) {
    const passed = hasTestPassed(this, given)
    const ended = cassette
    cassette = undefined
    try {
      await ended?.finish({ passed: passed === true, complete: passed === true })
      if (passed === undefined) throw new Error(unknownOutcome)
    } catch (error) {
      if (!(error instanceof CassetteProblem)) throw error
      failTest(this, given, error)
    }
  })
  const afterAll = hooks.afterAll ?? hooks.after
  afterAll?.call(hooks, function end(this: unknown, ...given) {
    if (!isLastHook(this, given)) endWatch()
  })
  return handleOf(() => cassette)
}
