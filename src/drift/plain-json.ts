/** A tree as plain values, for readers that do not mind losing member order and number spelling. */
import type { JsonTree } from '../json/tree.ts'

export function plainJson(tree: JsonTree): unknown {
  switch (tree.kind) {
    case 'string':
      return tree.value
    case 'literal': {
      const value: unknown = JSON.parse(tree.text)
      return value
    }
    case 'array':
      return tree.items.map(plainJson)
    case 'object':
      // `fromEntries` defines members, so `__proto__` is a name like any other.
      return Object.fromEntries(tree.members.map(({ key, value }) => [key, plainJson(value)]))
  }
}
