/** What a side's wiki says of itself: engine and extensions, out of the manifest and recorded `meta=siteinfo` answers. */
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { CassetteSide } from './cassette-side.ts'
import { jsonBodies } from './id-renumbering.ts'

/** `1.43.9`, from the manifest or from siteinfo's generator; empty where unknown. */
export const engineOf = ({ manifest }: CassetteSide): string =>
  manifest.engine || (manifest.site?.generator ?? '').replace(/^MediaWiki /, '')

/** Versions by name; undefined where no answer lists extensions. */
export function extensionsOf(side: CassetteSide): ReadonlyMap<string, string> | undefined {
  const list = siteinfoBodies(side)
    .map((tree) => memberAt(tree, 'query', 'extensions'))
    .find((one) => one !== undefined)
  const textAt = (one: JsonTree, name: string): string => textOf(memberOf(one, name)) ?? ''
  return list && new Map(itemsOf(list).map((one) => [textAt(one, 'name'), textAt(one, 'version')]))
}

/** Answers to requests for siteinfo. */
export const siteinfoBodies = ({ interactions }: CassetteSide): readonly JsonTree[] =>
  jsonBodies(interactions.filter(({ request }) => request.get('meta')?.split('|').includes('siteinfo')))
