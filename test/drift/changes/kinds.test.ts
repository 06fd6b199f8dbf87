/** The data of all kinds of changes: each row says only what is known. */
import { expect, it } from 'vitest'
import { type Kind, kinds, severities } from '../../../src/drift/changes/kinds.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import { reasonByKind } from '../../../src/drift/findings/reason-by-kind.ts'

const rules = Object.entries(kinds)

it.each(rules)(
  '%s has severities, an extent and a reason that are known',
  (kind, rule) => {
    const { rating, other, extent = 'none', reason } = rule
    expect(severities).toContain(rating.severity)
    if (other !== undefined) expect(severities).toContain(other.severity)
    expect(['none', 'values', 'item', 'note', 'types']).toContain(extent)

    const finding = {
      kind: kind as Kind,
      place: 'x.y',
      extent: '',
      turns: [],
      samples: []
    }
    // Throws for a reason without a rule.
    const found = reasonByKind(finding as unknown as Finding)
    expect(found === undefined).toBe(reason === undefined)
  }
)

it('a kind whose two ratings are one has only one', () => {
  const doubled = rules.filter(
    ([, { rating, other }]) => other?.severity === rating.severity
  )
  expect(doubled.filter(([, { rating, other }]) => other?.axis === rating.axis)).toEqual(
    []
  )
})
