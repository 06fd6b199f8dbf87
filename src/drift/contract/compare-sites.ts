/** Engine and configuration of two wikis, as the cassettes hold them besides the answers. */
import { hasMember, type JsonTree, sameTree } from '../../recorder/json/json-tree.ts'
import {
  fromPlain,
  isPlainObject,
  plainItems,
  plainText
} from '../../recorder/json/plain-json.ts'
import { type Change, itemPath, newChange, pathOf, turn } from '../changes/change.ts'
import { type CassetteSide, engineOf, siteinfoBodies } from '../inputs/cassette-side.ts'
import { onlyIn } from './compare-params.ts'

const scope = 'siteinfo'

/** Lists that both sides' answers hold are left to these. */
export function compareSites(a: CassetteSide, b: CassetteSide): readonly Change[] {
  const before = engineOf(a)
  const after = engineOf(b)
  const isSame = before === after
  const settings = ['extensions', 'skins', 'usergroups', 'namespaces'].flatMap((list) => {
    const inA = settingsOf(a, list)
    const inB = settingsOf(b, list)
    const isAnswered = hasAnswer(a, list) && hasAnswer(b, list)
    if (!inA || !inB || isAnswered) return []
    const changes = changesOf(list, inA, inB)
    // Of another engine, versions, default rights and local names may have come with the release.
    return changes.filter(({ kind }) => isSame || kind !== 'configuration.changed')
  })
  if (isSame || before === '' || after === '') return settings
  const detail = { scope, before, after, note: turn(before, after) }
  return [newChange('engine.changed', pathOf('engine'), detail), ...settings]
}

const hasAnswer = (side: CassetteSide, list: string) =>
  siteinfoBodies(side).some((tree) => hasMember(tree, 'query', list))

type Settings = ReadonlyMap<string, JsonTree>

/** Settings by name; undefined if they were not recorded. */
function settingsOf({ manifest: { site } }: CassetteSide, list: string) {
  const isSpaces = list === 'namespaces'
  const items = isSpaces ? site?.namespaces : site?.configuration?.[list]
  if (!items) return undefined
  const named = plainItems(items).filter(isPlainObject)
  return new Map(
    named.map((one) => {
      const { id, name, code } = one
      return [isSpaces ? `id=${id}` : plainText(name ?? code), fromPlain(one)]
    })
  )
}

function changesOf(list: string, a: Settings, b: Settings) {
  const prefix = list === 'extensions' ? 'extension' : 'configuration'
  const common = [...a.keys()].filter((name) => b.has(name))
  return [...onlyIn(a, b), ...onlyIn(b, a), ...common].flatMap((name) => {
    const before = a.get(name)
    const after = b.get(name)
    if (before && after && sameTree(before, after)) return []
    const event = before ? (`${prefix}.removed` as const) : (`${prefix}.added` as const)
    const kind = before && after ? 'configuration.changed' : event
    return [
      newChange(kind, itemPath(pathOf('query', list), name), { scope, before, after })
    ]
  })
}
