/** A disk that refuses one operation: nothing that was acknowledged is lost, no file is torn. All of them: scripts/security/refused.ts. */
import { expect, it, onTestFinished } from 'vitest'
import { standIn } from '../../../scripts/measure/stand-in.ts'
import { tryRefusals, verbsTried } from '../../helpers/durability.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { scaled } from '../../helpers/scale.ts'

it.each(verbsTried)(
  '%s',
  async (verb) => {
    const wiki = await standIn()
    onTestFinished(() => wiki.close())
    const { runs, told, lost, torn } = await tryRefusals(
      verb,
      'ENOSPC',
      wiki.api,
      temporaryFolder(),
      scaled(14, 7)
    )
    expect([runs > 1, told > 0]).toEqual([true, true])
    expect([...lost, ...torn]).toEqual([])
  },
  60_000
)
