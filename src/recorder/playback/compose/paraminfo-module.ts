/**
 * A module's description, converted to formatversion 1 (where a boolean is a member that is present or absent) and to
 * another caller (who is told the number of values that a parameter takes).
 * Source: ApiParamInfo and ApiResult of MediaWiki 1.25 to 1.43; all modules of 1.35, 1.39 and 1.43 compared.
 */
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonString,
  mapMembers,
  memberOf,
  membersAt,
  membersOf,
  objectOf,
  replaceMember,
  textAt,
  textOf
} from '../../json/json-tree.ts'

/** `high` with the right `apihighlimits`, which bots and administrators have. */
export type LimitClass = 'low' | 'high'

/** @param tree in formatversion 2. An object of which nothing is left is an empty list (`actions`, 1.35 to 1.43). */
export function inFormat1(tree: JsonTree): JsonTree {
  if (tree.kind === 'array') return jsonArray(tree.items.map(inFormat1))
  if (tree.kind !== 'object') return tree
  const members = tree.members.flatMap(({ key, value }) => {
    const text = literalText(value)
    if (text === 'false') return []
    return [{ key, value: text === 'true' ? jsonString('') : inFormat1(value) }]
  })
  const isEmptied = members.length === 0 && tree.members.length > 0
  return isEmptied ? jsonArray([]) : objectOf(members)
}

/** The description for a caller of that class; undefined where a limit does not name its class. */
export function forLimitClass(
  module: JsonTree,
  limitClass: LimitClass
): JsonTree | undefined {
  let certain = true
  const withLimit = (param: JsonTree) => {
    const limit = memberOf(param, limitClass === 'low' ? 'lowlimit' : 'highlimit')
    if (hasMember(param, 'limit') && !limit) certain = false
    return limit ? replaceMember(param, 'limit', () => limit) : param
  }
  const converted = mapMembers(module, (value, key) =>
    isParameters(key) && value.kind === 'array'
      ? jsonArray(value.items.map(withLimit))
      : value
  )
  return certain ? converted : undefined
}

const isParameters = (key: string) =>
  key === 'parameters' || key === 'templatedparameters'

/** The class of the caller that the description was made for; undefined where it does not show. */
export function limitClassOf(module: JsonTree): LimitClass | undefined {
  for (const { key, value } of membersOf(module)) {
    for (const param of isParameters(key) ? itemsOf(value) : []) {
      const [limit, low, high] = ['limit', 'lowlimit', 'highlimit'].map((name) =>
        literalText(memberOf(param, name))
      )
      if (limit === undefined || low === high) continue
      return limit === low ? 'low' : limit === high ? 'high' : undefined
    }
  }
  return undefined
}

const literalText = (tree: JsonTree | undefined) =>
  tree?.kind === 'literal' ? tree.text : undefined

/** False where the extension's name is translated. */
export const isLanguageIndependent = (module: JsonTree): boolean =>
  textAt(module, 'sourcename') === textAt(module, 'source')

/** A description in another format for a caller of that class; undefined where that is not certain. */
export function convert(
  tree: JsonTree,
  from: string,
  to: string,
  limitClass: LimitClass | undefined
): JsonTree | undefined {
  if (from === '1' && to === '2') return undefined
  const spelled = from === to ? tree : inFormat1(tree)
  const forCaller = limitClass && forLimitClass(spelled, limitClass)
  const converted = forCaller ?? (limitClassOf(spelled) ? undefined : spelled)
  return converted && isLanguageIndependent(converted) ? converted : undefined
}

/** The link to the licence of a module's source, made like those of other modules; undefined where that is not certain. */
export function licenceLink(
  module: JsonTree,
  others: Iterable<JsonTree>
): string | undefined {
  const source = textAt(module, 'source') ?? ''
  if (!/^\w+$/.test(source)) return undefined
  for (const other of others) {
    const [from, link] = ['source', 'licenselink'].map((name) => textAt(other, name))
    if (from !== undefined && link?.endsWith(`/License/${from}`))
      return link.slice(0, link.length - from.length) + source
  }
  return undefined
}

/** The recorder's own description with its licence link, which it dropped; undefined where the link is not certain. */
export function withLicence(
  description: JsonTree,
  others: Iterable<JsonTree>
): JsonTree | undefined {
  if (!hasMember(description, 'licensetag')) return description
  const link = licenceLink(description, others)
  if (link === undefined) return undefined
  const members = [...membersOf(description)]
  const at = members.findIndex(({ key }) => key === 'licensetag') + 1
  return objectOf(
    members.toSpliced(at, 0, { key: 'licenselink', value: jsonString(link) })
  )
}

/** The recorder's own description of a module, in formatversion 2; undefined where it has none. */
export type DescriptionLookup = (path: string) => JsonTree | undefined

/** One path, or those of all modules that a `*` or `**` stands for; undefined where one is not described. */
export function pathsNamed(
  name: string,
  describe: DescriptionLookup
): readonly string[] | undefined {
  const star = /^(?:(.+)\+)?(\*{1,2})$/.exec(name)
  return star === null
    ? [name]
    : pathsBelow(star[1] ?? 'main', star[2] === '**', describe)
}

function pathsBelow(path: string, deep: boolean, describe: DescriptionLookup) {
  const module = describe(path)
  if (!module) return undefined
  const named = itemsAt(module, 'parameters').flatMap((param) =>
    membersAt(param, 'submodules').flatMap(({ value }) => textOf(value) ?? [])
  )
  // `generator` names submodules of `query` in whatever module it is a parameter.
  const direct = named.filter((one) =>
    path === 'main' ? !one.includes('+') : one.startsWith(`${path}+`)
  )
  const found: string[] = []
  for (const one of [...new Set(direct)].sort()) {
    found.push(one)
    const nested = deep ? pathsBelow(one, true, describe) : []
    if (!nested) return undefined
    found.push(...nested)
  }
  return found
}
