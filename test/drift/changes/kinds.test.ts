/** The data of all kinds of changes: each kind that the code names has a row, and each row says only what is known. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Kind, kinds, severities } from '../../../src/drift/changes/kinds.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import { reasonByKind } from '../../../src/drift/findings/reason-by-kind.ts'

const source = new URL('../../../src/drift/changes/kind-names.ts', import.meta.url)
const named = [...readFileSync(source, 'utf8').matchAll(/'([a-z-]+\.[a-z-]+)'/g)].map(
  ([, name]) => name
)
const rules = Object.entries(kinds)

it('every kind that the code names has a row of data, and no other has', () => {
  expect(Object.keys(kinds).sort()).toEqual(named.sort())
})

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
