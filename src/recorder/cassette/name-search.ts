/**
 * What the names of recordings tell without reading their files (docs/decisions/0225): which of them may be of use for a
 * request, and how like it they are. Of a name that may be cut off, the whole is read from its file once.
 */
import type { CanonicalRequest } from '../request/request-key.ts'
import { isNameCut, readableName, wholePart } from './interaction-path.ts'

/** A name without key and ending, as bytes: in a text each would cost a hundred times as much. */
export type NameTest<T = boolean> = (names: Buffer, start: number, end: number) => T

/** A test of whole names, and what its result is kept under. */
export interface NameChoice {
  readonly id: string
  readonly test: NameTest
}

/** More recordings than this are chosen by their names before they are read. */
export const maxReadUnchosen = 300

/** Recordings that may have all these parameters. */
export function mayHaveAll(params: readonly (readonly [string, string])[]): NameChoice {
  const parts = params.map(([name, value]) => Buffer.from(wholePart(name, value)))
  return {
    id: JSON.stringify(params),
    test: (names, start, end) => parts.every((part) => find(names, part, start, end) >= 0)
  }
}

/** Recordings that may have one of these values in a parameter of several. */
export function mayHaveValue(param: string, values: readonly string[]): NameChoice {
  const begin = Buffer.from(wholePart(param, ''))
  const wanted = values.map((value) =>
    Buffer.from(trimmed(wholePart('', value).slice(1)))
  )
  return {
    id: JSON.stringify([param, ...values]),
    test: (names, start, end) => {
      const at = find(names, begin, start, end)
      return at >= 0 && wanted.some((one) => hasWord(names, one, at + begin.length, end))
    }
  }
}

/** How like the name of a recording of this request: the length of what they begin and end with alike. */
export function likenessTo(request: CanonicalRequest): NameTest<number> {
  const wanted = Buffer.from(readableName(request))
  return (names, start, end) => {
    const shorter = Math.min(wanted.length, end - start)
    let before = 0
    while (before < shorter && names[start + before] === wanted[before]) before += 1
    let behind = 0
    while (
      behind < shorter - before &&
      names[end - 1 - behind] === wanted[wanted.length - 1 - behind]
    )
      behind += 1
    // Of two that share as much, the one that has less besides.
    return before + behind - (end - start) / 1000
  }
}

const comma = 0x2c
const equals = 0x3d
const underscore = 0x5f

/** Every run of characters that no name may have is one `_`, so that words may touch. */
const trimmed = (text: string) => text.replace(/^_+|_+$/g, '')

/** Bytes of a value in a name; those of a character that was cut are missing. */
const maxValueBytes = 38
/** What one `_` may stand for: a separator with a space or bracket beside it. */
const bytesOfUnderscore = 3

/** False of a name that may be cut off, or a value in it. */
export function isWhole(names: Buffer, start: number, end: number): boolean {
  if (isNameCut(end - start)) return false
  let length = 0
  for (let at = start; at < end; at += 1) {
    const byte = names[at]
    if (byte === comma || byte === equals) length = 0
    else length += byte === underscore ? bytesOfUnderscore : 1
    if (length >= maxValueBytes) return false
  }
  return true
}

/** True where a word stands by itself. */
function hasWord(names: Buffer, word: Buffer, start: number, end: number) {
  if (word.length === 0) return true
  for (
    let at = find(names, word, start, end);
    at >= 0;
    at = find(names, word, at + 1, end)
  ) {
    const next = at + word.length
    const isBegin = at === start || names[at - 1] === underscore
    if (isBegin && (next === end || names[next] === underscore || names[next] === comma))
      return true
  }
  return false
}

/** Where a part of the bytes has others, or -1. A view of the part, to be searched by `indexOf`, would cost more. */
function find(names: Buffer, wanted: Buffer, start: number, end: number) {
  const first = wanted[0]
  for (let at = start; at <= end - wanted.length; at += 1) {
    if (names[at] !== first) continue
    let length = 1
    while (length < wanted.length && names[at + length] === wanted[length]) length += 1
    if (length >= wanted.length) return at
  }
  return -1
}
