/** Trees back to text: MediaWiki's own compact spelling, and the readable one that cassettes are kept in. */
import type { JsonTree } from './tree.ts'

/**
 * How MediaWiki spells characters from U+0080 on: `ascii` as lower-case `\uXXXX`,
 * `utf8` as themselves except U+2028 and U+2029. `/` is never escaped.
 */
export type Spelling = 'ascii' | 'utf8'

/** The text as MediaWiki's `format=json` writes it: no white space, one spelling. */
export function writeCompact(tree: JsonTree, spelling: Spelling): string {
  return compact(tree, spelling === 'ascii' ? quoteAscii : quoteUtf8)
}

function compact(tree: JsonTree, quote: (value: string) => string): string {
  if (tree.kind === 'string') return quote(tree.value)
  if (tree.kind === 'literal') return tree.text
  let text = ''
  if (tree.kind === 'array') {
    for (const item of tree.items) text += (text === '' ? '' : ',') + compact(item, quote)
    return `[${text}]`
  }
  for (const { key, value } of tree.members) {
    text += `${(text === '' ? '' : ',') + quote(key)}:${compact(value, quote)}`
  }
  return `{${text}}`
}

/** Readable text: one member or item a line, `indent` a level, real characters. No final newline. */
export function writePretty(tree: JsonTree, indent = '  '): string {
  return pretty(tree, indent, '\n')
}

function pretty(tree: JsonTree, indent: string, newline: string): string {
  const inner = newline + indent
  let text = ''
  if (tree.kind === 'array' && tree.items.length > 0) {
    for (const item of tree.items) text += (text === '' ? '' : ',') + inner + pretty(item, indent, inner)
    return `[${text}${newline}]`
  }
  if (tree.kind === 'object' && tree.members.length > 0) {
    for (const { key, value } of tree.members) {
      text += `${(text === '' ? '' : ',') + inner + quoteUtf8(key)}: ${pretty(value, indent, inner)}`
    }
    return `{${text}${newline}}`
  }
  return compact(tree, quoteUtf8)
}

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

function quoteAscii(value: string): string {
  if (!/["\\\u0000-\u001f\u0080-\uffff]/.test(value)) return `"${value}"`
  return `"${value.replace(/["\\\u0000-\u001f\u0080-\uffff]/g, escapeBase)}"`
}

/** Lone surrogates are escaped as well: they cannot be written as UTF-8. */
function quoteUtf8(value: string): string {
  const based = needsEscape.test(value) ? value.replace(/["\\\u0000-\u001f]/g, escapeBase) : value
  const whole = /[\u2028\u2029\ud800-\udfff]/.test(based)
    ? based.replace(
        /[\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
        hex,
      )
    : based
  return `"${whole}"`
}
