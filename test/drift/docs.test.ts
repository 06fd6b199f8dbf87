import { expect, it } from 'vitest'
import { driftPages } from '../../scripts/write-drift-docs.ts'

it('the documentation has every kind as it is rated and every mutation as it is told (scripts/write-drift-docs.ts)', () => {
  for (const { now, wanted } of driftPages()) expect(now).toBe(wanted)
})
