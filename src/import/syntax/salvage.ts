/**
 * A text that does not parse as one, or is too large to: what is sound in it. It may be cut off, be broken in one
 * entry, or hold what several recorders wrote, one after the other.
 */
import { readJson } from '../../json/read-json.ts'
import type { ImportFault } from '../exchange/imported-exchange.ts'
import { asList, member } from '../exchange/members.ts'
import { type JsonEntries, splitJsonEntries } from './json-entries.ts'
import { readJson5 } from './read-json5.ts'
import { readYaml } from './read-yaml.ts'
import { splitYamlSections, type YamlSection } from './yaml-entries.ts'

/** What one recorder wrote, as a whole text of its format would be parsed. */
export interface SalvagedDocument {
  /** With those entries that are sound. */
  readonly value: unknown
  /** The others, by their places among all. */
  readonly broken: readonly { readonly index: number; readonly fault: ImportFault }[]
  /** What else cannot be read. */
  readonly fault?: ImportFault | undefined
  /** True where the last of the sound entries may be a part of itself. */
  readonly mayBeCut?: boolean
}

/** Names that lead to the list of a format's entries. */
export type ListPath = readonly string[]

/** Characters beyond which a text is taken by its entries; what has none is not read then. */
export const maxParsedLength: number = 8 * 1024 * 1024

export function salvageDocuments(text: string, paths: readonly ListPath[]): readonly SalvagedDocument[] {
  const documents: SalvagedDocument[] = []
  let start = nextNonSpace(text, 0)
  do {
    const [found, length] = documentsAt(text.slice(start), paths)
    const offset = offsetOf(text, start)
    documents.push(...found.map((part) => shiftFaults(part, offset)))
    start = nextNonSpace(text, start + length)
  } while (start < text.length)
  return documents
}

function documentsAt(text: string, paths: readonly ListPath[]): DocumentsRead {
  if (/^\/[/*]/.test(text)) return readLooseJson(text)
  return /^[[{]/.test(text) ? readJsonDocument(text, paths) : readYamlDocuments(text, paths)
}

/** Where the next sign stands that is no space. */
function nextNonSpace(text: string, from: number): number {
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

type DocumentsRead = readonly [parts: readonly SalvagedDocument[], length: number]

function readJsonDocument(text: string, paths: readonly ListPath[]): DocumentsRead {
  if (text.length <= maxParsedLength && readJson(text).ok)
    return [[soundDocument(JSON.parse(text))], text.length]
  const found = splitJsonEntries(text, paths)
  const { path, length } = found
  if (path !== undefined && found.pieces.length > 0)
    return [[withEntries(found, path)], documentLength(text, found)]
  if (length === undefined) return readLooseJson(text, found)
  return [
    [
      length > maxParsedLength
        ? faultyDocument(noListFault)
        : soundDocument(JSON.parse(text.slice(0, length))),
    ],
    length,
  ]
}

const startOfText = { line: 1, column: 1 } as const
const noListFault: ImportFault = {
  ...startOfText,
  message: 'it is too long for a file that has no list of entries',
}
const soundDocument = (value: unknown): SalvagedDocument => ({ value, broken: [] })
const faultyDocument = (fault: ImportFault): SalvagedDocument => ({ value: undefined, broken: [], fault })

/** A line that begins as a text of its own would. */
const documentBeginning = /^(?:[[{]|---|\w+:)/

/** No line of JSON begins without an indent where a recorder wrote it on several; one that does is another text. */
const documentLength = (text: string, { length, readableLength }: JsonEntries): number =>
  length ?? nextDocument(text, documentBeginning, Math.max(readableLength, 1))

function withEntries(found: JsonEntries, path: ListPath): SalvagedDocument {
  const { pieces, fault, breaksEntry } = found
  const entries: readonly unknown[] = pieces.map((piece): unknown => JSON.parse(piece))
  const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entries)
  if (fault === undefined) return { value, broken: [] }
  return breaksEntry ? { value, broken: [{ index: entries.length, fault }] } : { value, broken: [], fault }
}

/** JSON with comments and bare names, as talkback writes it. @param found why it is no plain JSON */
function readLooseJson(text: string, found?: JsonEntries): DocumentsRead {
  // Comments may stand before it.
  const length = nextDocument(text, documentBeginning, nextDocument(text, /^[[{]/, 0) + 1)
  const parsed = length > maxParsedLength ? undefined : readJson5(text.slice(0, length))
  if (parsed?.ok === true) return [[soundDocument(parsed.value)], length]
  const fault = parsed?.fault ?? found?.fault ?? noListFault
  return [[faultyDocument(fault)], found === undefined ? length : documentLength(text, found)]
}

function readYamlDocuments(text: string, paths: readonly ListPath[]): DocumentsRead {
  const length = nextDocument(text, /^[[{]/, 0)
  const own = text.slice(0, length)
  const whole = length > maxParsedLength ? undefined : readYaml(own)
  if (whole?.ok === true) return [[checkEnd(own, soundDocument(whole.value))], length]
  const names = new Set(paths.flatMap((path) => (path.length === 1 ? path : [])))
  const sections = splitYamlSections(own, names).filter(({ entries }) => entries.length > 0)
  if (sections.length > 0) return [sections.map((one) => toDocument(one, own)), length]
  return [[faultyDocument(whole?.fault ?? noListFault)], length]
}

/** YAML may parse although it is cut off: what its recorder writes last must be there. */
function checkEnd(text: string, part: SalvagedDocument): SalvagedDocument {
  const fault = missingEnd(text, part.value)
  return fault === undefined ? part : { ...part, fault, mayBeCut: true }
}

function missingEnd(text: string, value: unknown): ImportFault | undefined {
  const ending = lastMembers.find((one) => Array.isArray(member(value, one.list)))
  if (ending === undefined) return undefined
  const lines = text.split('\n')
  const last: ImportFault = { line: lines.length, column: (lines.at(-1) ?? '').length + 1, message: '' }
  if (!text.endsWith('\n')) return { ...last, message: 'it ends within a line, as a file that is cut off' }
  const isThere = [value, asList(member(value, ending.list)).at(-1)].some(
    (one) => member(one, ending.name) !== undefined,
  )
  return !isThere
    ? { ...last, message: `it ends without "${ending.name}", which stands last: it may be cut off` }
    : undefined
}

/** By the names of their lists. go-vcr writes its `version` first, R's vcr its name into each entry. */
const lastMembers: readonly { readonly list: string; readonly name: string }[] = [
  { list: 'http_interactions', name: 'recorded_with' },
  { list: 'interactions', name: 'version' },
]

function toDocument({ name, siblings, entries }: YamlSection, text: string): SalvagedDocument {
  const whole = entries.flatMap((one) => (one.ok ? [one.value] : []))
  const broken = entries.flatMap((one, index) => (one.ok ? [] : [{ index, fault: one.fault }]))
  const value = { ...siblings, [name]: whole }
  const part: SalvagedDocument = { value, broken }
  return entries.at(-1)?.ok === true ? checkEnd(text, part) : part
}

interface TextOffset {
  readonly line: number
  readonly column: number
}

/** Line and column of a sign, from 0. */
function offsetOf(text: string, sign: number): TextOffset {
  let line = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < sign; end = text.indexOf('\n', end + 1)) line += 1
  return { line, column: sign === 0 ? 0 : sign - (text.lastIndexOf('\n', sign - 1) + 1) }
}

function shiftFaults({ broken, fault, ...part }: SalvagedDocument, place: TextOffset): SalvagedDocument {
  const moved = (one: ImportFault): ImportFault => ({
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
