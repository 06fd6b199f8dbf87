/** Trees back to text: MediaWiki's own compact spelling, and the readable one that cassettes are kept in. */
import type { JsonTree } from './tree.ts'

/**
 * How MediaWiki spells characters from U+0080 on: `ascii` as lower-case `\uXXXX`,
 * `utf8` as themselves except U+2028 and U+2029. `/` is never escaped.
 */
export type Spelling = 'ascii' | 'utf8'

/** The text as MediaWiki's `format=json` writes it: no white space, one spelling. */
export function writeCompact(tree: JsonTree, spelling: Spelling): string {
  const text = compact(tree)
  // Beyond ASCII there is nothing outside of strings.
  return spelling === 'utf8' || !/[\u0080-\uffff]/.test(text) ? text : text.replace(/[\u0080-\uffff]/g, hex)
}

function compact(tree: JsonTree): string {
  if (tree.kind === 'string') return quote(tree.value)
  if (tree.kind === 'literal') return tree.text
  // Joined at once: what is added up piece by piece has to be put together again before it is searched.
  if (tree.kind === 'array') return `[${tree.items.map(compact).join(',')}]`
  let text = ''
  for (const { key, value } of tree.members) {
    text += `${(text === '' ? '' : ',') + quotedName(key)}:${compact(value)}`
  }
  return `{${text}}`
}

/** Readable text: one member or item a line, `indent` a level, real characters. No final newline. */
export function writePretty(tree: JsonTree, indent = '  '): string {
  return pretty(tree, indent, '\n')
}

function pretty(tree: JsonTree, indent: string, newline: string): string {
  if (tree.kind === 'literal') return tree.text
  if (tree.kind === 'string') return quote(tree.value)
  const inner = newline + indent
  let between = inner
  let text = ''
  if (tree.kind === 'array') {
    for (const item of tree.items) {
      text += between + pretty(item, indent, inner)
      between = `,${inner}`
    }
    return text === '' ? '[]' : `[${text}${newline}]`
  }
  for (const { key, value } of tree.members) {
    text += `${between}${quotedName(key)}: ${pretty(value, indent, inner)}`
    between = `,${inner}`
  }
  return text === '' ? '{}' : `{${text}${newline}}`
}

/** Names of members come again and again. */
const quotedNames = new Map<string, string>()
const mostNames = 10_000

function quotedName(name: string): string {
  const held = quotedNames.get(name)
  if (held !== undefined) return held
  const quoted = quote(name)
  if (quotedNames.size < mostNames && name.length < 40) quotedNames.set(name, quoted)
  return quoted
}

/** What is not written as it is, or only in pairs. */
const special = /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/
const needsEscape = /["\\\u0000-\u001f]/
const short: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
])

const hex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
const escapeBase = (unit: string): string => short.get(unit) ?? hex(unit)

/** Lone surrogates are escaped as well: they cannot be written as UTF-8. */
function quote(value: string): string {
  if (!special.test(value)) return `"${value}"`
  const based = needsEscape.test(value) ? value.replace(/["\\\u0000-\u001f]/g, escapeBase) : value
  const whole = /[\u2028\u2029\ud800-\udfff]/.test(based)
    ? based.replace(
        /[\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
        hex,
      )
    : based
  return `"${whole}"`
}
