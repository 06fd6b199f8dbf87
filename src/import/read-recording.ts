/** Reads the exchanges of a text, whose format is recognised by its content. */
import type { JsonFault } from '../json/json-fault.ts'
import {
  type FormatReader,
  type ImportContext,
  type ImportedEntry,
  toImportedEntry,
} from './exchange/imported-exchange.ts'
import { formatReaders } from './formats/formats.ts'
import { whyTooOld } from './formats/vcr/read.ts'
import { parseRecording } from './syntax/parse-recording.ts'

export type ParsedRecording =
  | {
      readonly ok: true
      /** True for a file of one exchange, one of many. */
      readonly isOneExchange: boolean
      readonly readings: readonly ImportedEntry[]
    }
  | { readonly ok: false; readonly fault: JsonFault }

export async function readRecording(text: string, context: ImportContext): Promise<ParsedRecording> {
  const parsed = parseRecording(text.replace(/^\ufeff/, ''))
  if (!parsed.ok) return parsed
  const unknown = (message: string): ParsedRecording => ({
    ok: false,
    fault: { line: 1, column: 1, message },
  })
  const readings: ImportedEntry[] = []
  const known: FormatReader[] = []
  // Two recorders may have written into one file: YAML takes their lists for members of one map.
  for (const format of formatReaders) {
    const read = format.read(parsed.value, context)
    if (typeof read === 'string') return unknown(read)
    if (read === undefined) continue
    for (const raw of await Promise.all(read)) readings.push(await toImportedEntry(raw, context))
    known.push(format)
  }
  if (known.length === 0) return unknown(whyUnknownFormat(parsed.value))
  const isOneExchange = readings.length < 2 && known.every((one) => one.hasOneExchangePerFile === true)
  return { ok: true, isOneExchange, readings }
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
