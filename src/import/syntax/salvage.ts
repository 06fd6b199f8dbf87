/**
 * A text that does not parse as one, or is too large to: what is sound in it. It may be cut off, be broken in one
 * entry, or hold what several recorders wrote, one after the other.
 */
import { readJson } from '../../json/read-json.ts'
import type { KeptFault } from '../exchange/imported-exchange.ts'
import { at, list } from '../exchange/members.ts'
import { type JsonEntries, jsonEntries } from './json-entries.ts'
import { readJson5 } from './read-json5.ts'
import { readYaml } from './read-yaml.ts'
import { type YamlSection, yamlSections } from './yaml-entries.ts'

/** What one recorder wrote, as a whole text of its format would be parsed. */
export interface Part {
  /** With those entries that are sound. */
  readonly value: unknown
  /** The others, by their places among all. */
  readonly broken: readonly { readonly index: number; readonly fault: KeptFault }[]
  /** What else cannot be read. */
  readonly fault?: KeptFault | undefined
  /** True where the last of the sound entries may be a part of itself. */
  readonly mayBeCut?: boolean
}

/** Names that lead to the list of a format's entries. */
export type ListPath = readonly string[]

/** Characters beyond which a text is taken by its entries; what has none is not read then. */
export const longestAtOnce: number = 8 * 1024 * 1024

export function partsOf(text: string, paths: readonly ListPath[]): readonly Part[] {
  const parts: Part[] = []
  let start = firstSign(text, 0)
  do {
    const [found, length] = partsAt(text.slice(start), paths)
    const place = placeOf(text, start)
    parts.push(...found.map((part) => shifted(part, place)))
    start = firstSign(text, start + length)
  } while (start < text.length)
  return parts
}

function partsAt(text: string, paths: readonly ListPath[]): Found {
  if (/^\/[/*]/.test(text)) return looseJson(text)
  return /^[[{]/.test(text) ? jsonPart(text, paths) : yamlParts(text, paths)
}

/** Where the next sign stands that is no space. */
function firstSign(text: string, from: number): number {
  const sign = /\S/g
  sign.lastIndex = from
  return sign.exec(text)?.index ?? text.length
}

/** Where the next line stands that begins so. */
function nextDocument(text: string, beginning: RegExp, from: number): number {
  const search = new RegExp(beginning, 'gm')
  search.lastIndex = from
  return search.exec(text)?.index ?? text.length
}

type Found = readonly [parts: readonly Part[], length: number]

function jsonPart(text: string, paths: readonly ListPath[]): Found {
  if (text.length <= longestAtOnce && readJson(text).ok) return [[sound(JSON.parse(text))], text.length]
  const found = jsonEntries(text, paths)
  const { path, length } = found
  if (path !== undefined && found.pieces.length > 0) return [[listed(found, path)], lengthOf(text, found)]
  if (length === undefined) return looseJson(text, found)
  return [[length > longestAtOnce ? faulty(noList) : sound(JSON.parse(text.slice(0, length)))], length]
}

const first = { line: 1, column: 1 } as const
const noList: KeptFault = { ...first, message: 'it is too long for a file that has no list of entries' }
const sound = (value: unknown): Part => ({ value, broken: [] })
const faulty = (fault: KeptFault): Part => ({ value: undefined, broken: [], fault })

/** A line that begins as a text of its own would. */
const begins = /^(?:[[{]|---|\w+:)/

/** No line of JSON begins without an indent where a recorder wrote it on several; one that does is another text. */
const lengthOf = (text: string, { length, sound }: JsonEntries): number =>
  length ?? nextDocument(text, begins, Math.max(sound, 1))

function listed(found: JsonEntries, path: ListPath): Part {
  const { pieces, fault, breaksEntry } = found
  const entries: readonly unknown[] = pieces.map((piece): unknown => JSON.parse(piece))
  const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entries)
  if (fault === undefined) return { value, broken: [] }
  return breaksEntry ? { value, broken: [{ index: entries.length, fault }] } : { value, broken: [], fault }
}

/** JSON with comments and bare names, as talkback writes it. @param found why it is no plain JSON */
function looseJson(text: string, found?: JsonEntries): Found {
  // Comments may stand before it.
  const length = nextDocument(text, begins, nextDocument(text, /^[[{]/, 0) + 1)
  const parsed = length > longestAtOnce ? undefined : readJson5(text.slice(0, length))
  if (parsed?.ok === true) return [[sound(parsed.value)], length]
  const fault = parsed?.fault ?? found?.fault ?? noList
  return [[faulty(fault)], found === undefined ? length : lengthOf(text, found)]
}

function yamlParts(text: string, paths: readonly ListPath[]): Found {
  const length = nextDocument(text, /^[[{]/, 0)
  const own = text.slice(0, length)
  const whole = length > longestAtOnce ? undefined : readYaml(own)
  if (whole?.ok === true) return [[ended(own, sound(whole.value))], length]
  const names = new Set(paths.flatMap((path) => (path.length === 1 ? path : [])))
  const sections = yamlSections(own, names).filter(({ entries }) => entries.length > 0)
  if (sections.length > 0) return [sections.map((one) => partOf(one, own)), length]
  return [[faulty(whole?.fault ?? noList)], length]
}

/** YAML may parse although it is cut off: what its recorder writes last must be there. */
function ended(text: string, part: Part): Part {
  const fault = lackingEnd(text, part.value)
  return fault === undefined ? part : { ...part, fault, mayBeCut: true }
}

function lackingEnd(text: string, value: unknown): KeptFault | undefined {
  const told = lastWords.find((one) => Array.isArray(at(value, one.list)))
  if (told === undefined) return undefined
  const lines = text.split('\n')
  const last: KeptFault = { line: lines.length, column: (lines.at(-1) ?? '').length + 1, message: '' }
  if (!text.endsWith('\n')) return { ...last, message: 'it ends within a line, as a file that is cut off' }
  const isThere = [value, list(at(value, told.list)).at(-1)].some((one) => at(one, told.name) !== undefined)
  return !isThere
    ? { ...last, message: `it ends without "${told.name}", which stands last: it may be cut off` }
    : undefined
}

/** By the names of their lists. go-vcr writes its `version` first, R's vcr its name into each entry. */
const lastWords: readonly { readonly list: string; readonly name: string }[] = [
  { list: 'http_interactions', name: 'recorded_with' },
  { list: 'interactions', name: 'version' },
]

function partOf({ name, beside, entries }: YamlSection, text: string): Part {
  const whole = entries.flatMap((one) => (one.ok ? [one.value] : []))
  const broken = entries.flatMap((one, index) => (one.ok ? [] : [{ index, fault: one.fault }]))
  const value = { ...beside, [name]: whole }
  const part: Part = { value, broken }
  return entries.at(-1)?.ok === true ? ended(text, part) : part
}

interface Place {
  readonly line: number
  readonly column: number
}

/** Line and column of a sign, from 0. */
function placeOf(text: string, sign: number): Place {
  let line = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < sign; end = text.indexOf('\n', end + 1)) line += 1
  return { line, column: sign === 0 ? 0 : sign - (text.lastIndexOf('\n', sign - 1) + 1) }
}

function shifted({ broken, fault, ...part }: Part, place: Place): Part {
  const moved = (one: KeptFault): KeptFault => ({
    ...one,
    line: one.line + place.line,
    column: one.line === 1 ? one.column + place.column : one.column,
  })
  return {
    ...part,
    broken: broken.map(({ index, fault: inner }) => ({ index, fault: moved(inner) })),
    fault: fault && moved(fault),
  }
}
