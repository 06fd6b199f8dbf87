/** The filter of rows, typed or by chips: `module:allpages user:Анна -status:200 write larger-than:10k "two words"`. */

/** What a row is filtered by. */
export interface FilterFacts {
  /** Its words, in lower case. */
  readonly text: string
  /** Values of `module:`, `user:`, `status:` …; several with spaces between. */
  readonly fields: Readonly<Partial<Record<FilterField, string>>>
  /** What it is of `write`, `warning`, `error`, `unused`. */
  readonly marks: ReadonlySet<string>
  readonly bytes: number
  readonly ms: number
  /** Milliseconds since 1970; 0 if that is not known. */
  readonly at: number
}

export interface FilterTerm {
  /** True if it stands behind `-`. */
  readonly isNot: boolean
  /** Empty for words of the request. */
  readonly name: string
  /** In lower case. */
  readonly value: string
}

const fields = [
  'module',
  'user',
  'status',
  'error',
  'epoch',
  'outcome',
  'test',
  'session',
  'cassette'
] as const
export type FilterField = (typeof fields)[number]
const limits = ['larger-than', 'slower-than', 'after', 'before'] as const
const names: ReadonlySet<string> = new Set([...fields, ...limits])
/** Compared whole: `epoch:1` is not `epoch:12`. */
const wholeFields: ReadonlySet<string> = new Set(['status', 'epoch', 'outcome'])
const marks: ReadonlySet<string> = new Set(['write', 'warning', 'error', 'unused'])

/** A term as people type it. */
const termPattern = /(-?)(?:([a-z-]+):)?(?:"([^"]*)"?|(\S+))|\S+/g

export const parseFilter = (text: string): readonly FilterTerm[] =>
  [...text.matchAll(termPattern)]
    .map(termOf)
    // What is being typed: `user:`.
    .filter(
      ({ value }) => value !== '' && !(/:$/.test(value) && names.has(value.slice(0, -1)))
    )

function termOf([whole, dash = '', name = '', quoted, plain = '']: RegExpExecArray) {
  const isNot = dash !== ''
  const value = (quoted ?? plain).toLowerCase()
  if (names.has(name)) return { isNot, name, value }
  if (quoted === undefined && name === '' && marks.has(value))
    return { isNot, name: 'is', value }
  const word = name === '' ? value : whole.slice(dash.length).toLowerCase()
  return { isNot, name: '', value: word }
}

export const matches = (terms: readonly FilterTerm[], row: FilterFacts): boolean =>
  terms.every((term) => term.isNot !== isTrue(term, row))

function isTrue({ name, value }: FilterTerm, row: FilterFacts): boolean {
  switch (name) {
    case '':
      return row.text.includes(value)
    case 'is':
      return row.marks.has(value)
    case 'larger-than':
      return row.bytes > amountOf(value)
    case 'slower-than':
      return row.ms > amountOf(value)
    case 'after':
      return row.at >= timeOf(value, row.at)
    case 'before':
      return row.at <= timeOf(value, row.at)
  }
  const own = (row.fields[name as FilterField] ?? '').toLowerCase()
  return wholeFields.has(name) ? own.split(' ').includes(value) : own.includes(value)
}

const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, s: 1e3 }

/** `1500`, `1.5k`, `10kb`, `2m`, `1s`. */
const amountOf = (text: string): number =>
  Number.parseFloat(text) * (units[/(?<!m)[kms]/.exec(text)?.[0] ?? ''] ?? 1)

/** A whole timestamp, or a time of the same day. */
function timeOf(text: string, day: number): number {
  if (!/^\d\d:/.test(text)) return Date.parse(text.toUpperCase())
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number)
  return new Date(day).setHours(hours, minutes, seconds, (seconds % 1) * 1000)
}

/** The text with a term more, or without it. */
export function toggleTerm(text: string, term: string): string {
  const terms = [...text.matchAll(termPattern)].map(([one]) => one)
  const others = terms.filter((one) => one !== term)
  return (others.length < terms.length ? others : [...terms, term]).join(' ')
}

/** The text with this value of a field, and no other one; without any if the value is empty. */
export function withField(text: string, name: string, value: string): string {
  const terms = [...text.matchAll(termPattern)].map(([one]) => one)
  const others = terms.filter((one) => !one.startsWith(`${name}:`))
  return [...others, ...(value === '' ? [] : [termFor(name, value)])].join(' ')
}

export const hasTerm = (text: string, term: string): boolean =>
  [...text.matchAll(termPattern)].some(([one]) => one === term)

export const termFor = (name: string, value: string): string =>
  `${name}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`
