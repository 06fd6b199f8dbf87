/** Arbitrary JSON, as trees and as texts in every spelling that RFC 8259 allows. */
import fc from 'fast-check'
import type { JsonTree } from '../../src/recorder/json/json-tree.ts'
import { character } from './any-text.ts'

/** Any string at all: lone surrogates, control characters, line separators. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: character, maxLength: 12 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 6 })
    .map((units) => String.fromCharCode(...units)),
  fc.constantFrom(
    '',
    '__proto__',
    'constructor',
    '\u2028',
    '\u2029',
    '\ud800',
    '\udc00\ud800',
    '"\\/\b\f\n\r\t',
    '\u007f\u0080'
  )
)

/** Names as wikis use them: page ids, negative ids, prototypes. */
const anyKey: fc.Arbitrary<string> = fc.oneof(
  anyString,
  fc.integer({ min: -5, max: 200 }).map(String),
  fc.constantFrom('__proto__', 'toString', 'debuginfo', 'requestid', '*', '')
)

const anyLiteral: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'true',
    'false',
    'null',
    '0',
    '-0',
    '1.0',
    '1e5',
    '1E+05',
    '-0.000',
    '1e-400',
    '9007199254740993',
    '0.1e1'
  ),
  fc.integer().map(String)
)

/** Any JSON value; objects may hold one name twice. */
export const anyTree: fc.Arbitrary<JsonTree> = fc.letrec<{ tree: JsonTree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    anyString.map((value): JsonTree => ({ kind: 'string', value })),
    anyLiteral.map((text): JsonTree => ({ kind: 'literal', text })),
    fc
      .array(tie('tree'), { maxLength: 5 })
      .map((items): JsonTree => ({ kind: 'array', items })),
    fc
      .array(fc.record({ key: anyKey, value: tie('tree') }), { maxLength: 5 })
      .map((members): JsonTree => ({ kind: 'object', members }))
  )
})).tree

/** A tree with a text of it: white space anywhere, each character of a string escaped or not. */
export const anySpelling: fc.Arbitrary<readonly [tree: JsonTree, text: string]> = fc
  .tuple(anyTree, fc.infiniteStream(fc.nat(7)))
  .map(([tree, choices]) => {
    const choose = (): number => choices.next().value ?? 0
    const gap = (): string => ['', '', '', ' ', '\n', '\r\n', '\t', '  '][choose()] ?? ''
    return [tree, `${gap()}${spell(tree, choose, gap)}${gap()}`]
  })

function spell(tree: JsonTree, choose: () => number, gap: () => string): string {
  switch (tree.kind) {
    case 'string':
      return spellString(tree.value, choose)
    case 'literal':
      return tree.text
    case 'array':
      return `[${tree.items.map((item) => gap() + spell(item, choose, gap) + gap()).join(',')}]`
    case 'object':
      return `{${tree.members
        .map(
          ({ key, value }) =>
            `${gap()}${spellString(key, choose)}${gap()}:${gap()}${spell(value, choose, gap)}${gap()}`
        )
        .join(',')}}`
  }
}

const short: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '/': '\\/'
}

function spellString(value: string, choose: () => number): string {
  let text = ''
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charAt(at)
    const must = /["\\\u0000-\u001f\ud800-\udfff]/.test(unit)
    const hex = `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    const choice = choose()
    if (choice === 0) text += hex.toUpperCase().replace('\\U', '\\u')
    else if (choice === 1) text += hex
    else
      text += must
        ? unit === '"' || unit === '\\'
          ? `\\${unit}`
          : (short[unit] ?? hex)
        : unit
  }
  return `"${text}"`
}
