/** Whether the test that a hook runs after has passed, as its runner says; and how a hook fails that test. */
import { callMethod, memberOf } from './test-name.ts'

/** @param self the `this` of the hook. @param given its arguments. @returns undefined where the runner does not say */
export function hasTestPassed(
  self: unknown,
  given: readonly unknown[],
  globals: object = globalThis,
): boolean | undefined {
  const passed = mochaOutcome(self) ?? memberOf(given[0], 'passed') ?? jestOutcome(globals)
  return typeof passed === 'boolean' ? passed : undefined
}

/** Source: https://mochajs.org/api/runnable#state */
function mochaOutcome(self: unknown): boolean | undefined {
  const test = memberOf(self, 'currentTest')
  return test === undefined ? undefined : memberOf(test, 'state') === 'passed'
}

/** jest tells a hook nothing; the state of its runner jest-circus is a global variable, by a symbol. */
function jestOutcome(globals: object): boolean | undefined {
  const name = Object.getOwnPropertySymbols(globals).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL',
  )
  const state = name === undefined ? undefined : Reflect.get(globals, name)
  const errors = memberOf(memberOf(state, 'currentlyRunningTest'), 'errors')
  return Array.isArray(errors) ? errors.length === 0 : undefined
}

/**
 * Fails the test by the error of its hook. @throws the error, except under mocha, which would skip the suite's other
 * tests, and after a test of node:test that has failed, whose later errors are not shown
 */
export function failTest(self: unknown, given: readonly unknown[], error: Error): void {
  const hook = memberOf(self, 'test')
  // Source: https://mochajs.org/api/hook#error
  if (memberOf(self, 'currentTest') !== undefined && typeof memberOf(hook, 'error') === 'function')
    callMethod(hook, 'error', error)
  else if (memberOf(given[0], 'passed') === false) process.stderr.write(`${error.message}\n`)
  else throw error
}
