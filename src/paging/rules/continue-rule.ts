/**
 * Continue rules, learned: how a wiki writes "go on from this row" (next title as DB key, `ns|pageid`,
 * `ts14|id`, a running offset …). A rule is what all explanations that survive every recorded boundary agree on.
 */
import { type JsonTree, jsonString, memberOf, numberOf, textOf } from '../../json/json-tree.ts'
import { cursorText } from '../reading/batch.ts'

/** A row with what of its page a continue value can name. */
export interface ContinueRow {
  readonly item: JsonTree
  /** The page that a row of a prop module belongs to. */
  readonly page?: JsonTree | undefined
}

/** A continue value that the wiki gave, and the row that it goes on from. */
export interface Boundary {
  readonly value: JsonTree
  readonly row: ContinueRow
}

/** How one part of a continue value may come about. */
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
  /** What no row shows, but is one for all rows that agree in a member, by the text of that. */
  | {
      readonly kind: 'shared'
      readonly owner: 'item' | 'page'
      readonly name: string
      readonly texts: ReadonlyMap<string, string>
    }

/** What becomes of a member on its way into a continue value. */
export type ValueSpelling =
  | 'itself'
  | 'db-key'
  | 'db-key-without-namespace'
  | 'digits-of-time'
  | 'category-type'

export interface ContinueRule {
  /** The parts between `|`; each with all explanations that hold for every boundary. */
  readonly parts: readonly (readonly Explanation[])[]
  /** True where the wiki writes a number rather than a string. */
  readonly numeric: boolean
  /** How many recorded boundaries it explains. */
  readonly boundaries: number
}

export const partsOf = (value: JsonTree): readonly string[] => cursorText(value).split('|')

/** True where a part is a title as the database has it: then digits in it are letters like others. */
export const namesTitle = (one: Explanation): boolean =>
  one.kind === 'member' && one.spelling.startsWith('db-key')

export const valueSpellings: readonly ValueSpelling[] = [
  'itself',
  'db-key',
  'db-key-without-namespace',
  'digits-of-time',
  'category-type',
]

/**
 * A rule in the spelling of what is known (src/knowledge): a part each, such as `title:db-key`, `page.pageid`, `#`,
 * `'page'`, `?`, `?user`; with `&` between where a part may be either.
 */
export const parseRule = (parts: readonly string[], numeric = false, boundaries = 0): ContinueRule => ({
  parts: parts.map((text) => text.split('&').map(parseExplanation)),
  numeric,
  boundaries,
})

function parseExplanation(text: string): Explanation {
  if (text === '#') return { kind: 'offset' }
  if (text.startsWith("'")) return { kind: 'constant', text: text.slice(1, -1) }
  if (text === '?') return { kind: 'hidden' }
  const shared = text.startsWith('?')
  const [path = '', spelling] = (shared ? text.slice(1) : text).split(':')
  const owner = path.startsWith('page.') ? 'page' : 'item'
  const name = owner === 'page' ? path.slice('page.'.length) : path
  if (shared) return { kind: 'shared', owner, name, texts: new Map() }
  return { kind: 'member', owner, name, spelling: valueSpellings.find((one) => one === spelling) ?? 'itself' }
}

export function explainedText(one: Explanation, row: ContinueRow, offset?: number): string | undefined {
  switch (one.kind) {
    case 'constant':
      return one.text
    case 'offset':
      return offset === undefined ? undefined : String(offset)
    case 'hidden':
      return undefined
    case 'shared': {
      const sharedBy = sharedText(one, row)
      return sharedBy === undefined ? undefined : one.texts.get(sharedBy)
    }
    case 'member': {
      const from = one.owner === 'item' ? row.item : row.page
      const member = one.name === '' ? from : memberOf(from, one.name)
      return member === undefined ? undefined : spell(member, one.spelling, from)
    }
  }
}

/** What the rows that share a hidden part agree in; empty where that is the request itself, undefined where they do not show it. */
const sharedText = (one: Explanation & { readonly kind: 'shared' }, row: ContinueRow): string | undefined =>
  one.name === requestPageMember ? '' : textOf(memberOf(one.owner === 'item' ? row.item : row.page, one.name))

/** The page that a request names, which its continue values begin with. */
const requestPageMember = 'titles'

/**
 * A rule with all that recorded boundaries tell of the parts that rows share, beside what it has of them already;
 * undefined where one of them contradicts it.
 */
export function refineRule(rule: ContinueRule, boundaries: readonly Boundary[]): ContinueRule | undefined {
  if (isRunningOffset(rule)) return rule
  const sharedTexts = rule.parts.map(([one]) => new Map(one?.kind === 'shared' ? one.texts : []))
  for (const { value, row } of boundaries) {
    const texts = partsOf(value)
    if (isHidden(rule)) break
    if (texts.length !== rule.parts.length || (value.kind === 'literal') !== rule.numeric) return undefined
    for (const [at, [one]] of rule.parts.entries()) {
      const text = texts[at] ?? ''
      if (one === undefined || one.kind === 'hidden') continue
      const sharedBy = one.kind === 'shared' ? sharedText(one, row) : undefined
      const known = sharedBy === undefined ? explainedText(one, row) : sharedTexts[at]?.get(sharedBy)
      if (sharedBy !== undefined) sharedTexts[at]?.set(sharedBy, text)
      if (known === undefined ? one.kind !== 'shared' : known !== text) return undefined
    }
  }
  const parts = rule.parts.map((explanations, at) =>
    explanations.map((one) =>
      one.kind === 'shared' ? { ...one, texts: sharedTexts[at] ?? one.texts } : one,
    ),
  )
  return { ...rule, parts, boundaries: boundaries.length }
}

/** True where the boundaries leave several explanations, so that the rule speaks only where they agree. */
export const isAmbiguous = ({ parts }: ContinueRule): boolean =>
  parts.some((explanations) => explanations.length > 1)

/** True where nothing at all is known of the values. */
export const isHidden = ({ parts }: ContinueRule): boolean =>
  parts.length === 1 && parts[0]?.[0]?.kind === 'hidden'

function spell(member: JsonTree, spelling: ValueSpelling, row: JsonTree | undefined): string | undefined {
  const isNumber = numberOf(member) !== undefined
  const text = isNumber ? cursorText(member) : textOf(member)
  if (text === undefined || (isNumber && spelling.startsWith('db-key'))) return undefined
  switch (spelling) {
    case 'itself':
      return text
    case 'db-key':
      return dbKey(text)
    case 'db-key-without-namespace': {
      const ns = numberOf(memberOf(row, 'ns'))
      const colon = ns === 0 ? -1 : text.indexOf(':')
      return ns === undefined || (ns !== 0 && colon < 0) ? undefined : dbKey(text.slice(colon + 1))
    }
    case 'digits-of-time':
      return digitsOfTime(text)
    case 'category-type':
      return /^-?\d+$/.test(text) ? (text === '14' ? 'subcat' : text === '6' ? 'file' : 'page') : undefined
  }
}

/** A moment as the database writes it, out of how the API does. */
export const digitsOfTime = (text: string): string | undefined =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text.replace(/\D/g, '') : undefined

/** A title as the database holds it. */
export const dbKey = (title: string): string => (title.includes(' ') ? title.replaceAll(' ', '_') : title)

/** The continue value for going on from that row; undefined where the surviving explanations differ. */
export function predict(rule: ContinueRule, row: ContinueRow, offset?: number): JsonTree | undefined {
  const text = predictText(rule, row, offset)
  if (text === undefined) return undefined
  return rule.numeric ? { kind: 'literal', text } : jsonString(text)
}

/** The same as a client sends it back. */
export function predictText(
  { parts }: Pick<ContinueRule, 'parts'>,
  row: ContinueRow,
  offset?: number,
): string | undefined {
  let text: string | undefined
  for (const explanations of parts) {
    const part = explanations[0] && explainedText(explanations[0], row, offset)
    if (part === undefined) return undefined
    if (explanations.length > 1 && explanations.some((one) => explainedText(one, row, offset) !== part))
      return undefined
    text = text === undefined ? part : `${text}|${part}`
  }
  return text
}

/** True where the rule counts rows instead of naming one. */
export const isRunningOffset = (rule: ContinueRule): boolean =>
  rule.parts.every((explanations) => explanations.some((one) => one.kind === 'offset'))

/** The rule in words, e.g. `ns | pageid`, `title as DB key`. */
export const describeRule = (rule: ContinueRule): string =>
  rule.parts
    .map((explanations) =>
      describeExplanation(explanations.find((one) => one.kind !== 'constant') ?? explanations[0]),
    )
    .join(' | ')

const spellingWords: Readonly<Record<ValueSpelling, string>> = {
  itself: '',
  'db-key': ' as DB key',
  'db-key-without-namespace': ' as DB key without namespace',
  'digits-of-time': ' as 14 digits',
  'category-type': ' as kind of member',
}

function describeExplanation(one: Explanation | undefined): string {
  if (one === undefined || one.kind === 'constant') return JSON.stringify(one?.text ?? '')
  if (one.kind === 'offset') return 'running offset'
  if (one.kind === 'hidden') return 'hidden'
  const owner = one.owner === 'page' ? 'page ' : ''
  if (one.kind === 'shared') return `hidden, one for each ${owner}${one.name}`
  return `${owner}${one.name === '' ? 'value' : one.name}${spellingWords[one.spelling]}`
}

/** The text of the row itself that a rule begins with; undefined where that is anything else, or in another spelling. */
export function keyText(
  { parts: [first = []] }: ContinueRule,
  { item }: ContinueRow,
  spellings: readonly ValueSpelling[],
): string | undefined {
  const isText = (one: Explanation): boolean =>
    one.kind === 'member' &&
    one.owner === 'item' &&
    spellings.includes(one.spelling) &&
    textOf(one.name === '' ? item : memberOf(item, one.name)) !== undefined
  return first.every(isText) ? predictText({ parts: [first] }, { item }) : undefined
}
