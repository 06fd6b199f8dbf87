/** Exchanges out of a text, whose format is told by what it holds. */
import type { KeptContext, KeptFault, KeptFormat, KeptReading } from './exchange/imported-exchange.ts'
import { exvcr } from './formats/exvcr/read.ts'
import { har } from './formats/har/read.ts'
import { nock } from './formats/nock/read.ts'
import { talkback } from './formats/talkback/read.ts'
import { tooOld, vcr, vcrpy } from './formats/vcr/read.ts'
import { wiremock } from './formats/wiremock/read.ts'
import { type Part, partsOf } from './syntax/salvage.ts'

export type KeptFile =
  | {
      readonly ok: true
      /** True for a file of one exchange, of which others have many. */
      readonly scattered: boolean
      readonly readings: readonly KeptReading[]
      /** Where and why a part of it could not be read that is no entry. */
      readonly fault?: KeptFault | undefined
    }
  | { readonly ok: false; readonly fault: KeptFault }

const named: readonly KeptFormat[] = [har, vcrpy, vcr, exvcr, nock, talkback, wiremock]
const paths = named.flatMap(({ entries }) => (entries === undefined ? [] : [entries]))

/** What is sound in a text that does not parse is read; its entries that are not are left out with where and why. */
export async function readKept(text: string, context: KeptContext): Promise<KeptFile> {
  const parts = partsOf(text.replace(/^\ufeff/, ''), paths)
  return inOne(await Promise.all(parts.map((part) => takenOf(part, context))))
}

/** What came of a part, or why nothing did. */
interface PartTaken {
  readonly isScattered: boolean
  readonly readings: readonly KeptReading[]
  /** Readings of entries that could be read. */
  readonly sound: number
  readonly fault?: KeptFault | undefined
}

async function takenOf(
  { value, broken, fault, mayBeCut = false }: Part,
  context: KeptContext,
): Promise<PartTaken> {
  const nothing = (why: KeptFault): PartTaken => ({ isScattered: false, readings: [], sound: 0, fault: why })
  if (fault !== undefined && value === undefined) return nothing(fault)
  const readings: KeptReading[] = []
  let isScattered = true
  let isKnown = false
  for (const format of named) {
    const read = format.read(value, { ...context, mayBeCut })
    if (typeof read === 'string') return nothing({ ...start, message: read })
    if (read === undefined) continue
    // Two recorders may have written into one file: YAML takes their lists for members of one map.
    readings.push(...(await read))
    isScattered &&= format.scattered === true
    isKnown = true
  }
  if (!isKnown) return nothing(broken[0]?.fault ?? { ...start, message: whyNot(value) })
  const sound = readings.length
  for (const { index, fault: why } of broken) readings.splice(index, 0, unreadable(why))
  return { isScattered, readings, sound, fault: sound === 0 ? (fault ?? broken[0]?.fault) : fault }
}

const start = { line: 1, column: 1 } as const

function inOne(taken: readonly PartTaken[]): KeptFile {
  const readings = taken.flatMap((one) => one.readings)
  const fault = taken.find((one) => one.fault !== undefined)?.fault
  if (fault !== undefined && taken.every(({ sound }) => sound === 0)) return { ok: false, fault }
  return {
    ok: true,
    scattered: readings.length < 2 && taken.every((one) => one.isScattered),
    readings,
    fault,
  }
}

const unreadable = ({ line, column, message }: KeptFault): KeptReading => ({
  kind: 'lacking',
  address: '',
  why: `it cannot be read: line ${line}, column ${column}: ${message}`,
})

const whyNot = (value: unknown): string =>
  tooOld(value) ??
  `it holds ${inWords(value)}; expected one of: ${named.map((format) => format.expected).join(', ')}`

function inWords(value: unknown): string {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value !== 'object') return `a ${typeof value}`
  const names = Object.keys(value).slice(0, 5)
  return names.length === 0
    ? 'an empty object'
    : `an object with ${names.map((one) => JSON.stringify(one)).join(', ')}`
}
