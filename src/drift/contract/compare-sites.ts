/** What two wikis say of themselves: engine and extensions, out of recorded `meta=siteinfo` answers. */

import { itemsOf, type JsonTree, jsonString, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { Change } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { itemPath, pathOf } from '../changes/path.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import { jsonBodies as bodiesIn } from '../inputs/id-renumbering.ts'

export function compareSites(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const changes: Change[] = []
  const [engineA, engineB] = [engineOf(a), engineOf(b)]
  if (engineA !== '' && engineB !== '' && engineA !== engineB)
    changes.push(siteChange('engine.changed', 'MediaWiki', engineA, engineB))
  const [inA, inB] = [extensionsOf(a), extensionsOf(b)]
  if (inA === undefined || inB === undefined) return changes
  for (const [name, version] of inA)
    if (!inB.has(name)) changes.push(siteChange('extension.removed', name, version, undefined))
  for (const [name, version] of inB)
    if (!inA.has(name)) changes.push(siteChange('extension.added', name, undefined, version))
  return changes
}

function siteChange(kind: Kind, name: string, before: string | undefined, after: string | undefined): Change {
  const [one, other] = [before, after].map((text) => (text === undefined ? undefined : jsonString(text)))
  const path = kind === 'engine.changed' ? pathOf('engine') : itemPath(pathOf('extensions'), name)
  return {
    kind,
    ...ratingOf(kind),
    requests: [],
    scope: 'siteinfo',
    path,
    before: one,
    after: other,
    note: before === undefined || after === undefined ? '' : `${before} → ${after}`,
    mark: '',
  }
}

/** `1.43.9`, from the manifest or from siteinfo's generator; empty where unknown. */
export const engineOf = ({ manifest }: CassetteSide): string =>
  manifest.engine || (manifest.site?.generator ?? '').replace(/^MediaWiki /, '')

function extensionsOf(side: CassetteSide): ReadonlyMap<string, string> | undefined {
  const list = siteinfoBodies(side)
    .map((tree) => memberAt(tree, 'query', 'extensions'))
    .find((one) => one !== undefined)
  if (list === undefined) return undefined
  return new Map(
    itemsOf(list).map((one) => [textOf(memberOf(one, 'name')) ?? '', textOf(memberOf(one, 'version')) ?? '']),
  )
}

/** Answers to requests for siteinfo. */
export const siteinfoBodies = (side: CassetteSide): readonly JsonTree[] =>
  bodiesIn(
    side.interactions.filter(({ request }) => (request.get('meta') ?? '').split('|').includes('siteinfo')),
  )
