/**
 * `npm run release -- FOLDER`: makes what a release uploads, in an empty folder, and says how it is uploaded
 * (docs/releasing.md). Nothing is sent. `--untagged` makes the same of any commit, to try it.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { must, pack, place, reportSums, root, Tally } from './peers/project.ts'
import { buildPythonPackage, version } from './python/build-package.ts'
import { licenceFaults, shippedBill, wholeBill } from './release/bill-of-materials.ts'

const [folder] = process.argv.slice(2).filter((word) => !word.startsWith('--'))

/** @throws Error unless the tag of this version names what lies here, unchanged */
function assertTagged(): void {
  const tags = must(root, 'git', ['tag', '--points-at', 'HEAD']).split('\n')
  if (!tags.includes(`v${version}`)) throw new Error(`HEAD has no tag v${version}`)
  if (must(root, 'git', ['status', '--porcelain']) !== '')
    throw new Error('there are changes that are not committed')
}

function make(out: string, tally: Tally): void {
  mkdirSync(out, { recursive: true })
  if (readdirSync(out).length > 0) throw new Error(`${out} is not empty`)
  // Two builds of one commit are the same bytes.
  process.env['SOURCE_DATE_EPOCH'] = must(root, 'git', [
    'log',
    '-1',
    '--format=%ct'
  ]).trim()
  must(root, 'node', ['scripts/built.mjs'])
  const tarball = pack()
  copyFileSync(tarball, path.join(out, path.basename(tarball)))
  const bill = shippedBill(wholeBill())
  writeFileSync(
    path.join(out, `wikitape-${version}.cdx.json`),
    `${JSON.stringify(bill, null, 2)}\n`
  )
  const faults = licenceFaults(bill)
  tally.count(
    `${bill.components.length} packages in the bill of materials`,
    faults.length === 0,
    faults.join('\n')
  )
  buildPythonPackage(out)
  const files = readdirSync(out).sort()
  const sums = files.map((file) => `${digestOf(path.join(out, file))}  ${file}\n`)
  writeFileSync(path.join(out, 'SHA256SUMS'), sums.join(''))
  tally.count(`${out}: ${files.join(', ')}`, files.length === 4, 'expected four files')
}

const digestOf = (file: string): string =>
  createHash('sha256').update(readFileSync(file)).digest('hex')

await reportSums(async (add) => {
  if (folder === undefined) throw new Error('npm run release -- FOLDER')
  if (!process.argv.includes('--untagged')) assertTagged()
  const tally = new Tally()
  mkdirSync(place, { recursive: true })
  make(path.resolve(folder), tally)
  add(tally)
})
console.log('docs/releasing.md says how these are uploaded, with provenance')
