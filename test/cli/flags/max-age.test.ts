/** `--expires`: the age that a cassette may have. */
import { expect, it } from 'vitest'
import type { Invocation } from '../../../src/cli/args/command.ts'
import { readMaxAge } from '../../../src/cli/flags/server-flags.ts'

const maxAge = (text: string | undefined): number | undefined =>
  readMaxAge({ value: () => text, settings: undefined } as unknown as Invocation)

it.each([
  ['1d', 1],
  ['30d', 30],
  ['365d', 365],
  ['3650d', 3650],
  ['6w', 42],
  ['520w', 3640]
])('--expires %s is %i days', (text, days) => {
  expect(maxAge(text)).toBe(days)
})

it('any age is allowed without --expires', () => {
  expect(maxAge(undefined)).toBeUndefined()
})

it.each(['', '30', 'd', '1y', '1.5d', '-3d', '1000000d'])(
  '--expires %j is refused',
  (text) => {
    expect(() => maxAge(text)).toThrow(
      `the age is "${text}"; expected days or weeks, such as 30d or 6w`
    )
  }
)
