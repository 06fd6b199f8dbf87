/** Any character of Unicode, as text is made of. */
import fc from 'fast-check'

const surrogates = { first: 0xd800, count: 0x800 }

const toCharacter = (at: number): string =>
  String.fromCodePoint(at < surrogates.first ? at : at + surrogates.count)

function toNumber(character: unknown): number {
  const code = typeof character === 'string' ? (character.codePointAt(0) ?? 0) : 0
  const at = code < surrogates.first ? code : code - surrogates.count
  if (toCharacter(at) !== character)
    throw new Error(`${JSON.stringify(character)} is not one character`)
  return at
}

/**
 * The same characters as fast-check's own `unit: 'binary'`, for `fc.string`, which for that one lists all of them in
 * every process: half a second.
 */
export const character: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - surrogates.count })
  .map(toCharacter, toNumber)
