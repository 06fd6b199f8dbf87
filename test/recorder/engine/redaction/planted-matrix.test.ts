/** Secrets × places × spellings through the engine: none reaches the disk. `npx tsx scripts/security/planted.ts` tries all. */
import path from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../helpers/folders.ts'
import { issuedSecrets } from '../../../helpers/issued-secrets.ts'
import { type Planted, plant } from '../../../helpers/plant.ts'
import { placesFor, sendings, spellings } from '../../../helpers/planted-secrets.ts'
import { sampled, scaled } from '../../../helpers/scale.ts'

/** So many spellings of each secret at each place, others at others; in the usual run at every second place. */
const each = scaled(1, 2)
const isShort = (secret: string): boolean => /^\d+$/.test(secret)
let cases = 0

it.each([...sendings, ...issuedSecrets].map((one, at) => [one.name, one, at] as const))(
  '%s',
  async (_, sending, at) => {
    const taken = placesFor(sending)
    const planted = sampled([...taken.entries()], 2, at).flatMap(
      ([row, place]): readonly Planted[] =>
        Array.from({ length: each }, (_, turn) => {
          const [spelling = '', spell = String] =
            spellings[
              (at * 5 + row * 3 + turn * 11) %
                (isShort(sending.secret) ? 8 : spellings.length)
            ] ?? []
          return { sending, place, spelling, echo: spell(sending.secret) }
        })
    )
    const found = await plant(path.join(temporaryFolder(), 'tape'), sending, planted)
    cases += found.cases
    expect(found.leaks).toEqual([])
    expect(found.complaints).toEqual([])
  }
)

it('were more than five hundred cases for each spelling, or half of them', () => {
  expect(cases).toBeGreaterThan(scaled(250, 500 * each))
})
