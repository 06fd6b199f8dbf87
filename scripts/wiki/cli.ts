/** `npm run wiki -- up | down | reset | status | content`: real MediaWikis on loopback. */
import { parseArgs } from 'node:util'
import { writeContent } from './content/write.ts'
import { type LabVersion, labPortBase, labVersions, type PageOrder } from './lab.ts'
import { LabProblem } from './machine/command.ts'
import { type Lab, labOf } from './machine/place.ts'
import { startProgress } from './machine/progress.ts'
import { compareLabs } from './measure/compare.ts'
import { down, reset, status, up, type WikiStatus } from './up.ts'
import { portOffsetOf, readVariants } from './variants.ts'

const usage = `npm run wiki -- up [1.35 1.39 1.43]       build what is missing, serve, wait until each answers
                --fresh                   build again from nothing
npm run wiki -- down [versions]           stop serving, keep what is built
                --remove                  delete it too (downloaded packages stay)
npm run wiki -- reset [versions]          undo whatever was written into them since they were built
npm run wiki -- status [versions] [--json]
npm run wiki -- compare BASE BASE         do the labs on two port bases answer byte for byte alike?
npm run wiki -- content FOLDER            write the content's steps and images, for a wiki of your own
--variant english+uca          wikis of their own that differ in language, letters, database … (scripts/wiki/variants.ts)
--variant plain,miser,sr       several kinds at once; the cheap ones have ports of their own (miser 8343, sr 8443 …)
Every verb takes --port-base N (8100: the wikis serve on 8135, 8139, 8143) and --order reversed: the lab with
the same content made backwards, so that page and revision ids differ (8235, 8239, 8243). A second lab:
  WIKITAPE_LAB=/tmp/lab2 npm run wiki -- up --port-base 18100
Environment: WIKITAPE_LAB (folder, default .lab), WIKITAPE_LAB_PORT_BASE.`

const options = {
  fresh: { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
  order: { type: 'string', default: 'natural' },
  variant: { type: 'string', default: '' },
  'port-base': { type: 'string' }
} as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)

async function main(): Promise<void> {
  const { values, positionals } = parseArguments()
  const [verb, ...rest] = positionals
  if (values.help || verb === undefined) return print(usage)
  if (verb === 'content') {
    await writeContent(rest[0] ?? '.', pageOrder(values.order))
    return
  }
  const order = pageOrder(values.order)
  if (verb === 'compare') {
    const bases = [portBase(rest[0], order), portBase(rest[1] ?? '18100', order)] as const
    process.exitCode = (await compareLabs(bases, print)) ? 0 : 1
    return
  }
  const labs = values.variant.split(',').map((kind) => {
    const variants = readVariants(kind)
    const base =
      portBase(values['port-base'], order) +
      (values['port-base'] ? 0 : portOffsetOf(variants))
    return labOf(order, base, process.env, variants)
  })
  const versions = wantedVersions(rest)
  const progress = startProgress((line) => void process.stderr.write(line))
  for (const lab of labs) await doVerb(verb, lab)

  async function doVerb(verb: string, lab: Lab): Promise<void> {
    if (verb === 'up') return up(lab, versions, values.fresh, progress, print)
    if (verb === 'reset') return reset(lab, versions, progress, print)
    if (verb === 'down') return down(lab, versions, values.remove, progress, print)
    if (verb === 'status') return printStatus(await status(lab, versions), values.json)
    throw new LabProblem(`There is no verb "${verb}".\n${usage}`, 2)
  }
}

function parseArguments() {
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (problem) {
    throw new LabProblem(
      `${problem instanceof Error ? problem.message : problem}\n${usage}`,
      2
    )
  }
}

function wantedVersions(named: readonly string[]): readonly LabVersion[] {
  if (named.length === 0) return labVersions
  return named.map((name) => {
    const version = labVersions.find((known) => known === name)
    if (version === undefined)
      throw new LabProblem(
        `There is no wiki ${name}; there are ${labVersions.join(', ')}.`,
        2
      )
    return version
  })
}

function pageOrder(name: string): PageOrder {
  if (name === 'natural' || name === 'reversed') return name
  throw new LabProblem(`--order is "natural" or "reversed", not "${name}".`, 2)
}

function portBase(text: string | undefined, order: PageOrder): number {
  if (text === undefined) return labPortBase(order)
  const base = Number(text)
  if (Number.isInteger(base) && base > 0 && base < 65_000) return base
  throw new LabProblem(`--port-base is a number such as 18100, not "${text}".`, 2)
}

function printStatus(wikis: readonly WikiStatus[], asJson: boolean): void {
  if (asJson) {
    print(JSON.stringify(wikis, undefined, 2))
    return
  }
  for (const { version, url, state, mediawiki, order } of wikis) {
    print(
      [version, state, state === 'serving' ? url : '', mediawiki ?? '', order ?? '']
        .join(' ')
        .trimEnd()
    )
  }
}

main().catch((problem: unknown) => {
  const known = problem instanceof LabProblem
  process.stderr.write(
    `${known ? problem.message : problem instanceof Error ? problem.stack : problem}\n`
  )
  process.exitCode = known ? problem.exitCode : 1
})
