/** A row of the log that was hidden has fewer members, also on a wiki that was upgraded meanwhile. */
import { expect, it } from 'vitest'
import { compareCassettes } from '../../../src/drift/compare.ts'
import { side } from '../sides.ts'

const row = { logid: 7, type: 'move', action: 'move', timestamp: '2026-01-01T00:00:00Z' }
const shown = { ...row, ns: 0, title: 'Волга', pageid: 2, logpage: 2, params: { x: 'y' } }
const ask = 'action=query&list=logevents'
const answer = (...logevents: readonly unknown[]): Readonly<Record<string, unknown>> => ({
  [ask]: { query: { logevents } }
})

it.each(['1.35.13', '1.39.17'])('to %s: content', (engine) => {
  const other = { ...shown, logid: 8 }
  const before = side('a', answer(other, shown), {
    manifest: { engine: '1.35.13' }
  })
  const after = side('b', answer(other, { ...row, actionhidden: '' }), {
    manifest: { engine }
  })
  const { findings } = compareCassettes(before, after)
  expect(
    findings.filter(
      ({ axis, severity }) => axis === 'behaviour' && /breaking|risky/.test(severity)
    )
  ).toEqual([])
})
