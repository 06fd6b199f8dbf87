/**
 * `npm run learn`: writes src/recorder/knowledge/data/ out of what real wikis say and do. Run twice it writes the same.
 * The lab's wikis have to answer; walks of a 1.25.4 are read from WIKITAPE_GOLDEN (a folder, or --golden FOLDER), and
 * without it the facts of 1.25 stay as they stand. `--answers FILE` keeps what the wikis say for the next run.
 */
import { parseArgs } from 'node:util'
import { keepAnswers } from './fidelity/answers.ts'
import { connectToAll } from './fidelity/wiki.ts'
import { type LearnCase, learnCases } from './learn/cases.ts'
import { foldDescriptions } from './learn/descriptions.ts'
import { factsFrom } from './learn/facts.ts'
import { readGolden } from './learn/golden.ts'
import { describedBy, goldenWiki, learnedFrom } from './learn/sources.ts'
import { type Evidence, keptEvidence, walkCase } from './learn/walks.ts'
import { keptFacts, writeFacts, writeModules } from './learn/write.ts'

const { values } = parseArgs({
  options: {
    golden: { type: 'string' },
    only: { type: 'string', default: 'modules listings' },
    answers: { type: 'string' }
  }
})
const tell = (line: string): void => void process.stderr.write(`learn: ${line}\n`)

const efforts = {
  1: { limits: [1, 2, 5, 13], steps: 1 },
  2: { limits: [1, 2, 3], steps: 0 }
} as const

/** In the second format members of rows have other names in some modules: once a module is enough. */
const formatsOf = (one: LearnCase): readonly ('1' | '2')[] =>
  one.kind !== 'generator' &&
  learnCases.find(({ module }) => module === one.module) === one
    ? ['1', '2']
    : ['1']

const answers = keepAnswers(values.answers)
const golden = readGolden(values.golden ?? process.env['WIKITAPE_GOLDEN'])
const sources = await learnedFrom(process.env)
if (sources.length === 0)
  throw new Error('No wiki answers. Start them: npm run wiki -- up')

if (values.only.includes('modules')) {
  const described = await describedBy(sources, golden)
  const modules = foldDescriptions(described)
  writeModules([...described.keys()], modules)
  tell(`${Object.keys(modules).length} modules of ${[...described.keys()].join(', ')}`)
}

if (values.only.includes('listings')) {
  const found = await Promise.all(
    sources.map(({ version, url }) => evidenceOf(version, url))
  )
  const old =
    golden === undefined
      ? []
      : await keptEvidence(goldenWiki(golden), golden.version, [...golden.answers.keys()])
  const facts = factsFrom(
    [...old, ...found.flat()],
    golden === undefined ? keptFacts('1.25') : [],
    tell
  )
  writeFacts(facts)
  tell(`${facts.length} facts out of ${found.flat().length + old.length} walks`)
}

/** All listings of one wiki, one question at a time. */
async function evidenceOf(version: string, url: string): Promise<readonly Evidence[]> {
  const { wiki } = await connectToAll(url, answers.kept, answers.keep)
  const found: Evidence[] = []
  for (const [at, one] of learnCases.entries()) {
    if (at % 50 === 49) tell(`${version}: ${at + 1} of ${learnCases.length} listings`)
    for (const format of formatsOf(one)) {
      const walked = await walkCase(wiki, version, one, format, efforts[format])
      if (walked !== undefined) found.push(walked)
    }
  }
  wiki.close()
  tell(`${version}: ${wiki.asked} questions`)
  return found
}
