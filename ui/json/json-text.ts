/** JSON trees as text: one line of preview, and readable lines. */
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'

export interface Child {
  readonly name: string
  readonly value: JsonTree
}

/** Members of an object, or items of an array with their numbers. */
export const childrenOf = (tree: JsonTree): readonly Child[] =>
  tree.kind === 'array'
    ? tree.items.map((value, at) => ({ name: String(at), value }))
    : tree.kind === 'object'
      ? tree.members.map(({ key, value }) => ({ name: key, value }))
      : []

/** E.g. `{title: "Apple", ns: 0}`, cut at a number of characters. */
export function preview(tree: JsonTree, max: number, depth = 2): string {
  if (tree.kind === 'literal') return tree.text
  if (tree.kind === 'string')
    return JSON.stringify(
      tree.value.length > max ? `${tree.value.slice(0, max)}…` : tree.value
    )
  const [open, close] = tree.kind === 'array' ? '[]' : '{}'
  if (depth === 0)
    return childrenOf(tree).length === 0 ? `${open}${close}` : `${open}…${close}`
  let text = ''
  for (const { name, value } of childrenOf(tree)) {
    if (text.length > max) return `${open}${text.slice(0, max)}…${close}`
    const label = tree.kind === 'array' ? '' : `${name}: `
    text += `${text === '' ? '' : ', '}${label}${preview(value, max, depth - 1)}`
  }
  return `${open}${text}${close}`
}

/** One member or item a line; characters as they are, not escaped. */
export function prettyLines(
  tree: JsonTree,
  indent = '',
  name = '',
  comma = ''
): string[] {
  const label = name === '' ? indent : `${indent}${name}: `
  if (tree.kind === 'literal') return [`${label}${tree.text}${comma}`]
  if (tree.kind === 'string') return [`${label}${JSON.stringify(tree.value)}${comma}`]
  const children = childrenOf(tree)
  const [open, close] = tree.kind === 'array' ? '[]' : '{}'
  if (children.length === 0) return [`${label}${open}${close}${comma}`]
  const lines = [`${label}${open}`]
  for (const [at, child] of children.entries()) {
    const key = tree.kind === 'array' ? '' : JSON.stringify(child.name)
    for (const line of prettyLines(
      child.value,
      `${indent}  `,
      key,
      at + 1 < children.length ? ',' : ''
    ))
      lines.push(line)
  }
  lines.push(`${indent}${close}${comma}`)
  return lines
}

/** A text that only equal trees share. */
export function identityOf(tree: JsonTree): string {
  switch (tree.kind) {
    case 'literal':
      return tree.text
    case 'string':
      return JSON.stringify(tree.value)
    case 'array':
      return `[${tree.items.map(identityOf).join()}]`
    case 'object':
      return `{${tree.members.map(({ key, value }) => `${JSON.stringify(key)}:${identityOf(value)}`).join()}}`
  }
}
