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
  return spelling === 'utf8' ? text : asciiBytes(Buffer.from(text)).toString('latin1')
}

/** A character has at least two bytes in UTF-8 for the six of its escape. */
export const maxAsciiGrowth = 3

/** Compact JSON with every character from U+0080 on escaped. @param utf8 valid UTF-8 */
export function asciiBytes(utf8: Uint8Array): Buffer {
  // `replace` with a function takes ten times as long.
  const ascii = Buffer.allocUnsafe(maxAsciiGrowth * utf8.length)
  let length = 0
  for (let at = 0; at < utf8.length; ) {
    const byte = utf8[at] ?? 0
    if (byte < 0x80) {
      ascii[length++] = byte
      at += 1
      continue
    }
    length = escapeCharacter(utf8, at, ascii, length)
    at += bytesOfCharacter(byte)
  }
  return Buffer.from(ascii.subarray(0, length))
}

/** @param first of its bytes, from 0x80 on */
export const bytesOfCharacter = (first: number): number =>
  first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4

/** Writes the escape of the character at an offset. @returns the offset behind it in `ascii` */
export function escapeCharacter(
  utf8: Uint8Array,
  at: number,
  ascii: Buffer,
  to: number
): number {
  const first = utf8[at] ?? 0
  const count = bytesOfCharacter(first)
  let code = first & (0x7f >> count)
  for (let next = at + 1; next < at + count; next += 1)
    code = (code << 6) | ((utf8[next] ?? 0) & 0x3f)
  if (code < 0x10000) return writeEscape(ascii, to, code)
  // Two surrogates.
  const between = writeEscape(ascii, to, 0xd7c0 + (code >> 10))
  return writeEscape(ascii, between, 0xdc00 | (code & 0x3ff))
}

/** @returns the offset behind it */
function writeEscape(ascii: Buffer, at: number, unit: number) {
  ascii[at] = 0x5c
  ascii[at + 1] = 0x75
  for (let digit = 0; digit < 4; digit += 1)
    ascii[at + 2 + digit] = hexDigits.charCodeAt((unit >> (12 - 4 * digit)) & 0xf)
  return at + 6
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
export const writePretty = (tree: JsonTree, indent = '  '): string =>
  pretty(tree, indent, '\n')

function pretty(tree: JsonTree, indent: string, newline: string) {
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

const unicodeEscape = (unit: string) =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Lone surrogates are escaped as well: they cannot be written as UTF-8. */
const quoteString = (value: string): string =>
  /["\\\u0000-\u001f\u2028\u2029\ud800-\udfff]/.test(value)
    ? JSON.stringify(value).replace(/[\u2028\u2029]/g, unicodeEscape)
    : `"${value}"`
