/** Replaces strings anywhere in a tree. */
import type { JsonObject, JsonTree } from './json-tree.ts'

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

interface Walk extends StringPlace {
  readonly path: string[]
  readonly steps: (string | number)[]
  owner: JsonObject | undefined
}

function mapNode(tree: JsonTree, change: ChangeString, walk: Walk): JsonTree {
  switch (tree.kind) {
    case 'literal':
      return tree
    case 'string': {
      const value = change(tree.value, walk)
      return value === tree.value ? tree : { kind: 'string', value }
    }
    case 'array': {
      const items = mapShared(tree.items, (item, at) => {
        walk.steps.push(at)
        const value = mapNode(item, change, walk)
        walk.steps.pop()
        return value
      })
      return items === tree.items ? tree : { kind: 'array', items }
    }
    case 'object': {
      const { owner } = walk
      walk.owner = tree
      const members = mapShared(tree.members, (member) => {
        walk.path.push(member.key)
        walk.steps.push(member.key)
        const value = mapNode(member.value, change, walk)
        walk.path.pop()
        walk.steps.pop()
        return value === member.value ? member : { key: member.key, value }
      })
      walk.owner = owner
      return members === tree.members ? tree : { kind: 'object', members }
    }
  }
}

/** The list with each item changed; the same list, not copied, if none is. */
function mapShared<T>(
  list: readonly T[],
  change: (one: T, at: number) => T
): readonly T[] {
  let changed: T[] | undefined
  for (const [at, one] of list.entries()) {
    const value = change(one, at)
    if (value === one) continue
    changed ??= [...list]
    changed[at] = value
  }
  return changed ?? list
}
