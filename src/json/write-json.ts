/** Trees as text: in MediaWiki's compact spelling, and in the readable one of cassettes. */
import type { JsonTree } from './json-tree.ts'

/**
 * How MediaWiki spells characters from U+0080 on: `ascii` as lower-case `\uXXXX`,
 * `utf8` as themselves except U+2028 and U+2029. `/` is never escaped.
 */
export type Spelling = 'ascii' | 'utf8'

/** The text as MediaWiki's `format=json` writes it: no white space, one spelling. */
export function writeCompact(tree: JsonTree, spelling: Spelling): string {
  const text = compact(tree)
  return spelling === 'utf8' ? text : asciiBytes(text).toString('latin1')
}

/** The bytes of a compact text with every character from U+0080 on escaped. */
export function asciiBytes(compact: string): Buffer {
  // `replace` with a function takes ten times as long for Cyrillic text.
  const bytes = Buffer.allocUnsafe(6 * compact.length)
  let end = 0
  for (let at = 0; at < compact.length; at += 1) {
    const unit = compact.charCodeAt(at)
    if (unit < 0x80) bytes[end++] = unit
    else {
      bytes[end++] = 0x5c
      bytes[end++] = 0x75
      for (let shift = 12; shift >= 0; shift -= 4) bytes[end++] = hexDigits.charCodeAt((unit >> shift) & 0xf)
    }
  }
  return Buffer.from(bytes.subarray(0, end))
}

const hexDigits = '0123456789abcdef'

function compact(tree: JsonTree): string {
  if (tree.kind === 'string') return quoteString(tree.value)
  if (tree.kind === 'literal') return tree.text
  // `join` gives a flat string, which is faster to search than a concatenated one.
  if (tree.kind === 'array') return `[${tree.items.map(compact).join(',')}]`
  return `{${tree.members.map(({ key, value }) => `${quoteString(key)}:${compact(value)}`).join(',')}}`
}

/** Readable text: one member or item a line, `indent` a level, real characters. No final newline. */
export function writePretty(tree: JsonTree, indent = '  '): string {
  return pretty(tree, indent, '\n')
}

function pretty(tree: JsonTree, indent: string, newline: string): string {
  if (tree.kind === 'literal') return tree.text
  if (tree.kind === 'string') return quoteString(tree.value)
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
    text += `${between}${quoteString(key)}: ${pretty(value, indent, inner)}`
    between = `,${inner}`
  }
  return text === '' ? '{}' : `{${text}${newline}}`
}

const unicodeEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Lone surrogates are escaped as well: they cannot be written as UTF-8. */
const quoteString = (value: string): string => JSON.stringify(value).replace(/[\u2028\u2029]/g, unicodeEscape)
