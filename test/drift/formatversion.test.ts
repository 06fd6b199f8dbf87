/** What a real MediaWiki 1.25.4 answered to 28 calls in both formatversions: one encoding, and the same content. */
import { describe, expect, it } from 'vitest'
import { compareCassettes } from '../../src/drift/compare.ts'
import calls from './mw-1.25-calls.json' with { type: 'json' }
import { side } from './sides.ts'

const first = side(
  'a',
  Object.fromEntries(calls.map((one) => [one.query, one.formatversion1]))
)
const second = side(
  'b',
  Object.fromEntries(
    calls.map((one) => [`${one.query}&formatversion=2`, one.formatversion2])
  )
)

describe('formatversion 1 against 2', () => {
  const report = compareCassettes(first, second)

  it('is a handful of findings, none of them about content', () => {
    expect(report.compared).toBe(28)
    expect(
      report.findings.map(({ kind, severity, axis, count }) => [
        kind,
        severity,
        axis,
        count
      ])
    ).toEqual([
      ['encoding.flag', 'breaking', 'behaviour', 54],
      ['encoding.map-array', 'breaking', 'behaviour', 9],
      ['encoding.star', 'breaking', 'behaviour', 18],
      ['encoding.empty', 'risky', 'behaviour', 1],
      ['warning.envelope', 'risky', 'behaviour', 10],
      ['order.changed', 'cosmetic', 'behaviour', 1]
    ])
  })

  it('still compares what is inside', () => {
    const edited = calls.map((one) => [
      `${one.query}&formatversion=2`,
      one.formatversion2.replace('"title":"Абрикос","pageprops"', '"pageprops"')
    ])
    const kinds = compareCassettes(
      first,
      side('b', Object.fromEntries(edited))
    ).findings.map(({ kind }) => kind)
    expect(kinds).toContain('field.removed')
  })
})
