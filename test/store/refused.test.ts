/** A disk that refuses one operation: nothing that was acknowledged is lost, no file is torn. All of them: scripts/security/refused.ts. */
import { expect, it } from 'vitest'
import { tryRefusals, verbsTried } from '../helpers/durability.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'

it.each(verbsTried)(
  '%s',
  async (verb) => {
    const wiki = await fakeWiki()
    const { runs, lost, torn } = await tryRefusals(verb, 'ENOSPC', wiki.api, temporaryFolder(), 7)
    expect(runs).toBeGreaterThan(1)
    expect([...lost, ...torn]).toEqual([])
  },
  60_000,
)
