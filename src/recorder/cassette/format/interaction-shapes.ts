/** What the members of an interaction's file may be (docs/cassette-format.md); others are notes. */
import { isPlainObject, type PlainObject } from '../../json/plain-json.ts'

/** What a value must be, in words, and whether it is. */
type Shape = readonly [words: string, fits: (value: unknown) => boolean]

const isText = (value: unknown) => typeof value === 'string'
const areTexts = (value: unknown) => Array.isArray(value) && value.every(isText)
const text: Shape = ['a text', isText]
const texts: Shape = ['a list of texts', areTexts]
const map: Shape = ['an object of texts', isPlainObject]

/** Of members that are not there: a value that cannot be read would count as one of them, and be lost. */
export const fileShapes: ReadonlyMap<string, Shape> = new Map([
  ['request', map],
  ['asked', map],
  ['chosenBy', map],
  ['turns', texts],
  ['responses', ['a list', Array.isArray]]
])

const cookieShapes: ReadonlyMap<string, Shape> = new Map([
  ['name', text],
  ['value', text],
  ['attributes', texts],
  ['expiresIn', ['a number', Number.isFinite]],
  ['kept', ['true', (value) => value === true]],
  ['session', ['true', (value) => value === true]]
])

const isCookie = (value: unknown) =>
  isPlainObject(value) &&
  findMisfit(value, cookieShapes) === undefined &&
  Object.keys(value).every((name) => cookieShapes.has(name))

const isBase64 = (value: unknown) =>
  typeof value === 'string' && Buffer.from(value, 'base64').toString('base64') === value

const bodyShapes: ReadonlyMap<string, Shape> = new Map([
  ['json', ['JSON', () => true]],
  ['lines', ['texts', (value) => isText(value) || areTexts(value)]],
  ['base64', ['base64', isBase64]],
  ['file', text],
  ['textFile', text]
])

/** A response has one of them. */
export const bodyNames: readonly string[] = [...bodyShapes.keys()]

export const responseShapes: ReadonlyMap<string, Shape> = new Map([
  ...bodyShapes,
  ['afterOthers', texts],
  ['cookies', ['cookies', (value) => Array.isArray(value) && value.every(isCookie)]],
  ['headers', map],
  ['seconds', ['a number', Number.isFinite]],
  ['spelling', ['"ascii" or "utf8"', (value) => value === 'ascii' || value === 'utf8']],
  ['status', ['an HTTP status', isStatus]]
])

function isStatus(value: unknown) {
  return Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599
}

/** What is wrong with these members, in words; undefined if nothing is. */
export function findMisfit(
  values: PlainObject,
  shapes: ReadonlyMap<string, Shape>
): string | undefined {
  for (const [name, [words, fits]] of shapes)
    if (values[name] !== undefined && !fits(values[name]))
      return `expected ${words} under "${name}"`
  return undefined
}

/** What a person or another program has added. */
export function notesIn(
  values: PlainObject,
  shapes: ReadonlyMap<string, Shape>
): { readonly notes?: PlainObject } {
  const notes = Object.entries(values).filter(([name]) => !shapes.has(name))
  return notes.length === 0 ? {} : { notes: Object.fromEntries(notes) }
}
