import { expect, it } from 'vitest'
import { driftPage } from '../../scripts/write-drift-docs.ts'

it('docs/drift.md names every kind as src/drift/changes/kinds.ts rates it (scripts/write-drift-docs.ts)', () => {
  const { now, wanted } = driftPage()
  expect(now).toBe(wanted)
})
