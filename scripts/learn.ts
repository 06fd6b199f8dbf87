/**
 * `npm run learn`: writes src/knowledge/data/ out of what real wikis say and do. Run twice it writes the same.
 * The lab's wikis have to answer; walks of a 1.25.4 are read from WIKITAPE_GOLDEN (a folder, or --golden FOLDER), and
 * without it the facts of 1.25 stay as they stand.
 */
import { parseArgs } from 'node:util'
import { foldDescriptions } from './learn/descriptions.ts'
import { readGolden } from './learn/golden.ts'
import { describedBy, learnedFrom } from './learn/sources.ts'
import { writeModules } from './learn/write.ts'

const { values } = parseArgs({
  options: { golden: { type: 'string' }, only: { type: 'string', default: 'modules listings' } },
})
const tell = (line: string): void => void process.stderr.write(`learn: ${line}\n`)

const golden = readGolden(values.golden ?? process.env['WIKITAPE_GOLDEN'])
const sources = await learnedFrom(process.env)
if (sources.length === 0) throw new Error('No wiki answers. Start them: npm run wiki -- up')

if (values.only.includes('modules')) {
  const described = await describedBy(sources, golden)
  const modules = foldDescriptions(described)
  writeModules([...described.keys()], modules)
  tell(`${Object.keys(modules).length} modules of ${[...described.keys()].join(', ')}`)
}
