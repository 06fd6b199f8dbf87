/** Exchanges out of a text, whose format is told by what it holds. */
import JSON5 from 'json5'
import { readJson } from '../../json/read.ts'
import type { KeptContext, KeptFault, KeptFormat, KeptReading } from './exchange.ts'
import { exvcr } from './formats/exvcr.ts'
import { har } from './formats/har.ts'
import { nock } from './formats/nock.ts'
import { talkback } from './formats/talkback.ts'
import { beforeVersions, vcr, vcrpy } from './formats/vcr.ts'
import { wiremock } from './formats/wiremock.ts'
import { type ParsedText, readYaml } from './yaml.ts'

export type KeptFile =
  | {
      readonly ok: true
      readonly format: KeptFormat
      readonly readings: readonly KeptReading[]
      readonly fault?: KeptFault
    }
  | { readonly ok: false; readonly fault: KeptFault }

const named: readonly KeptFormat[] = [har, vcrpy, vcr, exvcr, nock, talkback, wiremock]
const formats: readonly KeptFormat[] = [...named, beforeVersions]

/** Characters of YAML and JSON5 that are read at most; JSON has no limit of its own. */
const longest = 64 * 1024 * 1024

export async function readKept(text: string, context: KeptContext): Promise<KeptFile> {
  const parsed = parse(text.replace(/^\ufeff/, ''))
  if (!parsed.ok) return parsed
  for (const format of formats) {
    const readings = format.read(parsed.value, context)
    if (typeof readings === 'string') return fault(readings)
    if (readings !== undefined) return { ok: true, format, readings: await readings }
  }
  const expected = named.map((format) => format.expected).join(', ')
  return fault(`it holds ${inWords(parsed.value)}; expected one of: ${expected}`)
}

const fault = (message: string): { readonly ok: false; readonly fault: KeptFault } => ({
  ok: false,
  fault: { line: 1, column: 1, message },
})

function parse(text: string): ParsedText {
  const reading = /^\s*[[{]/.test(text) ? readJson(text) : undefined
  if (reading?.ok === true) return { ok: true, value: JSON.parse(text) }
  if (text.length > longest)
    return reading ?? fault(`it has ${text.length} characters; YAML is read up to ${longest}`)
  return /^\s*(?:[[{]|\/[/*])/.test(text) ? readJson5(text) : readYaml(text)
}

function readJson5(text: string): ParsedText {
  try {
    return { ok: true, value: JSON5.parse(text) }
  } catch (error) {
    const [, message = String(error), line = '1', column = '1'] =
      /^JSON5: (.*) at (\d+):(\d+)$/s.exec(error instanceof Error ? error.message : '') ?? []
    return { ok: false, fault: { line: Number(line), column: Number(column), message } }
  }
}

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const names = Object.keys(value).slice(0, 5)
  return names.length === 0
    ? 'an empty object'
    : `an object with ${names.map((one) => JSON.stringify(one)).join(', ')}`
}
