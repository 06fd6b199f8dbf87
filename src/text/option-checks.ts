/**
 * What a program passes, held against what it may be before anything is done with it: JavaScript has no compiler that
 * does, and a word that means nothing would count as one that lets everything pass.
 */
import { didYouMean } from './did-you-mean.ts'

/** What a value may be, and how a message says that. */
export interface Expectation {
  readonly takes: (value: unknown) => boolean
  readonly expected: string
}

/** One for each member of the options; the compiler sees to it that none is left out. */
export type Expected<Options> = { readonly [Name in keyof Required<Options>]: Expectation }

export const text = (example: string): Expectation => ({
  takes: (value) => typeof value === 'string' && value !== '',
  expected: `a text, e.g. ${JSON.stringify(example)}`,
})

export const flag: Expectation = { takes: (value) => typeof value === 'boolean', expected: 'true or false' }

export const functionLike = (example: string): Expectation => ({
  takes: (value) => typeof value === 'function',
  expected: `a function, e.g. ${example}`,
})

export const oneOf = (words: readonly string[]): Expectation => ({
  takes: (value) => words.some((word) => word === value),
  expected: `one of ${words.join(', ')}`,
})

export const listOf = (isOne: (text: string) => boolean, example: string): Expectation => ({
  takes: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && isOne(one)),
  expected: `a list, e.g. ['${example}']`,
})

export const wholeNumber = (least: number, most: number): Expectation => ({
  takes: (value) => typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most,
  expected: `a whole number from ${least} to ${most}`,
})

/**
 * @param what is said of it in front, e.g. `insertCassette: the name`
 * @throws TypeError that says what it is and what was expected
 */
export function mustBe(what: string, value: unknown, { takes, expected }: Expectation): void {
  if (!takes(value)) throw new TypeError(`${what} is ${shown(value)}; expected ${expected}`)
}

/**
 * What is undefined is not given.
 * @param whose the function that takes them. @throws TypeError that names the option
 */
export function mustBeOptions(
  whose: string,
  given: unknown,
  known: Readonly<Record<string, Expectation>>,
): void {
  const names = Object.keys(known)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(
      `${whose}: the options are ${shown(given)}; expected an object of ${names.join(', ')}`,
    )
  for (const [name, value] of Object.entries(given)) {
    const expectation = Object.hasOwn(known, name) ? known[name] : undefined
    if (expectation === undefined)
      throw new TypeError(
        `${whose}: "${name}" is no option${didYouMean(name, names)}; expected ${names.join(', ')}`,
      )
    if (value !== undefined) mustBe(`${whose}: ${name}`, value, expectation)
  }
}

/** What somebody has passed in the wrong place may be long. */
const longest = 60

function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, longest))
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}
