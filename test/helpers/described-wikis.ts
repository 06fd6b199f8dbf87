/** Real wikis' descriptions of themselves (test/fixtures/paraminfo), as a recorder would have kept them. */
import { readFileSync } from 'node:fs'
import type { WikiFacts } from '../../src/recorder/request/derive.ts'
import {
  decodeModule,
  type ModuleDescription
} from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { decodeSiteinfo } from '../../src/recorder/wiki/site/site-facts.ts'

export const describedVersions = ['1.35', '1.39', '1.43'] as const

interface Sample {
  readonly modules: readonly unknown[]
  readonly site: unknown
}

const folder = new URL('../fixtures/paraminfo/', import.meta.url)

/** @param name file name without `.json`, such as `1.35` or `1.35.formatversion-1` */
export function readSample(name: string): Sample {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as Sample
}

export function factsFrom(modules: readonly unknown[], site: unknown): WikiFacts {
  const described = new Map<string, ModuleDescription>()
  for (const one of modules) {
    const module = decodeModule(one)
    if (module !== undefined) described.set(module.path, module)
  }
  return { lookup: (path) => described.get(path), site: decodeSiteinfo(site) }
}

const known = new Map<string, WikiFacts>()

export function factsOfWiki(name: string): WikiFacts {
  const facts =
    known.get(name) ?? factsFrom(readSample(name).modules, readSample(name).site)
  known.set(name, facts)
  return facts
}
