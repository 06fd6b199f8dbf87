/** The files of src/recorder/knowledge/data: readable, a line a thing, the same text for the same facts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  type ModuleData,
  moduleInVersion
} from '../../src/recorder/knowledge/known-modules.ts'
import type { ListingFact } from '../../src/recorder/knowledge/listing-facts.ts'
import { listingFacts } from '../../src/recorder/knowledge/listing-facts.ts'
import type { FoldedModule } from './descriptions.ts'

const fileOf = (topic: string): string =>
  fileURLToPath(
    new URL(`../../src/recorder/knowledge/data/${topic}.json`, import.meta.url)
  )

export function writeModules(
  versions: readonly string[],
  modules: Readonly<Record<string, FoldedModule>>
): void {
  const lines = Object.entries(modules).map(([path, module]) => {
    const parameters = Object.entries(module.parameters).map(
      ([name, said]) => `      ${member(name, said)}`
    )
    const on = module.on === undefined ? [] : [`    ${member('on', module.on)}`]
    const body = [
      ...on,
      `    ${member('is', module.is)}`,
      `    "parameters": {${parameters.length === 0 ? '' : `\n${parameters.join(',\n')}\n    `}}`
    ]
    return `  ${JSON.stringify(path)}: {\n${body.join(',\n')}\n  }`
  })
  const text = `{\n${member('versions', versions)},\n"modules": {\n${lines.join(',\n')}\n}\n}\n`
  writeFileSync(fileOf('modules'), text)
}

const member = (name: string, value: unknown): string =>
  `${JSON.stringify(name)}: ${JSON.stringify(value)}`

type Described = Readonly<Record<string, unknown>>

/** What the data say of one version now, in the words of `paraminfo`. */
export function dataOf(topic: 'modules', version: string): readonly Described[] {
  const data = JSON.parse(readFileSync(fileOf(topic), 'utf8')) as ModuleData
  return Object.keys(data.modules).flatMap((path): readonly Described[] => {
    const module = moduleInVersion(data, path, version)
    return module === undefined ? [] : [module]
  })
}

/** One line a fact, one file a kind. What was read in MediaWiki's source stays as it stands. */
export function writeFacts(learned: readonly ListingFact[]): void {
  const read = listingFacts().filter((fact) => fact.read !== undefined)
  const names = new Set(read.map(nameOf))
  const facts = [...learned.filter((fact) => !names.has(nameOf(fact))), ...read]
  const sorted = facts.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  for (const kind of ['list', 'generator', 'prop'] as const) {
    const lines = sorted.flatMap((fact) => (fact.kind === kind ? [lineOf(fact)] : []))
    writeFileSync(fileOf(`${kind}s`), `[\n${lines.join(',\n')}\n]\n`)
  }
}

const nameOf = ({ kind, module, when, formatversion }: ListingFact): string =>
  JSON.stringify([kind, module, when, formatversion ?? ''])

const lineOf = ({
  kind: _,
  module,
  when,
  formatversion,
  on: _on,
  proven,
  param,
  number,
  value,
  ...rest
}: ListingFact): string =>
  JSON.stringify({ module, when, formatversion, value, param, number, ...rest, proven })

/** What the data say of one version now. */
export const keptFacts = (version: string): readonly ListingFact[] =>
  listingFacts().flatMap((fact) => {
    const times = fact.proven?.[version]
    return times === undefined
      ? []
      : [{ ...fact, on: [version], proven: { [version]: times } }]
  })
