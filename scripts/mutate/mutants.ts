/** What can be changed in a source, by its syntax, and the source with such changes behind switches. */
import { parseSync } from 'vite'

/** One change of one place. */
export interface Change {
  /** Where it stands in the text, and what is put there instead; what is there is left if `by` is undefined, as a statement. */
  readonly start: number
  readonly end: number
  readonly by: string | undefined
  readonly depth: number
}

export interface Mutant extends Change {
  readonly id: number
  readonly file: string
  readonly line: number
  readonly was: string
}

/** As ESTree has it; what else a node holds is looked at as it comes. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const turned: Readonly<Record<string, readonly string[]>> = {
  '===': ['!=='],
  '!==': ['==='],
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '&&': ['||'],
  '||': ['&&'],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*']
}

const loops: ReadonlySet<string> = new Set([
  'WhileStatement',
  'DoWhileStatement',
  'ForStatement'
])
const leaving: ReadonlySet<string> = new Set([
  ...['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement']
])
/** TypeScript's nodes that hold something that runs. */
const running: ReadonlySet<string> = new Set([
  ...[
    'TSAsExpression',
    'TSSatisfiesExpression',
    'TSNonNullExpression',
    'TSParameterProperty'
  ]
])

type Visit = (node: Node, depth: number) => void

/** Visits what runs, outer nodes first; names of members and types are no code. */
function walk(node: Node, visit: Visit, depth = 0): void {
  if (node.type.startsWith('TS') && !running.has(node.type)) return
  if (node.type.startsWith('Import') && node.type !== 'ImportExpression') return
  visit(node, depth)
  for (const [member, value] of Object.entries(node)) {
    if (member === 'key' && node['computed'] !== true) continue
    for (const inner of Array.isArray(value) ? value : [value])
      if (isNode(inner)) walk(inner, visit, depth + 1)
  }
}

const program = (file: string, text: string): Node =>
  parseSync(file, text).program as unknown as Node

/** Every change that can be drawn of a file. */
export function changesOf(file: string, text: string): readonly Change[] {
  const changes: Change[] = []
  walk(program(file, text), (node, depth) => {
    const source = text.slice(node.start, node.end)
    for (const by of replacements(node, text))
      if (by !== source) changes.push({ start: node.start, end: node.end, by, depth })
    if (
      node.type === 'ExpressionStatement' &&
      node['directive'] === undefined &&
      !source.startsWith('super')
    )
      changes.push({ start: node.start, end: node.end, by: undefined, depth })
    if (node.type === 'IfStatement') changes.push(...neverTaken(node, depth))
  })
  return changes
}

function replacements(node: Node, text: string): readonly string[] {
  const { left, right, operator, argument, value } = node
  if (
    isNode(left) &&
    isNode(right) &&
    typeof operator === 'string' &&
    node.type !== 'AssignmentExpression'
  ) {
    const between = text.slice(left.end, right.start)
    const isText = operator === '+' && [left, right].some((side) => isTextual(side))
    return (isText ? [] : (turned[operator] ?? [])).map(
      (other) =>
        text.slice(node.start, left.end) +
        between.replace(operator, other) +
        text.slice(right.start, node.end)
    )
  }
  if (node.type === 'UnaryExpression' && operator === '!' && isNode(argument))
    return [`!!(${text.slice(argument.start, argument.end)})`]
  if (node.type === 'Literal' && typeof value === 'number') return [String(value + 1)]
  if (node.type === 'Literal' && typeof value === 'boolean') return [String(!value)]
  if (node.type === 'ConditionalExpression') return swapped(node, text)
  return []
}

const isTextual = ({ type, value }: Node): boolean =>
  type === 'TemplateLiteral' || typeof value === 'string'

function swapped({ test, consequent, alternate }: Node, text: string): readonly string[] {
  if (
    !isNode(test) ||
    !isNode(consequent) ||
    !isNode(alternate) ||
    test.type === 'BinaryExpression'
  )
    return []
  const [asked, yes, no] = [test, consequent, alternate].map(({ start, end }) =>
    text.slice(start, end)
  )
  return [`(${asked}) ? (${no}) : (${yes})`]
}

/** An early way out that is not taken. */
function neverTaken({ test, consequent }: Node, depth: number): readonly Change[] {
  if (!isNode(test) || !isNode(consequent) || !leaving.has(consequent.type)) return []
  return [{ start: test.start, end: test.end, by: 'false', depth: depth + 1 }]
}

/** What is put before and after a piece of text. */
interface Around {
  readonly start: number
  readonly end: number
  readonly depth: number
  readonly before: string
  readonly after: string
}

/** The source with the changes in it, each made while its number is the chosen one; and steps of loops counted. */
export function woven(file: string, text: string, mutants: readonly Mutant[]): string {
  const around: Around[] = mutants.map(({ id, start, end, by, depth }) =>
    by === undefined
      ? { start, end, depth, before: `if(!__mutant(${id})){`, after: '}' }
      : { start, end, depth, before: `(__mutant(${id})?(${by}):(`, after: '))' }
  )
  walk(program(file, text), ({ type, test }, depth) => {
    if (loops.has(type) && isNode(test))
      around.push({
        start: test.start,
        end: test.end,
        depth: depth + 1,
        before: '(__step(),(',
        after: '))'
      })
  })
  return put(text, around)
}

function put(text: string, around: readonly Around[]): string {
  const opening = around.map((one, order) => ({
    at: one.start,
    part: one.before,
    first: 1,
    by: one.depth,
    order
  }))
  const closing = around.map((one, order) => ({
    at: one.end,
    part: one.after,
    first: 0,
    by: -one.depth,
    order: -order
  }))
  let done = ''
  let last = 0
  const all = [...opening, ...closing]
  for (const { at, part } of all.sort(
    (a, b) => a.at - b.at || a.first - b.first || a.by - b.by || a.order - b.order
  )) {
    done += text.slice(last, at) + part
    last = at
  }
  return done + text.slice(last)
}
