/** The fields of a JSON tree: each string with the name that says what it means. */
import { type JsonTree, memberOf, textOf } from '../../json/json-tree.ts'

export interface Field {
  /** The member's name; that beside it for the value of `{"name": …, "value": …}`; `password` for that of such a form field. */
  readonly name: string
  /** Names of members, from the top. Only valid during the call. */
  readonly path: readonly string[]
  /** The same with the numbers of items; absent outside of JSON. */
  readonly steps?: readonly (string | number)[]
}

type ChangeField = (value: string, field: Field) => string

export const mapFields = (tree: JsonTree, change: ChangeField): JsonTree =>
  mapBelow(tree, '', { path: [], steps: [] }, change)

interface Place {
  readonly path: string[]
  readonly steps: (string | number)[]
}

function mapBelow(
  tree: JsonTree,
  name: string,
  place: Place,
  change: ChangeField
): JsonTree {
  const { path, steps } = place
  switch (tree.kind) {
    case 'literal':
      return tree
    case 'string': {
      const value = change(tree.value, { name, path, steps })
      return value === tree.value ? tree : { kind: 'string', value }
    }
    case 'array': {
      const items = tree.items.map((item, at) => {
        steps.push(at)
        const value = mapBelow(item, name, place, change)
        steps.pop()
        return value
      })
      return items.every((item, at) => item === tree.items[at])
        ? tree
        : { kind: 'array', items }
    }
    case 'object': {
      const members = tree.members.map((member) => {
        path.push(member.key)
        steps.push(member.key)
        const value = mapBelow(
          member.value,
          nameOfMember(tree, member.key),
          place,
          change
        )
        path.pop()
        steps.pop()
        return value === member.value ? member : { key: member.key, value }
      })
      return members.every((member, at) => member === tree.members[at])
        ? tree
        : { kind: 'object', members }
    }
  }
}

function nameOfMember(tree: JsonTree, key: string): string {
  if (key !== 'value') return key
  if (textOf(memberOf(tree, 'type')) === 'password') return 'password'
  return textOf(memberOf(tree, 'name')) ?? key
}
