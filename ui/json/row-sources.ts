/** Which recording each part of a synthesized answer stands in. */
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { childrenOf, identityOf } from './json-text.ts'

/** Keys of recordings by position in the answer: numbers of members from the root on, e.g. `1.0.6`. */
export type Sources = ReadonlyMap<string, string>

/** Levels below the root at which rows may lie: `query.pages.1.links.0`. */
const maxDepth = 5

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'
const isInner = (tree: JsonTree): boolean =>
  tree.kind === 'object' || tree.kind === 'array'

/** The largest objects that stand in a recording as they are. */
export function findSources(
  answer: JsonTree,
  recordings: readonly (readonly [key: string, tree: JsonTree])[]
): Sources {
  const known = new Map<string, string>()
  for (const [key, tree] of recordings) addObjects(tree, key, known, 0)
  const found = new Map<string, string>()
  mark(answer, '', 0, known, found)
  return found
}

function addObjects(
  tree: JsonTree,
  key: string,
  known: Map<string, string>,
  depth: number
): void {
  for (const { value } of childrenOf(tree)) {
    if (depth > 0 && isObject(value)) {
      const identity = identityOf(value)
      if (!known.has(identity)) known.set(identity, key)
    }
    if (depth < maxDepth && isInner(value)) addObjects(value, key, known, depth + 1)
  }
}

function mark(
  tree: JsonTree,
  place: string,
  depth: number,
  known: ReadonlyMap<string, string>,
  found: Map<string, string>
): void {
  for (const [at, { value }] of childrenOf(tree).entries()) {
    const here = place === '' ? String(at) : `${place}.${at}`
    const key = depth > 0 && isObject(value) ? known.get(identityOf(value)) : undefined
    if (key !== undefined) found.set(here, key)
    else if (depth < maxDepth && isInner(value))
      mark(value, here, depth + 1, known, found)
  }
}
