/** JSON as a lossless tree: it keeps member order, the spelling of numbers, and doubled keys. Strings are decoded. */
export type JsonTree = JsonObject | JsonArray | JsonString | JsonLiteral

export interface JsonObject {
  readonly kind: 'object'
  readonly members: readonly JsonMember[]
}

export interface JsonMember {
  readonly key: string
  readonly value: JsonTree
}

export interface JsonArray {
  readonly kind: 'array'
  readonly items: readonly JsonTree[]
}

export interface JsonString {
  readonly kind: 'string'
  readonly value: string
}

/** A number, `true`, `false` or `null`; `text` is its spelling in the source, so 1.0 stays 1.0. */
export interface JsonLiteral {
  readonly kind: 'literal'
  readonly text: string
}

export const jsonString = (value: string): JsonString => ({ kind: 'string', value })
export const jsonLiteral = (value: number | boolean | null): JsonLiteral => ({
  kind: 'literal',
  text: String(value)
})
export const jsonArray = (items: readonly JsonTree[]): JsonArray => ({
  kind: 'array',
  items
})
export const jsonObject = (
  members: readonly (readonly [string, JsonTree])[]
): JsonObject => ({
  kind: 'object',
  members: members.map(([key, value]) => ({ key, value }))
})

export const objectOf = (members: readonly JsonMember[]): JsonObject => ({
  kind: 'object',
  members
})

/** The value of the last member of that name, as PHP and JavaScript read doubled keys; undefined otherwise. */
export function memberOf(tree: JsonTree | undefined, key: string): JsonTree | undefined {
  if (tree?.kind !== 'object') return undefined
  const { members } = tree
  for (let at = members.length - 1; at >= 0; at -= 1) {
    const member = members[at]
    if (member?.key === key) return member.value
  }
  return undefined
}

/** Follows a path of member names from the root. */
export const memberAt = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): JsonTree | undefined => path.reduce(memberOf, tree)

/** The text of a string, or undefined for anything else. */
export const textOf = (tree: JsonTree | undefined): string | undefined =>
  tree?.kind === 'string' ? tree.value : undefined

/** The text of a string, a number, a boolean or null; undefined for objects and arrays. */
export const scalarTextOf = (tree: JsonTree | undefined): string | undefined =>
  tree?.kind === 'literal' ? tree.text : textOf(tree)

/** The value of a number spelled in the source, or undefined for anything else. */
export function numberOf(tree: JsonTree | undefined): number | undefined {
  if (tree?.kind !== 'literal') return undefined
  const value = Number(tree.text)
  return tree.text === 'null' || Number.isNaN(value) ? undefined : value
}

/** The items of an array; of formatversion 1's numbered object its values; otherwise none. */
export function itemsOf(tree: JsonTree | undefined): readonly JsonTree[] {
  if (tree?.kind === 'array') return tree.items
  return tree?.kind === 'object' ? tree.members.map((member) => member.value) : []
}

/** The members of an object, or none. */
export const membersOf = (tree: JsonTree | undefined): readonly JsonMember[] =>
  tree?.kind === 'object' ? tree.members : []

/** The object with each value changed, in its place; empty where the tree is none. */
export const mapMembers = (
  tree: JsonTree | undefined,
  change: (value: JsonTree, key: string, at: number) => JsonTree
): JsonObject =>
  objectOf(
    membersOf(tree).map(({ key, value }, at) => ({ key, value: change(value, key, at) }))
  )

/** The object without the members of that name; anything else is returned unchanged. */
export function withoutMember(tree: JsonTree, key: string): JsonTree {
  if (tree.kind !== 'object' || !tree.members.some((member) => member.key === key))
    return tree
  return { kind: 'object', members: tree.members.filter((member) => member.key !== key) }
}

/** Whether there is a value at that path. */
export const hasMember = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): boolean => memberAt(tree, ...path) !== undefined

export const textAt = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): string | undefined => textOf(memberAt(tree, ...path))

export const numberAt = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): number | undefined => numberOf(memberAt(tree, ...path))

export const itemsAt = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): readonly JsonTree[] => itemsOf(memberAt(tree, ...path))

export const membersAt = (
  tree: JsonTree | undefined,
  ...path: readonly string[]
): readonly JsonMember[] => membersOf(memberAt(tree, ...path))

/** True where both trees have the same values in the same order and spelling. */
export function sameTree(a: JsonTree, b: JsonTree): boolean {
  if (a === b) return true
  if (a.kind === 'string' && b.kind === 'string') return a.value === b.value
  if (a.kind === 'literal' && b.kind === 'literal') return a.text === b.text
  if (a.kind === 'array' && b.kind === 'array')
    return sameList(a.items, b.items, sameTree)
  return (
    a.kind === 'object' &&
    b.kind === 'object' &&
    sameList(
      a.members,
      b.members,
      (one, other) => one.key === other.key && sameTree(one.value, other.value)
    )
  )
}

const sameList = <T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean) =>
  a.length === b.length &&
  a.every((one, at) => {
    const other = b[at]
    return other !== undefined && same(one, other)
  })

/** True where arrays and objects are nested at most so many levels deep. */
export function isWithinDepth(tree: JsonTree, maxDepth: number): boolean {
  if (tree.kind === 'string' || tree.kind === 'literal') return true
  return maxDepth > 0 && itemsOf(tree).every((one) => isWithinDepth(one, maxDepth - 1))
}

/** The object with the value of that member changed, in its place; unchanged where it has no such member. */
export function replaceMember(
  tree: JsonTree,
  key: string,
  change: (value: JsonTree) => JsonTree
): JsonTree {
  if (tree.kind !== 'object') return tree
  return mapMembers(tree, (value, name) => (name === key ? change(value) : value))
}

/** The tree with the value at that path changed; unchanged where there is none. */
export function replaceAt(
  tree: JsonTree,
  [key, ...deeper]: readonly string[],
  value: JsonTree
): JsonTree {
  if (key === undefined) return value
  return replaceMember(tree, key, (old) => replaceAt(old, deeper, value))
}
