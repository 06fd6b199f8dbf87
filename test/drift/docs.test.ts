import { expect, it } from 'vitest'
import { driftPage } from '../../scripts/write-drift-docs.ts'

it('docs/drift.md has every kind as it is rated and every mutation as it is told (scripts/write-drift-docs.ts)', () => {
  const { now, wanted } = driftPage()
  expect(now).toBe(wanted)
})
