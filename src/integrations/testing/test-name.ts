/** The name of the running test, from its runner: mocha's `this`, node:test's argument, jest's `expect`. */
import path from 'node:path'

export interface TestName {
  /** Relative to the project's folder. */
  readonly file: string
  /** With the titles of its suites. */
  readonly title: string
}

/** @param self the `this` of the test's function. @param args its arguments. @returns undefined in an unknown runner */
export function findTestName(
  self: unknown,
  args: readonly unknown[],
  globals: object = globalThis,
): TestName | undefined {
  return mochaTestName(self) ?? nodeTestName(args[0]) ?? jestTestName(globals)
}

/** Source: https://mochajs.org/api/test */
function mochaTestName(self: unknown): TestName | undefined {
  const test = memberOf(self, 'test')
  const titles = callMethod(test, 'titlePath')
  return toTestName(memberOf(test, 'file'), Array.isArray(titles) ? titles.join(' ') : undefined)
}

/**
 * Node 20 does not name the file, but runs each in its own process.
 * Source: https://nodejs.org/docs/latest-v20.x/api/test.html#class-testcontext
 */
function nodeTestName(context: unknown): TestName | undefined {
  const title = memberOf(context, 'fullName')
  const file = memberOf(context, 'filePath') ?? process.argv[1]
  return toTestName(file, typeof title === 'string' ? title.replaceAll(' > ', ' ') : undefined)
}

/** Source: https://jestjs.io/docs/expect#expectgetstate */
function jestTestName(globals: object): TestName | undefined {
  const state = callMethod(memberOf(globals, 'expect'), 'getState')
  return toTestName(memberOf(state, 'testPath'), memberOf(state, 'currentTestName'))
}

const toTestName = (file: unknown, title: unknown): TestName | undefined =>
  typeof file === 'string' && typeof title === 'string'
    ? { file: path.relative(process.cwd(), file), title }
    : undefined

export const memberOf = (value: unknown, name: string): unknown =>
  (typeof value === 'object' || typeof value === 'function') && value !== null
    ? Reflect.get(value, name)
    : undefined

function callMethod(value: unknown, name: string): unknown {
  const method = memberOf(value, name)
  return typeof method === 'function' ? Reflect.apply(method, value, []) : undefined
}
