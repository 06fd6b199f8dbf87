/**
 * Continue rules, learned: how a wiki writes "go on from this row" (next title as DB key, `ns|pageid`,
 * `ts14|id`, a running offset …). A rule is what all explanations that survive every recorded boundary agree on.
 */
import { type JsonTree, jsonString, memberOf, membersOf, numberOf, textOf } from '../json/tree.ts'

/** A row with what of its page a continue value can name. */
export interface Subject {
  readonly item: JsonTree
  /** The page that a row of a prop module belongs to. */
  readonly page?: JsonTree | undefined
}

/** A continue value that the wiki gave, and the row that it goes on from. */
export interface Boundary {
  readonly value: JsonTree
  readonly subject: Subject
}

/** How one part of a continue value may come about. */
export type Explanation =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'member'; readonly of: 'item' | 'page'; readonly name: string; readonly as: Spelled }
  | { readonly kind: 'offset' }

/** What becomes of a member on its way into a continue value. */
export type Spelled = 'itself' | 'db-key' | 'db-key-without-namespace' | 'digits-of-time' | 'category-type'

export interface ContinueRule {
  /** The parts between `|`; each with all explanations that hold for every boundary. */
  readonly parts: readonly (readonly Explanation[])[]
  /** True where the wiki writes a number rather than a string. */
  readonly numeric: boolean
  /** How many recorded boundaries it explains. */
  readonly boundaries: number
}

/**
 * The rule that explains all of them, or undefined: none, too few boundaries, or mere coincidence possible.
 * @param ofOnePage whether all rows come from one page, whose id the values may then begin with though no row shows it
 */
export function learnRule(boundaries: readonly Boundary[], ofOnePage = false): ContinueRule | undefined {
  const [first] = boundaries
  if (first === undefined) return undefined
  const numeric = first.value.kind === 'literal'
  const width = partsOf(first.value).length
  const parts = Array.from({ length: width }, (_, at) => explanationsOf(first, at))
  for (const boundary of boundaries) {
    const values = partsOf(boundary.value)
    if (values.length !== width || (boundary.value.kind === 'literal') !== numeric) return undefined
    for (const [at, held] of parts.entries()) {
      const left = held.filter((one) => explain(one, boundary.subject) === values[at])
      const fixed = ofOnePage && at === 0 && width > 1 && left.length > 0
      if (!fixed && left.every(isConstant)) return undefined
      parts[at] = left
    }
  }
  const believed = parts.map((held, at) =>
    held.every(isConstant) ? held : withoutChance(held, boundaries, at),
  )
  if (believed.some((held) => held.length === 0)) return undefined
  return { parts: believed, numeric, boundaries: boundaries.length }
}

const isConstant = (one: Explanation): boolean => one.kind === 'constant'

/** The rule that the value is the number of rows before it. */
export const countingRuleOf = (numeric: boolean, boundaries: number): ContinueRule => ({
  parts: [[{ kind: 'offset' }]],
  numeric,
  boundaries,
})

const valueText = (value: JsonTree): string =>
  value.kind === 'string' ? value.value : value.kind === 'literal' ? value.text : ''
const partsOf = (value: JsonTree): readonly string[] => valueText(value).split('|')

function explanationsOf(boundary: Boundary, at: number): readonly Explanation[] {
  const wanted = partsOf(boundary.value)[at] ?? ''
  const found: Explanation[] = [{ kind: 'constant', text: wanted }]
  for (const of of ['item', 'page'] as const) {
    const names = membersOf(boundary.subject[of]).map((member) => member.key)
    for (const name of names) {
      for (const as of spellings)
        if (as !== 'category-type' || name === 'ns') found.push({ kind: 'member', of, name, as })
    }
  }
  if (textOf(boundary.subject.item) !== undefined)
    for (const as of spellings) found.push({ kind: 'member', of: 'item', name: '', as })
  return found.filter((one) => explain(one, boundary.subject) === wanted)
}

/** True where a part is a title as the database has it: then digits in it are letters like others. */
export const namesTitle = (one: Explanation): boolean => one.kind === 'member' && one.as.startsWith('db-key')

const spellings: readonly Spelled[] = [
  'itself',
  'db-key',
  'db-key-without-namespace',
  'digits-of-time',
  'category-type',
]

function explain(one: Explanation, subject: Subject, offset?: number): string | undefined {
  switch (one.kind) {
    case 'constant':
      return one.text
    case 'offset':
      return offset === undefined ? undefined : String(offset)
    case 'member': {
      const from = one.of === 'item' ? subject.item : subject.page
      const member = one.name === '' ? from : memberOf(from, one.name)
      return member === undefined ? undefined : spell(member, one.as, from)
    }
  }
}

function spell(member: JsonTree, as: Spelled, beside: JsonTree | undefined): string | undefined {
  const text = textOf(member) ?? (numberOf(member) === undefined ? undefined : valueText(member))
  if (text === undefined) return undefined
  switch (as) {
    case 'itself':
      return text
    case 'db-key':
      return member.kind === 'string' ? dbKey(text) : undefined
    case 'db-key-without-namespace': {
      if (member.kind !== 'string') return undefined
      const ns = numberOf(memberOf(beside, 'ns'))
      const colon = text.indexOf(':')
      if (ns === undefined || (ns !== 0 && colon < 0)) return undefined
      return dbKey(ns === 0 ? text : text.slice(colon + 1))
    }
    case 'digits-of-time':
      return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) ? text.replace(/\D/g, '') : undefined
    case 'category-type':
      return /^-?\d+$/.test(text) ? (text === '14' ? 'subcat' : text === '6' ? 'file' : 'page') : undefined
  }
}

/** A title as the database holds it. */
export const dbKey = (title: string): string => (title.includes(' ') ? title.replaceAll(' ', '_') : title)

/**
 * The explanations that may be believed. A short number is soon equal to some other number of the row: too few
 * characters seen prove nothing. Where all boundaries show one short value, it stays as an explanation of its own,
 * so that the rule speaks only where the others agree with it.
 */
function withoutChance(
  held: readonly Explanation[],
  boundaries: readonly Boundary[],
  at: number,
): readonly Explanation[] {
  const enough = Math.min(4, ...held.map(proofFor))
  const likely = withoutSpaces(held)
  if (weighs(boundaries, at, enough)) return likely.filter((one) => !isConstant(one))
  return likely.some(isConstant) ? likely : []
}

/** True where the different values of that part come to so many characters, of which digits count half. */
function weighs(boundaries: readonly Boundary[], at: number, enough: number): boolean {
  const seen = new Set<string>()
  let weight = 0
  for (const { value } of boundaries) {
    const part = partsOf(value)[at] ?? ''
    if (!seen.has(part)) weight += /^\d+$/.test(part) ? part.length : 2 * part.length
    if (weight >= enough) return true
    seen.add(part)
  }
  return false
}

/** The rows of a prop begin with their page's id in most modules, and many others end in a page's: less proof will do. */
const proofFor = (one: Explanation): number =>
  one.kind === 'member' && one.name === 'pageid' ? (one.of === 'page' ? 2 : 3) : 4

/** In the database a title has no spaces and no namespace, so of several explanations by a title that one holds. */
function withoutSpaces(held: readonly Explanation[]): readonly Explanation[] {
  const isTitle = (one: Explanation): boolean => one.kind === 'member' && one.name === 'title'
  const isKey = (one: Explanation): boolean =>
    one.kind === 'member' && one.name === 'title' && one.as === 'db-key-without-namespace'
  return held.some(isKey) ? held.filter((one) => !isTitle(one) || isKey(one)) : held
}

/** The continue value for going on from that row; undefined where the surviving explanations differ. */
export function predict(rule: ContinueRule, subject: Subject, offset?: number): JsonTree | undefined {
  const text = predictText(rule, subject, offset)
  if (text === undefined) return undefined
  return rule.numeric ? { kind: 'literal', text } : jsonString(text)
}

/** The same as a client sends it back. */
export function predictText(rule: ContinueRule, subject: Subject, offset?: number): string | undefined {
  let text: string | undefined
  for (const held of rule.parts) {
    let part: string | undefined
    for (const one of held) {
      const said = explain(one, subject, offset)
      if (said === undefined || (part !== undefined && said !== part)) return undefined
      part = said
    }
    if (part === undefined) return undefined
    text = text === undefined ? part : `${text}|${part}`
  }
  return text
}

/** True where the rule counts rows instead of naming one. */
export const isRunningOffset = (rule: ContinueRule): boolean =>
  rule.parts.every((held) => held.some((one) => one.kind === 'offset'))

/** The rule in words, e.g. `ns | pageid`, `title as DB key`. */
export const describeRule = (rule: ContinueRule): string =>
  rule.parts.map((held) => describe(held.find((one) => one.kind !== 'constant') ?? held[0])).join(' | ')

const words: Readonly<Record<Spelled, string>> = {
  itself: '',
  'db-key': ' as DB key',
  'db-key-without-namespace': ' as DB key without namespace',
  'digits-of-time': ' as 14 digits',
  'category-type': ' as kind of member',
}

function describe(one: Explanation | undefined): string {
  if (one === undefined || one.kind === 'constant') return JSON.stringify(one?.text ?? '')
  if (one.kind === 'offset') return 'running offset'
  const owner = one.of === 'page' ? 'page ' : ''
  return `${owner}${one.name === '' ? 'value' : one.name}${words[one.as]}`
}

/** The title or name that a rule begins with, as the wiki sorts it; undefined for rules that begin with anything else. */
export function keyText(rule: ContinueRule, subject: Subject): string | undefined {
  const [first = []] = rule.parts
  const named = first.every((one) => isName(one, subject))
  const texts = new Set(first.map((one) => explain(one, subject)))
  const [text] = texts
  return named && texts.size === 1 ? text : undefined
}

const naming: ReadonlySet<Spelled> = new Set(['itself', 'db-key', 'db-key-without-namespace'])

const isName = (one: Explanation, { item }: Subject): boolean =>
  one.kind === 'member' &&
  one.of === 'item' &&
  naming.has(one.as) &&
  textOf(one.name === '' ? item : memberOf(item, one.name)) !== undefined
