/**
 * What the wiki says of one module, turned to another formatversion and another caller: booleans are members that are
 * there or not in formatversion 1, and how many values a parameter takes is said for who asks.
 * Source: ApiParamInfo and ApiResult of MediaWiki 1.25 to 1.43; all modules of 1.35, 1.39 and 1.43 compared.
 */
import { itemsOf, type JsonTree, jsonString, memberOf, membersOf, textOf } from '../../json/json-tree.ts'

/** Whether a caller may name as many values as bots and administrators may (`apihighlimits`). */
export type LimitClass = 'low' | 'high'

/** A module in formatversion 2 as formatversion 1 tells it. */
export function inFormat1(tree: JsonTree): JsonTree {
  switch (tree.kind) {
    case 'array':
      return { kind: 'array', items: tree.items.map(inFormat1) }
    case 'object':
      return {
        kind: 'object',
        members: tree.members.flatMap(({ key, value }) => {
          if (isBoolean(value, 'false')) return []
          return [{ key, value: isBoolean(value, 'true') ? jsonString('') : inFormat1(value) }]
        }),
      }
    case 'string':
    case 'literal':
      return tree
  }
}

const isBoolean = (tree: JsonTree, text: string): boolean => tree.kind === 'literal' && tree.text === text

/** As a caller of the class is told it; undefined where the module says a limit without saying whose. */
export function forLimitClass(module: JsonTree, limitClass: LimitClass): JsonTree | undefined {
  let certain = true
  const withLimit = (param: JsonTree): JsonTree => {
    const limit = memberOf(param, 'limit')
    const ownLimit = memberOf(param, limitClass === 'low' ? 'lowlimit' : 'highlimit')
    if (limit !== undefined && ownLimit === undefined) certain = false
    return {
      kind: 'object',
      members: membersOf(param).map(({ key, value }) => ({
        key,
        value: key === 'limit' && ownLimit !== undefined ? ownLimit : value,
      })),
    }
  }
  const members = membersOf(module).map(({ key, value }) => ({
    key,
    value:
      isParameters(key) && value.kind === 'array' ? { ...value, items: value.items.map(withLimit) } : value,
  }))
  return certain ? { kind: 'object', members } : undefined
}

const isParameters = (key: string): boolean => key === 'parameters' || key === 'templatedparameters'

/** Which class the caller was who was told this; undefined where it does not show. */
export function shownLimitClass(module: JsonTree): LimitClass | undefined {
  for (const { key, value } of membersOf(module)) {
    for (const param of isParameters(key) ? itemsOf(value) : []) {
      const [limit, low, high] = ['limit', 'lowlimit', 'highlimit'].map((name) =>
        literalText(memberOf(param, name)),
      )
      if (limit === undefined || low === high) continue
      return limit === low ? 'low' : limit === high ? 'high' : undefined
    }
  }
  return undefined
}

const literalText = (tree: JsonTree | undefined): string | undefined =>
  tree?.kind === 'literal' ? tree.text : undefined

/** True where nothing of it is in the language of the reader: what an extension is called may be. */
export const isLanguageIndependent = (module: JsonTree): boolean =>
  textOf(memberOf(module, 'sourcename')) === textOf(memberOf(module, 'source'))

/** Where the licence of a module's source stands, by what is said of other modules; undefined where that is not certain. */
export function licenceLink(module: JsonTree, others: Iterable<JsonTree>): string | undefined {
  const source = textOf(memberOf(module, 'source')) ?? ''
  if (!/^\w+$/.test(source)) return undefined
  for (const other of others) {
    const [from, link] = ['source', 'licenselink'].map((name) => textOf(memberOf(other, name)))
    if (from !== undefined && link?.endsWith(`/License/${from}`))
      return link.slice(0, link.length - from.length) + source
  }
  return undefined
}

/** The recorder's own description, as the wiki sent it: the link to the licence stood behind its name. */
export function withLicence(description: JsonTree, others: Iterable<JsonTree>): JsonTree | undefined {
  if (memberOf(description, 'licensetag') === undefined) return description
  const link = licenceLink(description, others)
  if (link === undefined) return undefined
  return {
    kind: 'object',
    members: membersOf(description).flatMap((member) =>
      member.key === 'licensetag' ? [member, { key: 'licenselink', value: jsonString(link) }] : [member],
    ),
  }
}

/** The modules below one, as `*` names them; with `deeper`, theirs as well. Undefined where one is not described. */
export function submodulesOf(
  path: string,
  recursive: boolean,
  describe: (path: string) => JsonTree | undefined,
): readonly string[] | undefined {
  const module = describe(path)
  if (module === undefined) return undefined
  const named = itemsOf(memberOf(module, 'parameters')).flatMap((param) =>
    membersOf(memberOf(param, 'submodules')).flatMap(({ value }) => textOf(value) ?? []),
  )
  // A `generator` names modules that are below `query`, wherever it stands.
  const direct = named.filter((one) => (path === 'main' ? !one.includes('+') : one.startsWith(`${path}+`)))
  const found: string[] = []
  for (const one of [...new Set(direct)].sort()) {
    found.push(one)
    const nested = recursive ? submodulesOf(one, true, describe) : []
    if (nested === undefined) return undefined
    found.push(...nested)
  }
  return found
}
