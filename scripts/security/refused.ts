/** Every file operation of every verb refused in turn with four errors: `npx tsx scripts/security/refused.ts`. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { tryRefusals, verbsTried } from '../../test/helpers/durability.ts'
import { standIn } from '../measure/stand-in.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'wikitape-refused-'))
const wiki = await standIn()
let bad = 0
try {
  for (const verb of verbsTried)
    for (const code of ['ENOSPC', 'EIO', 'EMFILE', 'EACCES'] as const) {
      const { runs, told, lost, torn } = await tryRefusals(verb, code, wiki.api, folder)
      console.log(
        `${verb}, ${code}: ${runs} runs, ${told} had to be there, lost ${lost.length}, torn ${torn.length}`
      )
      for (const line of [...lost, ...torn]) console.log(`  ${line}`)
      bad += lost.length + torn.length
    }
} finally {
  await wiki.close()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = bad === 0 ? 0 : 1
