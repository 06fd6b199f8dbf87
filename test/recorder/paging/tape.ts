/** Recordings and requests of a real 1.43, whose modules are described as the package knows them. */
import type { Interaction } from '../../../src/recorder/cassette/interaction.ts'
import { readJson } from '../../../src/recorder/json/read-json.ts'
import { writeCompact } from '../../../src/recorder/json/write-json.ts'
import { readListings } from '../../../src/recorder/paging/joining/listings.ts'
import { synthesize } from '../../../src/recorder/paging/synthesize.ts'
import {
  type Derivation,
  derive,
  type WikiFacts
} from '../../../src/recorder/request/derive.ts'
import {
  bundledLookup,
  decodeModule
} from '../../../src/recorder/wiki/modules/module-descriptions.ts'
import type { SiteFacts } from '../../../src/recorder/wiki/site/site-facts.ts'
import { apiRequest } from '../../helpers/api-requests.ts'
import { factsOfWiki } from '../../helpers/described-wikis.ts'
import { recordedAs } from './fake-wiki.ts'

export interface Tape {
  readonly facts: WikiFacts
  /** @param answer as JSON where the order of numbered members counts */
  readonly record: (query: string, answer: object | string) => Interaction
  /** The answer as JSON, or why there is none. */
  readonly ask: (query: string, ...recorded: readonly Interaction[]) => string
}

/** @param modules in the form of paraminfo, instead of those that the package knows */
export function tapeOf(
  site: Partial<SiteFacts> = {},
  modules: readonly object[] = []
): Tape {
  const { site: sampleSite } = factsOfWiki('1.43')
  const described = modules.flatMap((one) => decodeModule(one) ?? [])
  const bundled = bundledLookup('MediaWiki 1.43.9')
  const plain = {
    miserMode: false,
    hasVariants: false,
    configuration: { extensions: [] }
  }
  const facts: WikiFacts = {
    site: sampleSite && { ...sampleSite, ...plain, ...site },
    lookup: (path) => described.find((one) => one.path === path) ?? bundled(path)
  }
  const asked = (query: string): Derivation =>
    derive(apiRequest(`action=query&format=json&${query}`), facts)
  return {
    facts,
    record: (query, answer) => {
      const reading = readJson(
        typeof answer === 'string' ? answer : JSON.stringify(answer)
      )
      if (!reading.ok) throw new Error(reading.fault.message)
      return recordedAs(asked(query), reading.tree)
    },
    ask: (query, ...recorded) => {
      const said = synthesize(asked(query), readListings(recorded, facts), facts)
      if (said.kind === 'synthesized') return writeCompact(said.body, 'utf8')
      return said.kind === 'conflict' ? said.what : said.why
    }
  }
}

/** Pages as rows: `namespace|id|title` each. */
export const rowsOf = (...rows: readonly string[]): readonly object[] =>
  rows.map((row) => {
    const [ns = '', pageid = '', title = ''] = row.split('|')
    return { pageid: Number(pageid), ns: Number(ns), title }
  })

/** The JSON of the pages of an answer in formatversion 1, in their order there. */
export const pagesText = (...rows: readonly string[]): string =>
  `{${rowsOf(...rows)
    .map((row) => `"${(row as { pageid: number }).pageid}":${JSON.stringify(row)}`)
    .join(',')}}`
