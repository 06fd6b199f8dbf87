/** How a client spells requests: out of one of them, the others that differ from it in values alone. */
import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import type { Derivation, StepRule } from '../request/derive.ts'
import type { CanonicalRequest } from '../request/key.ts'
import { parseUrlencoded } from '../wiki/params.ts'
import { type Exchange, targetParts } from './exchange.ts'

/** One parameter as it was sent. */
interface Pair {
  readonly text: string
  readonly name: string
  /** Undefined where a recording does not tell how it was spelled: all requests have that of the client's. */
  readonly value: string | undefined
}

export interface Pattern {
  readonly path: string
  readonly pairs: readonly Pair[]
  readonly spacing: 'plus' | 'escaped'
}

/** What requests of one pattern have in common: which modules they ask, and which parameters of theirs count. */
export const shapeOf = (request: CanonicalRequest): string =>
  `${folderOf(request)}?${[...request.keys()].sort().join('&')}`

/** What the key of a recording keeps no spelling of. */
const unspelled: ReadonlySet<StepRule> = new Set(['transport', 'default', 'presence', 'unknown'])

/** Undefined where one of its parameters is sent twice, or in a way that no value can be put into. */
export function patternOf({ method, target, body }: Exchange, { steps }: Derivation): Pattern | undefined {
  const [path, query] = targetParts(target)
  const form = method === 'POST' ? Buffer.from(body).toString('latin1') : ''
  const texts = [form, query].flatMap((text) => (text === '' ? [] : text.split('&')))
  const rules = new Map(steps.map(({ name, rule }) => [name, rule]))
  const pairs: Pair[] = []
  for (const text of texts) {
    const [[name, value] = [], more] = [...parseUrlencoded(text)]
    const rule = name === undefined ? undefined : rules.get(name)
    if (name === undefined || rule === undefined || more !== undefined || name.includes('[')) return undefined
    rules.delete(name)
    pairs.push({ text, name, value: unspelled.has(rule) ? undefined : value })
  }
  const isWhole = rules.size === 0 && path.endsWith('/api.php')
  return isWhole ? { path, pairs, spacing: query.includes('+') ? 'plus' : 'escaped' } : undefined
}

/** The target of a GET for what a recording of the pattern's shape answers; undefined where it cannot be spelled. */
export function spelledLike(
  { path, pairs, spacing }: Pattern,
  { request, asked }: Pick<Interaction, 'request' | 'asked'>,
): string | undefined {
  const texts: string[] = []
  for (const { text, name, value } of pairs) {
    const wanted = value === undefined ? undefined : (asked.get(name) ?? request.get(name))
    if (value !== undefined && wanted?.isWellFormed() !== true) return undefined
    const isOther = wanted !== undefined && wanted !== value
    texts.push(isOther ? `${text.slice(0, text.indexOf('=') + 1)}${escaped(wanted, spacing)}` : text)
  }
  return `${path}?${texts.join('&')}`
}

/** As browsers and most libraries do; a request spelled otherwise is found by what it says. */
const escaped = (value: string, spacing: Pattern['spacing']): string =>
  spacing === 'plus' ? new URLSearchParams([['', value]]).toString().slice(1) : encodeURIComponent(value)
