/** What runners (jest, mocha, node:test, Deno, vitest) tell of a test, and the names of cassettes made of its titles and file. */
import path from 'node:path'
import { folderOfFile, slugOf } from '../../recorder/cassette/test-names.ts'

interface TestName {
  /** Relative to the project's folder. */
  readonly file: string
  /** With the titles of its suites. */
  readonly title: string
}

/** @param self the `this` of the test's function. @param args its arguments. @returns undefined in an unknown runner */
export function findTestName(
  self: unknown,
  args: readonly unknown[],
  globals: object = globalThis
): TestName | undefined {
  return mochaTestName(self) ?? nodeTestName(args[0]) ?? jestTestName(globals)
}

/** Source: https://mochajs.org/api/test */
function mochaTestName(self: unknown) {
  // In a hook, `test` is the hook itself.
  const test = propertyOf(self, 'currentTest') ?? propertyOf(self, 'test')
  const titles = callMethod(test, 'titlePath')
  return toTestName(
    propertyOf(test, 'file'),
    Array.isArray(titles) ? titles.join(' ') : undefined
  )
}

/**
 * Node 20 does not name the file, but runs each in its own process.
 * Source: https://nodejs.org/docs/latest-v20.x/api/test.html#class-testcontext
 */
function nodeTestName(context: unknown) {
  const title = propertyOf(context, 'fullName')
  const file = propertyOf(context, 'filePath') ?? process.argv[1]
  return toTestName(
    file,
    typeof title === 'string' ? title.replaceAll(' > ', ' ') : undefined
  )
}

/** Source: https://jestjs.io/docs/expect#expectgetstate */
function jestTestName(globals: object) {
  const state = callMethod(propertyOf(globals, 'expect'), 'getState')
  return toTestName(propertyOf(state, 'testPath'), propertyOf(state, 'currentTestName'))
}

const toTestName = (file: unknown, title: unknown) =>
  typeof file === 'string' && typeof title === 'string'
    ? { file: path.relative(process.cwd(), file), title }
    : undefined

/** True for an `after` hook of a whole run of mocha, or of a file of node:test: nothing but strays of its tests comes behind it. */
export const isLastHook = (self: unknown, given: readonly unknown[]): boolean =>
  propertyOf(propertyOf(propertyOf(self, 'test'), 'parent'), 'root') === true ||
  propertyOf(propertyOf(given[0], 'constructor'), 'name') === 'TestContext'

/** Whether the test that a hook runs after has passed. @param self the `this` of the hook. @param given its arguments. @returns undefined if the runner does not say */
export function hasTestPassed(
  self: unknown,
  given: readonly unknown[]
): boolean | undefined {
  const passed = mochaOutcome(self) ?? propertyOf(given[0], 'passed') ?? jestOutcome()
  return typeof passed === 'boolean' ? passed : undefined
}

/** Source: https://mochajs.org/api/runnable#state */
function mochaOutcome(self: unknown) {
  const test = propertyOf(self, 'currentTest')
  return test === undefined ? undefined : propertyOf(test, 'state') === 'passed'
}

/** jest tells a hook nothing; the state of its runner jest-circus is a global variable, by a symbol. */
function jestOutcome() {
  const name = Object.getOwnPropertySymbols(globalThis).find(
    ({ description }) => description === 'JEST_STATE_SYMBOL'
  )
  const state = name === undefined ? undefined : Reflect.get(globalThis, name)
  const errors = propertyOf(propertyOf(state, 'currentlyRunningTest'), 'errors')
  return Array.isArray(errors) ? errors.length === 0 : undefined
}

/**
 * Fails the test by the error of its hook. @throws the error, except under mocha, which would skip the suite's other
 * tests, and after a test of node:test that has failed, whose later errors are not shown
 */
export function failTest(self: unknown, given: readonly unknown[], error: Error): void {
  const hook = propertyOf(self, 'test')
  // Source: https://mochajs.org/api/hook#error
  if (
    propertyOf(self, 'currentTest') !== undefined &&
    typeof propertyOf(hook, 'error') === 'function'
  )
    callMethod(hook, 'error', error)
  else if (propertyOf(given[0], 'passed') === false)
    process.stderr.write(`${error.message}\n`)
  else throw error
}

export const propertyOf = (value: unknown, name: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined

export function callMethod(
  value: unknown,
  name: string,
  ...given: readonly unknown[]
): unknown {
  const method = propertyOf(value, name)
  return typeof method === 'function' ? Reflect.apply(method, value, given) : undefined
}

/** The cassette of a test, unless it has a name of its own. @throws Error if the runner did not say which test runs */
export function cassetteNameOf(test: TestName | undefined): string {
  if (test) return `${folderOfFile(test.file)}/${slugOf(test.title)}`
  throw new Error(
    'wikitape: this test runner does not say which test runs; give the cassette a name: withCassette({ name: "lists-pages", … }, …)'
  )
}
