/** How one part of a continue value comes about: a constant, a running offset, a member of the row, or what no row shows. */

import {
  type JsonTree,
  memberOf,
  numberAt,
  numberOf,
  textAt,
  textOf
} from '../../json/json-tree.ts'
import { timestampDigits } from '../../wiki/parameters/timestamps.ts'
import { cursorText } from '../reading/batch.ts'
import type { ListingRow } from '../reading/row.ts'

/** A row with what of its page a continue value can name. */
export type ContinueRow = Pick<ListingRow, 'item' | 'page'>

/** How a member of a row is spelled in a continue value, each with its words. */
const spellingWords = {
  itself: '',
  'db-key': ' as DB key',
  'db-key-without-namespace': ' as DB key without namespace',
  'digits-of-time': ' as 14 digits',
  'category-type': ' as kind of member'
} as const
export type ValueSpelling = keyof typeof spellingWords
export const valueSpellings: readonly ValueSpelling[] = Object.keys(
  spellingWords
) as ValueSpelling[]

export type Explanation =
  | { readonly kind: 'constant'; readonly text: string }
  | {
      readonly kind: 'member'
      readonly owner: 'item' | 'page'
      readonly name: string
      readonly spelling: ValueSpelling
    }
  | { readonly kind: 'offset' }
  /** What no row shows. */
  | { readonly kind: 'hidden' }
  | SharedExplanation

/** What no row shows, but is the same for all rows that agree in a member; `texts` has it by that member's text. */
export interface SharedExplanation {
  readonly kind: 'shared'
  readonly owner: 'item' | 'page'
  readonly name: string
  readonly texts: ReadonlyMap<string, string>
}

/** An explanation as `recorder/knowledge/` spells it: `title:db-key`, `page.pageid`, `#`, `'page'`, `?`, `?user`. */
export function parseExplanation(text: string): Explanation {
  if (text === '#') return { kind: 'offset' }
  if (text.startsWith("'")) return { kind: 'constant', text: text.slice(1, -1) }
  if (text === '?') return { kind: 'hidden' }
  const isShared = text.startsWith('?')
  const [path = '', spelling] = (isShared ? text.slice(1) : text).split(':')
  const owner = path.startsWith('page.') ? 'page' : 'item'
  const name = owner === 'page' ? path.slice('page.'.length) : path
  if (isShared) return { kind: 'shared', owner, name, texts: new Map() }
  return {
    kind: 'member',
    owner,
    name,
    spelling: valueSpellings.find((one) => one === spelling) ?? 'itself'
  }
}

/** The text for a row; undefined where the row does not show it. @param offset how many rows lie before it, where known */
export function explainedText(
  one: Explanation,
  row: ContinueRow,
  offset?: number
): string | undefined {
  if (one.kind === 'constant') return one.text
  if (one.kind === 'offset') return offset === undefined ? undefined : String(offset)
  if (one.kind === 'hidden') return undefined
  if (one.kind === 'shared') {
    const sharedBy = sharedText(one, row)
    return sharedBy === undefined ? undefined : one.texts.get(sharedBy)
  }
  const from = row[one.owner]
  const member = namedMember(one, from)
  return member && spell(member, one.spelling, from)
}

/** An empty name is the row itself. */
export const namedMember = (
  { name }: { readonly name: string },
  from: JsonTree | undefined
): JsonTree | undefined => (name === '' ? from : memberOf(from, name))

/** The text in which rows with the same hidden part agree; empty where all rows of the request do. */
export const sharedText = (
  { owner, name }: SharedExplanation,
  row: ContinueRow
): string | undefined => (name === requestPageMember ? '' : textAt(row[owner], name))

/** The page that a request names; its continue values begin with that page's id. */
const requestPageMember = 'titles'

function spell(member: JsonTree, spelling: ValueSpelling, row: JsonTree | undefined) {
  const isNumber = numberOf(member) !== undefined
  const text = isNumber ? cursorText(member) : textOf(member)
  if (text === undefined || (isNumber && spelling.startsWith('db-key'))) return undefined
  if (spelling === 'itself') return text
  if (spelling === 'db-key') return dbKey(text)
  if (spelling === 'digits-of-time')
    return text.endsWith('Z') ? timestampDigits(text) : undefined
  if (spelling === 'category-type')
    return /^-?\d+$/.test(text) ? (memberKindByNamespace.get(text) ?? 'page') : undefined
  const ns = numberAt(row, 'ns')
  const colon = ns === 0 ? -1 : text.indexOf(':')
  return ns === undefined || (ns !== 0 && colon < 0)
    ? undefined
    : dbKey(text.slice(colon + 1))
}

const memberKindByNamespace: ReadonlyMap<string, string> = new Map([
  ['14', 'subcat'],
  ['6', 'file']
])

export const dbKey = (title: string): string => title.replaceAll(' ', '_')

export const isConstant = (one: Explanation): boolean => one.kind === 'constant'

/** True where a part is a title as the database has it: digits in it are compared as letters. */
export const namesTitle = (one: Explanation): boolean =>
  one.kind === 'member' && one.spelling.startsWith('db-key')

export function describeExplanation(one: Explanation | undefined): string {
  if (!one || one.kind === 'constant') return JSON.stringify(one?.text ?? '')
  if (one.kind === 'offset') return 'running offset'
  if (one.kind === 'hidden') return 'hidden'
  const owner = one.owner === 'page' ? 'page ' : ''
  if (one.kind === 'shared') return `hidden, one for each ${owner}${one.name}`
  return `${owner}${one.name === '' ? 'value' : one.name}${spellingWords[one.spelling]}`
}
