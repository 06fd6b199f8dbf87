/** What of an answer can be shown in another way than as a tree: rows as a table, long texts by themselves. */
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { childrenOf } from './json-text.ts'

export interface RowTable {
  /** E.g. `query.allpages`. */
  readonly path: string
  /** Position of the rows' parent: numbers of members from the root on. */
  readonly place: string
  readonly rows: readonly JsonTree[]
}

export interface LongText {
  readonly path: string
  readonly text: string
  readonly isHtml: boolean
}

/** Characters from which a text of one line is shown by itself. */
const minText = 300
const minHtml = 80
/** As deep as the text of a revision's slot. */
const maxDepth = 8
const maxFound = 60

type Visit = (path: string, place: string, tree: JsonTree) => boolean

/** @param visit returns whether to look into the value */
function walk(tree: JsonTree, visit: Visit, path = '', place = '', depth = 0): void {
  if (!visit(path, place, tree) || depth > maxDepth) return
  for (const [at, { name, value }] of childrenOf(tree).entries())
    walk(
      value,
      visit,
      path === '' ? name : `${path}.${name}`,
      place === '' ? `${at}` : `${place}.${at}`,
      depth + 1
    )
}

const isObject = (tree: JsonTree): boolean => tree.kind === 'object'

/** Lists of objects, and objects whose members are objects by number (`pages`); the largest first. */
export function findTables(tree: JsonTree): readonly RowTable[] {
  const tables: RowTable[] = []
  walk(tree, (path, place, value) => {
    const children = childrenOf(value)
    const isList =
      value.kind === 'array' || children.every(({ name }) => /^-?\d+$/.test(name))
    if (
      path === '' ||
      children.length === 0 ||
      !isList ||
      !children.every((one) => isObject(one.value))
    )
      return true
    tables.push({ path, place, rows: children.map((one) => one.value) })
    return tables.length < maxFound
  })
  return tables.sort((a, b) => b.rows.length - a.rows.length)
}

const htmlNames =
  /^(?:text|extract|displaytitle|parsedcomment|description|snippet|html|body|compare|diff|categorieshtml|headhtml)$/

/** Texts of several lines, and markup. */
export function findTexts(tree: JsonTree): readonly LongText[] {
  const texts: LongText[] = []
  walk(tree, (path, _, value) => {
    if (value.kind !== 'string') return texts.length < maxFound
    const names = path.split('.')
    const isMarkup = /<[a-z][^<>]*>/i.test(value.value.slice(0, 5_000))
    const isHtml =
      isMarkup &&
      names.slice(-2).some((name) => htmlNames.test(name)) &&
      !path.includes('wikitext')
    if (value.value.includes('\n') || value.value.length > (isHtml ? minHtml : minText))
      texts.push({ path, text: value.value, isHtml })
    return false
  })
  return texts.sort((a, b) => b.text.length - a.text.length)
}
