/**
 * Checks of the options of public functions, for JavaScript callers, whom no compiler warns: a mistyped option would be
 * ignored.
 */
import { didYouMean } from './words.ts'

export interface Expectation {
  readonly accepts: (value: unknown) => boolean
  readonly expected: string
}

/** An expectation for each member of the options. */
export type OptionExpectations<Options> = {
  readonly [Name in keyof Required<Options>]: Expectation
}

export const textOption = (example: string): Expectation => ({
  accepts: (value) => typeof value === 'string' && value !== '',
  expected: `a text, e.g. ${JSON.stringify(example)}`
})

export const booleanOption: Expectation = {
  accepts: (value) => typeof value === 'boolean',
  expected: 'true or false'
}

export const functionOption = (example: string): Expectation => ({
  accepts: (value) => typeof value === 'function',
  expected: `a function, e.g. ${example}`
})

export const oneOfOption = (words: readonly string[]): Expectation => ({
  accepts: (value) => words.some((word) => word === value),
  expected: `one of ${words.join(', ')}`
})

export const listOption = (
  isOne: (text: string) => boolean,
  example: string
): Expectation => ({
  accepts: (value) =>
    Array.isArray(value) && value.every((one) => typeof one === 'string' && isOne(one)),
  expected: `a list, e.g. ['${example}']`
})

export const wholeNumberOption = (min: number, max: number): Expectation => ({
  accepts: (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max,
  expected: `a whole number from ${min} to ${max}`
})

/**
 * @param subject of the message, e.g. `insertCassette: the name`
 * @throws TypeError with the value and what was expected
 */
export function assertValue(
  subject: string,
  value: unknown,
  { accepts, expected }: Expectation
): void {
  if (!accepts(value))
    throw new TypeError(`${subject} is ${describeValue(value)}; expected ${expected}`)
}

/**
 * What is undefined is not given.
 * @param owner the function that takes them. @throws TypeError that names the option
 */
export function assertOptions(
  owner: string,
  options: unknown,
  expectations: Readonly<Record<string, Expectation>>
): void {
  const names = Object.keys(expectations)
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new TypeError(
      `${owner}: the options are ${describeValue(options)}; expected an object of ${names.join(', ')}`
    )
  for (const [name, value] of Object.entries(options)) {
    const expectation = Object.hasOwn(expectations, name) ? expectations[name] : undefined
    if (!expectation)
      throw new TypeError(
        `${owner}: unknown option "${name}"${didYouMean(name, names)}; expected ${names.join(', ')}`
      )
    if (value !== undefined) assertValue(`${owner}: ${name}`, value, expectation)
  }
}

const maxShownLength = 60

function describeValue(value: unknown) {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, maxShownLength))
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
