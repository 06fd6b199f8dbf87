/** What is drawn can be drawn again: a failure tells its seed, and WIKITAPE_SEED gives it back. */
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { kinds } from '../../vitest.config.ts'
import { useSeed } from '../helpers/seed.ts'

const before = fc.readConfigureGlobal()
beforeEach(() => fc.resetConfigureGlobal())
afterEach(() => fc.configureGlobal(before))

/** What a property draws until it fails, and what it says then. */
function failing(): { readonly drawn: readonly number[]; readonly message: string } {
  const drawn: number[] = []
  const property = fc.property(fc.integer(), (number) => {
    drawn.push(number)
    return drawn.length < 20
  })
  try {
    fc.assert(property)
  } catch (error) {
    return { drawn, message: String(error) }
  }
  return expect.unreachable()
}

it('a property that fails tells its seed, and draws the same from it', () => {
  const first = failing()
  const seed = /\bseed: (-?\d+)/.exec(first.message)?.[1] ?? ''
  expect(failing().drawn).not.toEqual(first.drawn)
  useSeed(seed)
  expect(failing().drawn).toEqual(first.drawn)
})

it.each(['', 'abc', '1.5', '1e3'])('%j is no seed', (text) => {
  expect(() => useSeed(text)).toThrow('expected the seed of a failure, a whole number')
})

it('nothing is drawn in another way', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.m?ts$/.test(name)
  )
  const name = 'Math.random'
  const own = 'contract/seeds.test.ts'
  expect(
    files.filter(
      (file) => file !== own && readFileSync(`test/${file}`, 'utf8').includes(name)
    )
  ).toEqual([])
})

it('every run of the tests takes the seed', () => {
  const seed = process.env['WIKITAPE_SEED'] === undefined ? [] : ['test/helpers/seed.ts']
  const expected = ['test/helpers/present-build.ts', ...seed]
  expect([kinds['test'], kinds['quick']].map((kind) => kind?.setupFiles)).toEqual([
    expected,
    expected
  ])
})
