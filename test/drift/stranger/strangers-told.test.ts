/** Whatever a stranger makes a wiki answer otherwise is told, as severe as it is for a client, and as one cause. */
import { describe, expect, it } from 'vitest'
import { moreCases } from './more-cases.ts'
import { strangerCases } from './stranger-cases.ts'
import { causesIn, changesAnswers, strangerReport } from './stranger-wiki.ts'

const isCosmetic = (line: string | undefined): boolean =>
  /^(?:cosmetic|note)/.test(line ?? '')

describe.each([...strangerCases, ...moreCases])('$name', ({ severity, change }) => {
  it(`is ${severity}, and one cause`, () => {
    expect(changesAnswers(change)).toBe(true)
    const causes = causesIn(strangerReport(change)).filter(
      ([worst]) => !isCosmetic(worst)
    )
    const severities = causes.map(([worst = '']) => worst.split(' ')[0])
    expect(severities).toEqual(severity === 'cosmetic' ? [] : [severity])
  })
})

it('nothing is told of the same answers', () => {
  expect(causesIn(strangerReport({}))).toEqual([])
})
