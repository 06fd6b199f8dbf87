/** Searches the names and values of an answer. */
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { childrenOf } from './json-text.ts'

export interface TreeSearch {
  /** Lower case; empty unless something is searched. */
  readonly words: string
  /** Positions of the members found, in order. */
  readonly found: readonly string[]
  /** Positions above them, which are shown open. */
  readonly open: ReadonlySet<string>
}

const maxFound = 1_000

export const noSearch: TreeSearch = { words: '', found: [], open: new Set() }

export function searchTree(tree: JsonTree, text: string): TreeSearch {
  const words = text.trim().toLowerCase()
  if (words === '') return noSearch
  const found: string[] = []
  const open = new Set<string>()
  const visit = (value: JsonTree, place: string, parents: readonly string[]): void => {
    for (const [at, child] of childrenOf(value).entries()) {
      if (found.length >= maxFound) return
      const here = place === '' ? String(at) : `${place}.${at}`
      if (hasWords(child.name, words) || hasWords(scalarText(child.value), words)) {
        found.push(here)
        for (const parent of parents) open.add(parent)
      }
      visit(child.value, here, [...parents, here])
    }
  }
  visit(tree, '', [])
  return { words, found, open }
}

const hasWords = (text: string, words: string): boolean =>
  text.toLowerCase().includes(words)

export const scalarText = (tree: JsonTree): string =>
  tree.kind === 'string' ? tree.value : tree.kind === 'literal' ? tree.text : ''
