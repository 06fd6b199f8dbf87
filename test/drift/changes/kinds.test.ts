/** The data of all kinds of changes: each row says only what is known. */
import { expect, it } from 'vitest'
import { type Kind, kinds, severities } from '../../../src/drift/changes/kinds.ts'
import type { Finding } from '../../../src/drift/findings/finding.ts'
import { reasonByKind } from '../../../src/drift/findings/reason-by-kind.ts'

const rules = Object.entries(kinds)

it.each(rules)(
  '%s has severities, an extent and a reason that are known',
  (kind, rule) => {
    const { severity, otherwise = severity, extent = 'none', reason, detail = '' } = rule
    for (const one of [severity, otherwise])
      expect([...severities, 'data']).toContain(one)
    expect(['none', 'values', 'item', 'note', 'types']).toContain(extent)

    const finding = {
      kind: kind as Kind,
      place: 'x.y',
      extent: '',
      turns: [],
      samples: []
    }
    // No name without a rule.
    const names = [
      'kind',
      'extent',
      'place',
      'field',
      'member',
      'error',
      'parts',
      'empty'
    ]
    const known = [...names, 'key', 'parent', 'value'].join('|')
    expect(detail.replace(new RegExp(`\\{(?:${known})\\}`, 'g'), '')).not.toContain('{')
    const found = reasonByKind(finding as unknown as Finding)
    expect(found === undefined).toBe(reason === undefined)
  }
)

it('a kind whose two ratings are one has only one', () => {
  expect(rules.filter(([, { severity, otherwise }]) => otherwise === severity)).toEqual(
    []
  )
})
