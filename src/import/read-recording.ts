/** Reads the exchanges of a text, whose format is recognised by its content. */
import {
  type ImportContext,
  type ImportedEntry,
  type ImportFault,
  toImportedEntry,
} from './exchange/imported-exchange.ts'
import { formatReaders } from './formats/formats.ts'
import { whyTooOld } from './formats/vcr/read.ts'
import { type SalvagedDocument, salvageDocuments } from './syntax/salvage.ts'

export type ParsedRecording =
  | {
      readonly ok: true
      /** True for a file of one exchange, one of many. */
      readonly isOneExchange: boolean
      readonly readings: readonly ImportedEntry[]
      /** Where and why a part outside of entries cannot be read. */
      readonly fault?: ImportFault | undefined
    }
  | { readonly ok: false; readonly fault: ImportFault }

const entryPaths = formatReaders.flatMap(({ entries }) => (entries === undefined ? [] : [entries]))

/** Where a text does not parse, its sound entries are read, and the others become unusable ones. */
export async function readRecording(text: string, context: ImportContext): Promise<ParsedRecording> {
  const documents = salvageDocuments(text.replace(/^\ufeff/, ''), entryPaths)
  return mergeDocuments(await Promise.all(documents.map((one) => readDocument(one, context))))
}

interface DocumentEntries {
  readonly isOneExchange: boolean
  readonly readings: readonly ImportedEntry[]
  readonly soundCount: number
  readonly fault?: ImportFault | undefined
}

const noEntries: DocumentEntries = { isOneExchange: false, readings: [], soundCount: 0 }

async function readDocument(
  { value, broken, fault, mayBeCut = false }: SalvagedDocument,
  context: ImportContext,
): Promise<DocumentEntries> {
  const nothing = (why: ImportFault): DocumentEntries => ({ ...noEntries, fault: why })
  if (fault !== undefined && value === undefined) return nothing(fault)
  const readings: ImportedEntry[] = []
  let isOneExchange = true
  let isKnown = false
  for (const format of formatReaders) {
    const read = format.read(value, { ...context, mayBeCut })
    if (typeof read === 'string') return nothing({ ...startOfText, message: read })
    if (read === undefined) continue
    // Two recorders may have written into one file: YAML takes their lists for members of one map.
    for (const raw of await Promise.all(read)) readings.push(await toImportedEntry(raw, context))
    isOneExchange &&= format.hasOneExchangePerFile === true
    isKnown = true
  }
  if (!isKnown) return nothing(broken[0]?.fault ?? { ...startOfText, message: whyUnknownFormat(value) })
  const soundCount = readings.length
  for (const { index, fault: inner } of broken) {
    const why = `it cannot be read: line ${inner.line}, column ${inner.column}: ${inner.message}`
    readings.splice(index, 0, { kind: 'unusable', address: '', why })
  }
  const cause = soundCount === 0 ? (fault ?? broken[0]?.fault) : fault
  return { isOneExchange, readings, soundCount, fault: cause }
}

const startOfText = { line: 1, column: 1 } as const

function mergeDocuments(documents: readonly DocumentEntries[]): ParsedRecording {
  const readings = documents.flatMap((one) => one.readings)
  const fault = documents.find((one) => one.fault !== undefined)?.fault
  if (fault !== undefined && documents.every(({ soundCount }) => soundCount === 0))
    return { ok: false, fault }
  return {
    ok: true,
    isOneExchange: readings.length < 2 && documents.every((one) => one.isOneExchange),
    readings,
    fault,
  }
}

const whyUnknownFormat = (value: unknown): string =>
  whyTooOld(value) ??
  `it holds ${describeValue(value)}; expected one of: ${formatReaders.map((format) => format.expected).join(', ')}`

function describeValue(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const names = Object.keys(value).slice(0, 5)
  return names.length === 0
    ? 'an empty object'
    : `an object with ${names.map((one) => JSON.stringify(one)).join(', ')}`
}
