/** `npm run check:supply`: the licences of all packages, and the registry's signatures where it can be asked for its keys. */

import { root, run } from './peers/project.ts'
import { licenceFaults, wholeBill } from './release/bill-of-materials.ts'

const bill = wholeBill()
const faults = [...licenceFaults(bill)]

const { code, text } = run(root, 'npm', ['audit', 'signatures', '--loglevel=error'])
const unreachable =
  /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH)\b|does not provide|No dependencies found that/
if (code === 0) console.log(text.trim())
else if (unreachable.test(text))
  console.log(
    `signatures: skipped, what proves them cannot be asked from here (${unreachable.exec(text)?.[0]})`
  )
else faults.push(`npm audit signatures:\n${text}`)

for (const fault of faults) console.error(fault)
console.log(`licences: ${bill.components.length} packages, ${faults.length} faults`)
process.exitCode = faults.length > 0 ? 1 : 0
