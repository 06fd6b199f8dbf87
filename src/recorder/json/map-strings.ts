/** Replaces strings anywhere in a tree. */
import type { JsonArray, JsonMember, JsonObject, JsonTree } from './json-tree.ts'

/** Where a string of a tree stands. Only valid during the call. */
export interface StringPlace {
  /** Names of the members that lead to it, from the top. */
  readonly path: readonly string[]
  /** The same with the numbers of items. */
  readonly steps: readonly (string | number)[]
  /** The innermost object around it. */
  readonly owner: JsonObject | undefined
}

type ChangeString = (value: string, place: StringPlace) => string

/** Replaces every string of the tree, member names excepted; unchanged parts are shared, not copied. */
export const mapStrings = (tree: JsonTree, change: ChangeString): JsonTree =>
  mapNode(tree, change, { path: [], steps: [], owner: undefined })

interface StringWalk extends StringPlace {
  readonly path: string[]
  readonly steps: (string | number)[]
  owner: JsonObject | undefined
}

function mapNode(tree: JsonTree, change: ChangeString, walk: StringWalk): JsonTree {
  switch (tree.kind) {
    case 'literal':
      return tree
    case 'string': {
      const value = change(tree.value, walk)
      return value === tree.value ? tree : { kind: 'string', value }
    }
    case 'array':
      return mapItems(tree, change, walk)
    case 'object': {
      const { owner } = walk
      walk.owner = tree
      const mapped = mapMembersOf(tree, change, walk)
      walk.owner = owner
      return mapped
    }
  }
}

/** Written out, as the next: a function for each list costs an answer more than all else here. */
function mapItems(tree: JsonArray, change: ChangeString, walk: StringWalk): JsonTree {
  let items: JsonTree[] | undefined
  let at = 0
  for (const item of tree.items) {
    walk.steps.push(at)
    const value = mapNode(item, change, walk)
    walk.steps.pop()
    if (value !== item) {
      items ??= [...tree.items]
      items[at] = value
    }
    at += 1
  }
  return items ? { kind: 'array', items } : tree
}

function mapMembersOf(
  tree: JsonObject,
  change: ChangeString,
  walk: StringWalk
): JsonTree {
  let members: JsonMember[] | undefined
  let at = 0
  for (const { key, value } of tree.members) {
    if (value.kind !== 'literal') {
      walk.path.push(key)
      walk.steps.push(key)
      const changed = mapNode(value, change, walk)
      walk.path.pop()
      walk.steps.pop()
      if (changed !== value) {
        members ??= [...tree.members]
        members[at] = { key, value: changed }
      }
    }
    at += 1
  }
  return members ? { kind: 'object', members } : tree
}
