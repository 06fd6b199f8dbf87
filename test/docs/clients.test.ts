import { expect, it } from 'vitest'
import { clientsPage } from '../../scripts/clients-docs.ts'

it('docs/clients.md tells what the suite of clients found (scripts/clients-docs.ts)', () => {
  const { now, wanted } = clientsPage()
  expect(now).toBe(wanted)
  expect(now).toContain('| mwclient ')
})
