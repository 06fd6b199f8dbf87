/** Engine and configuration of two wikis, as the cassettes hold them besides the answers. */
import { type JsonTree, memberAt, sameTree } from '../../json/json-tree.ts'
import { fromPlain, isPlainObject, type PlainObject, plainItems, plainText } from '../../json/plain-json.ts'
import { type Change, itemPath, newChange, pathOf } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { type CassetteSide, engineOf, siteinfoBodies } from '../inputs/cassette-side.ts'
import { onlyIn } from './compare-params.ts'

/** Lists that the answers of both sides hold are left to these. */
export function compareSites(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const changes: Change[] = []
  const [engineA, engineB] = [engineOf(a), engineOf(b)]
  if (engineA !== '' && engineB !== '' && engineA !== engineB) {
    const note = `${engineA} → ${engineB}`
    const detail = { scope: 'siteinfo', before: engineA, after: engineB, note }
    changes.push(newChange('engine.changed', pathOf('engine'), detail))
  }
  for (const list of ['extensions', 'skins', 'usergroups', 'namespaces']) {
    const [inA, inB] = [settingsOf(a, list), settingsOf(b, list)]
    if (inA === undefined || inB === undefined || (hasAnswer(a, list) && hasAnswer(b, list))) continue
    changes.push(...compareSettings(list, inA, inB, engineA === engineB))
  }
  return changes
}

const hasAnswer = (side: CassetteSide, list: string): boolean =>
  siteinfoBodies(side).some((tree) => memberAt(tree, 'query', list) !== undefined)

type Settings = ReadonlyMap<string, JsonTree>

/** Settings by name; undefined where they were not recorded. */
function settingsOf({ manifest: { site } }: CassetteSide, list: string): Settings | undefined {
  const items = list === 'namespaces' ? site?.namespaces : site?.configuration?.[list]
  if (items === undefined) return undefined
  const named = plainItems(items).filter(isPlainObject)
  return new Map(named.map((one) => [nameOf(one, list), fromPlain(one)] as const))
}

const nameOf = (one: PlainObject, list: string): string =>
  list === 'namespaces' ? `id=${String(one['id'])}` : plainText(one['name'] ?? one['code'])

/** @param sameEngine else versions, default rights and local names may have come with the release */
function compareSettings(list: string, a: Settings, b: Settings, sameEngine: boolean): readonly Change[] {
  const change = (kind: Kind, name: string): Change => {
    const path = itemPath(pathOf('query', list), name)
    return newChange(kind, path, { scope: 'siteinfo', before: a.get(name), after: b.get(name) })
  }
  const prefix = list === 'extensions' ? 'extension' : 'configuration'
  const other = [...a].filter(([name, one]) => {
    const another = b.get(name)
    return sameEngine && another !== undefined && !sameTree(one, another)
  })
  return [
    ...onlyIn(a, b).map((name) => change(`${prefix}.removed`, name)),
    ...onlyIn(b, a).map((name) => change(`${prefix}.added`, name)),
    ...other.map(([name]) => change('configuration.changed', name)),
  ]
}
