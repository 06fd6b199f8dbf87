/** Every secret at every place in every spelling through the engine: `npx tsx scripts/security/planted.ts`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { issuedSecrets } from '../../test/helpers/issued-secrets.ts'
import { type Planted, plant } from '../../test/helpers/plant.ts'
import { places, sendings, spellings } from '../../test/helpers/planted-secrets.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-planted-'))
const all = [...sendings, ...issuedSecrets]
const sum = { cases: 0, recorded: 0, leaks: 0, complaints: 0 }
try {
  for (const [at, sending] of all.entries()) {
    const isNumber = /^\d+$/.test(sending.secret)
    const planted = places
      .filter(({ whole }) => whole || !isNumber)
      .flatMap((place): readonly Planted[] =>
        spellings.slice(0, isNumber ? 8 : undefined).map(([spelling, spell]) => ({
          sending,
          place,
          spelling,
          echo: spell(sending.secret)
        }))
      )
    const found = await plant(path.join(folder, String(at)), sending, planted)
    for (const line of [...found.leaks, ...found.complaints]) console.log(line)
    sum.cases += found.cases
    sum.recorded += found.recorded
    sum.leaks += found.leaks.length
    sum.complaints += found.complaints.length
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `${all.length} ways to send or issue × ${places.length} places × ${spellings.length} spellings: ${sum.cases} cases, ` +
    `${sum.recorded} recorded with placeholders, the others held back; leaks ${sum.leaks}, complaints of check ${sum.complaints}`
)
process.exitCode = sum.leaks + sum.complaints === 0 ? 0 : 1
