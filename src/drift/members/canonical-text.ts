/** One text for all encodings of one value: flags, maps and arrays, `*`, empty containers, member order. */
import { type JsonTree, memberOf } from '../../json/json-tree.ts'

/** Equal for values that a client would call the same, whatever formatversion wrote them. */
export function canonicalText(tree: JsonTree): string {
  switch (tree.kind) {
    case 'string':
      return tree.value === '' ? 'true' : JSON.stringify(tree.value)
    case 'literal':
      return tree.text
    case 'array':
      return tree.items.length === 0 ? '{}' : `[${tree.items.map(canonicalText).join()}]`
    case 'object': {
      const star = memberOf(tree, '*')
      if (star !== undefined && tree.members.length === 1) return canonicalText(star)
      const members = tree.members
        .filter(({ value }) => !(value.kind === 'literal' && value.text === 'false'))
        .map(({ key, value }) => `${JSON.stringify(key)}:${canonicalText(value)}`)
      return `{${members.sort().join()}}`
    }
  }
}

/** False for values that are often equal by chance: flags, small numbers, empty containers. */
export function isDistinctive(tree: JsonTree): boolean {
  if (tree.kind === 'string') return tree.value.length > 1
  if (tree.kind === 'literal') return Math.abs(Number(tree.text)) >= 10
  return tree.kind === 'array' ? tree.items.length > 0 : tree.members.length > 0
}
