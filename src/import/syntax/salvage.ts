/**
 * Salvages what is sound in a text that does not parse, or is too large to: it may be cut off, be broken in one entry, or
 * hold the documents of several recorders.
 */

import JSON5 from 'json5'
import { plainItems } from '../../json/plain-json.ts'
import { readJson } from '../../json/read-json.ts'
import type { ImportFault } from '../exchange/imported-exchange.ts'
import { member } from '../exchange/members.ts'
import { type JsonEntries, splitJsonEntries } from './json-entries.ts'
import { type ParsedText, readYaml } from './read-yaml.ts'
import { splitYamlSections, type YamlSection } from './yaml-entries.ts'

/** The document of one recorder, parsed. */
export interface SalvagedDocument {
  /** With those entries that are sound. */
  readonly value: unknown
  /** The others, by index. */
  readonly broken: readonly { readonly index: number; readonly fault: ImportFault }[]
  /** What else cannot be read. */
  readonly fault?: ImportFault | undefined
  /** True where the last sound entry may be cut off. */
  readonly mayBeCut?: boolean
}

export type ListPath = readonly string[]

/** A longer text is read by its entries; without a list of entries it is not read. */
export const maxParsedLength: number = 8 * 1024 * 1024

export function salvageDocuments(text: string, paths: readonly ListPath[]): readonly SalvagedDocument[] {
  const documents: SalvagedDocument[] = []
  let start = indexFrom(text, /\S/, 0)
  do {
    const [found, length] = documentsAt(text.slice(start), paths)
    documents.push(...found.map((one) => shiftFaults(one, text, start)))
    start = indexFrom(text, /\S/, start + length)
  } while (start < text.length)
  return documents
}

function documentsAt(text: string, paths: readonly ListPath[]): DocumentsRead {
  if (/^\/[/*]/.test(text)) return readLooseJson(text)
  return /^[[{]/.test(text) ? readJsonDocument(text, paths) : readYamlDocuments(text, paths)
}

function indexFrom(text: string, beginning: RegExp, from: number): number {
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
  const isTooLong = length > maxParsedLength
  return [
    [isTooLong ? faultyDocument(noListFault) : soundDocument(JSON.parse(text.slice(0, length)))],
    length,
  ]
}

const noListFault: ImportFault = {
  ...{ line: 1, column: 1 },
  message: 'it is too long for a file that has no list of entries',
}
const soundDocument = (value: unknown): SalvagedDocument => ({ value, broken: [] })
const faultyDocument = (fault: ImportFault): SalvagedDocument => ({ value: undefined, broken: [], fault })

/** The beginning of another document. */
const documentBeginning = /^(?:[[{]|---|\w+:)/

/** Recorders indent JSON on several lines: a line without indent begins another document. */
const documentLength = (text: string, { length, readableLength }: JsonEntries): number =>
  length ?? indexFrom(text, documentBeginning, Math.max(readableLength, 1))

function withEntries(found: JsonEntries, path: ListPath): SalvagedDocument {
  const { pieces, fault, breaksEntry } = found
  const entries: readonly unknown[] = pieces.map((piece): unknown => JSON.parse(piece))
  const value = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entries)
  if (fault === undefined) return { value, broken: [] }
  return breaksEntry ? { value, broken: [{ index: entries.length, fault }] } : { value, broken: [], fault }
}

/** JSON with comments and bare names, as talkback writes it. @param found why it is no plain JSON */
function readLooseJson(text: string, found?: JsonEntries): DocumentsRead {
  // Comments may precede it.
  const length = indexFrom(text, documentBeginning, indexFrom(text, /^[[{]/, 0) + 1)
  const parsed = length > maxParsedLength ? undefined : readJson5(text.slice(0, length))
  if (parsed?.ok === true) return [[soundDocument(parsed.value)], length]
  const fault = parsed?.fault ?? found?.fault ?? noListFault
  return [[faultyDocument(fault)], found === undefined ? length : documentLength(text, found)]
}

function readYamlDocuments(text: string, paths: readonly ListPath[]): DocumentsRead {
  const length = indexFrom(text, /^[[{]/, 0)
  const own = text.slice(0, length)
  const whole = length > maxParsedLength ? undefined : readYaml(own)
  if (whole?.ok === true) return [[checkEnd(own, soundDocument(whole.value))], length]
  const names = new Set(paths.flatMap((path) => (path.length === 1 ? path : [])))
  const sections = splitYamlSections(own, names).filter(({ entries }) => entries.length > 0)
  if (sections.length > 0) return [sections.map((one) => toDocument(one, own)), length]
  return [[faultyDocument(whole?.fault ?? noListFault)], length]
}

/** YAML may parse although it is cut off: the member that its recorder writes last must exist. */
function checkEnd(text: string, document: SalvagedDocument): SalvagedDocument {
  const fault = missingEnd(text, document.value)
  return fault === undefined ? document : { ...document, fault, mayBeCut: true }
}

function missingEnd(text: string, value: unknown): ImportFault | undefined {
  const ending = lastMembers.find((one) => Array.isArray(member(value, one.list)))
  if (ending === undefined) return undefined
  const lines = text.split('\n')
  const last: ImportFault = { line: lines.length, column: (lines.at(-1) ?? '').length + 1, message: '' }
  if (!text.endsWith('\n')) return { ...last, message: 'it ends within a line, as a file that is cut off' }
  const isThere = [value, plainItems(member(value, ending.list)).at(-1)].some(
    (one) => member(one, ending.name) !== undefined,
  )
  return !isThere
    ? { ...last, message: `it ends without "${ending.name}", which is written last: it may be cut off` }
    : undefined
}

/** By the name of the list. go-vcr writes its `version` first, R's vcr its name into each entry. */
const lastMembers: readonly { readonly list: string; readonly name: string }[] = [
  { list: 'http_interactions', name: 'recorded_with' },
  { list: 'interactions', name: 'version' },
]

function toDocument({ name, siblings, entries }: YamlSection, text: string): SalvagedDocument {
  const whole = entries.flatMap((one) => (one.ok ? [one.value] : []))
  const broken = entries.flatMap((one, index) => (one.ok ? [] : [{ index, fault: one.fault }]))
  const value = { ...siblings, [name]: whole }
  const document: SalvagedDocument = { value, broken }
  return entries.at(-1)?.ok === true ? checkEnd(text, document) : document
}

/** Positions in the text rather than in its document. @param start of the document */
function shiftFaults(
  { broken, fault, ...document }: SalvagedDocument,
  text: string,
  start: number,
): SalvagedDocument {
  let line = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < start; end = text.indexOf('\n', end + 1)) line += 1
  const column = start - (text.lastIndexOf('\n', start - 1) + 1)
  const moved = (one: ImportFault): ImportFault => ({
    ...one,
    line: one.line + line,
    column: one.line === 1 ? one.column + column : one.column,
  })
  return {
    ...document,
    broken: broken.map(({ index, fault: inner }) => ({ index, fault: moved(inner) })),
    fault: fault && moved(fault),
  }
}

export function readJson5(text: string): ParsedText {
  try {
    return { ok: true, value: JSON5.parse(text) }
  } catch (error) {
    const [, message = String(error), line = '1', column = '1'] =
      /^JSON5: (.*) at (\d+):(\d+)$/s.exec(error instanceof Error ? error.message : '') ?? []
    return { ok: false, fault: { line: Number(line), column: Number(column), message } }
  }
}
