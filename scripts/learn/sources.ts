/** The wikis to learn from, by version. */
import { decodeModule } from '../../src/recorder/wiki/modules/module-descriptions.ts'
import { decodeSiteinfo } from '../../src/recorder/wiki/site/site-facts.ts'
import { RealWiki } from '../fidelity/wiki.ts'
import { labUrl, labWikisAnswering } from '../wiki/lab.ts'
import type { Described } from './descriptions.ts'
import type { Golden } from './golden.ts'
import { dataOf } from './write.ts'

export interface Source {
  /** e.g. `1.43`. */
  readonly version: string
  readonly url: string
}

/**
 * The lab's wikis that answer, and further ones that WIKITAPE_LEARN_FROM names (`1.43=http://…/api.php`, by spaces):
 * they may carry extensions that the lab's have not.
 */
export async function learnedFrom(
  environment: NodeJS.ProcessEnv
): Promise<readonly Source[]> {
  const lab = (await labWikisAnswering()).map((version) => ({
    version,
    url: labUrl(version)
  }))
  const named = (environment['WIKITAPE_LEARN_FROM'] ?? '').split(' ').flatMap((one) => {
    const [version, url] = one.split('=', 2)
    return version === undefined || url === undefined ? [] : [{ version, url }]
  })
  return [...lab, ...named]
}

type Json = Readonly<Record<string, unknown>>

/**
 * Everything that each version says of its modules; of 1.25 what is known already, where its own words are not at hand.
 * Where several wikis of a version describe a module, the first does: the lab's own.
 */
export async function describedBy(
  sources: readonly Source[],
  golden: Golden | undefined
): Promise<Described> {
  const found = new Map<string, readonly Json[]>()
  found.set('1.25', golden?.modules ?? dataOf('modules', '1.25'))
  for (const { version, url } of sources) {
    const held = found.get(version) ?? []
    const known = new Set(held.map((one) => one['path']))
    const said = await paraminfo(url)
    found.set(version, [...held, ...said.filter((one) => !known.has(one['path']))])
  }
  // Modules of extensions that no wiki at hand carries stay as they are known.
  for (const [version, held] of found) {
    const known = new Set(held.map((one) => one['path']))
    const others = dataOf('modules', version).filter((one) => one['source'] !== undefined)
    found.set(version, [...held, ...others.filter((one) => !known.has(one['path']))])
  }
  return found
}

async function paraminfo(url: string): Promise<readonly Json[]> {
  const query =
    'action=paraminfo&modules=main|**&helpformat=none&format=json&formatversion=2'
  const answer: unknown = await (await fetch(`${url}?${query}`)).json()
  const info = isObject(answer) ? answer['paraminfo'] : undefined
  const modules = isObject(info) ? info['modules'] : undefined
  return Array.isArray(modules) ? modules.filter(isObject) : []
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null

/** The kept answers as a wiki that is asked for nothing else. */
export function goldenWiki({ modules, site, answers }: Golden): RealWiki {
  const described = new Map(
    modules.flatMap((one) => decodeModule(one) ?? []).map((one) => [one.path, one])
  )
  const kept = new Map([...answers].map(([query, body]) => [` golden:?${query}`, body]))
  return new RealWiki(
    'golden:',
    { lookup: (path) => described.get(path), site: decodeSiteinfo(site) },
    '',
    kept
  )
}
