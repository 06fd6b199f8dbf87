/** PHP-serialized text, e.g. `a:1:{s:5:"query";a:0:{}}`: its tokens, without recursion. Source: PHP manual, serialize. */

import {
  type JsonMember,
  type JsonTree,
  jsonArray,
  jsonString,
  objectOf
} from '../../json/json-tree.ts'

export interface PhpToken {
  readonly kind: 'string' | 'scalar' | 'array' | 'end'
  /** A string's text, a scalar's spelling; empty for the beginning and the end of an array. */
  readonly value: string
  readonly isKey: boolean
  /** How many arrays are open around it. */
  readonly depth: number
  /** Offsets in the bytes. */
  readonly start: number
  readonly end: number
}

/** One character a byte, so that lengths can be counted. */
export const toBytes = (text: string): string =>
  Buffer.from(text, 'utf8').toString('latin1')
export const fromBytes = (bytes: string): string =>
  Buffer.from(bytes, 'latin1').toString('utf8')

/** Visits each token. @returns true where the bytes are one whole serialized value */
export function walkPhp(bytes: string, visit: (token: PhpToken) => void): boolean {
  /** How many keys and values are left of each array that is open. */
  const left: number[] = []
  let at = 0
  do {
    const depth = left.length
    const isKey = depth > 0 && (left[depth - 1] ?? 0) % 2 === 0
    if (depth > 0) left[depth - 1] = (left[depth - 1] ?? 0) - 1
    const token = tokenAt(bytes, at)
    // A key is a text or a number.
    if (!token || (isKey && token.kind !== 'string' && token.value === '')) return false
    visit({ ...token, isKey, depth, start: at })
    at = token.end
    if (token.kind === 'array') left.push(2 * token.length)
    for (; left.at(-1) === 0; at += 1) {
      if (bytes[at] !== '}') return false
      visit({
        kind: 'end',
        value: '',
        isKey: false,
        depth: left.length,
        start: at,
        end: at + 1
      })
      left.pop()
    }
  } while (left.length > 0)
  return at === bytes.length
}

const tokenPattern = /([sa]):(\d{1,10}):["{]|(?:N|b:[01]|[id]:([-+.\dA-Z]{1,40}));/iy

function tokenAt(
  bytes: string,
  at: number
): (Pick<PhpToken, 'kind' | 'value' | 'end'> & { readonly length: number }) | undefined {
  tokenPattern.lastIndex = at
  const [head, kind, digits, number] = tokenPattern.exec(bytes) ?? []
  if (head === undefined) return undefined
  const length = Number(digits)
  const start = at + head.length
  if (kind === undefined)
    return { kind: 'scalar', value: number ?? '', length, end: start }
  if (kind === 'a')
    return head.endsWith('{')
      ? { kind: 'array', value: '', length, end: start }
      : undefined
  const end = start + length + 2
  const isString = head.endsWith('"') && bytes.slice(end - 2, end) === '";'
  return isString
    ? { kind: 'string', value: fromBytes(bytes.slice(start, end - 2)), length, end }
    : undefined
}

/** Undefined where the text is not one whole serialized value. @param change `path` is only valid during the call */
export function mapPhpStrings(
  text: string,
  change: (value: string, path: readonly string[]) => string
): string | undefined {
  if (!/^[as]:\d/.test(text)) return undefined
  const bytes = toBytes(text)
  const path: string[] = []
  let mapped = ''
  const isWhole = walkPhp(bytes, ({ kind, value, isKey, start, end }) => {
    if (kind === 'end') path.pop()
    if (isKey) path[path.length - 1] = value
    const changed = kind === 'string' && !isKey ? change(value, path) : value
    const text = toBytes(changed)
    mapped += changed === value ? bytes.slice(start, end) : `s:${text.length}:"${text}";`
    if (kind === 'array') path.push('')
  })
  return isWhole ? fromBytes(mapped) : undefined
}

/**
 * The value as JSON, where that is certain: of texts and integers. PHP does not tell an empty list from an empty map: both
 * become an empty list.
 */
export function readPhp(text: string): JsonTree | undefined {
  const bytes = toBytes(text)
  const open: JsonMember[][] = [[]]
  const keys: string[] = []
  let isCertain = true
  const add = (value: JsonTree) =>
    void open.at(-1)?.push({ key: keys.pop() ?? '', value })
  const isWhole = walkPhp(bytes, ({ kind, value, isKey, start }) => {
    if (isKey) keys.push(value)
    else if (kind === 'array') open.push([])
    else if (kind === 'end') add(listOrMap(open.pop() ?? []))
    else if (kind === 'string') add(jsonString(value))
    else if (bytes[start] === 'i') add({ kind: 'literal', text: value })
    else isCertain = false
  })
  return isWhole && isCertain ? open[0]?.[0]?.value : undefined
}

const listOrMap = (members: readonly JsonMember[]) =>
  members.every(({ key }, at) => key === String(at))
    ? jsonArray(members.map(({ value }) => value))
    : objectOf(members)
