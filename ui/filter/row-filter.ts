/** The filter of rows, typed or by chips: `module:allpages user:Анна -status:200 write larger-than:10k "two words"`. */

/** What a row is filtered by. */
export interface FilterFacts {
  /** Values of `module:`, `user:`, `status:` …. */
  readonly fields: Readonly<Record<string, string>>
  /** Those of `write`, `warning`, `error`, `unused` that it is. */
  readonly marks: ReadonlySet<string>
  readonly bytes: number
  readonly ms: number
}

export interface FilterTerm {
  /** True if it stands behind `-`. */
  readonly isNot: boolean
  /** Empty for words of the request. */
  readonly name: string
  /** In lower case. */
  readonly value: string
}

export const filterFields = [
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
/** Compared whole: `epoch:1` is not `epoch:12`. */
const wholeFields: ReadonlySet<string> = new Set(['status', 'epoch', 'outcome'])
export const filterMarks = ['write', 'warning', 'error', 'unused'] as const
const limits = ['larger-than', 'slower-than']
const names: ReadonlySet<string> = new Set([...filterFields, ...limits])
const marks: ReadonlySet<string> = new Set(filterMarks)
const units: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, s: 1e3 }

export const parseFilter = (text: string): readonly FilterTerm[] =>
  [...text.matchAll(/(-?)(?:([a-z-]+):)?(?:"([^"]*)"?|(\S+))|\S+/g)]
    .map(termOf)
    // What is being typed: `user:`.
    .filter(({ value }) => value !== '' && !names.has(value.replace(/:$/, '')))

function termOf([whole, dash = '', name = '', quoted, plain = '']: RegExpExecArray) {
  const value = (quoted ?? plain).toLowerCase()
  if (names.has(name)) return { isNot: dash !== '', name, value }
  const isMark = quoted === undefined && name === '' && marks.has(value)
  if (isMark) return { isNot: dash !== '', name: 'is', value }
  const word = name === '' ? value : whole.slice(dash.length).toLowerCase()
  return { isNot: dash !== '', name: '', value: word }
}

/** @param term that is no word */
export function matchesTerm(
  { isNot, name, value }: FilterTerm,
  row: FilterFacts
): boolean {
  return isNot !== isTrue(name, value, row)
}

function isTrue(name: string, value: string, { fields, marks, bytes, ms }: FilterFacts) {
  if (name === 'is') return marks.has(value)
  if (name === 'larger-than') return bytes > amountOf(value)
  if (name === 'slower-than') return ms > amountOf(value)
  const own = (fields[name] ?? '').toLowerCase()
  return wholeFields.has(name) ? own.split(' ').includes(value) : own.includes(value)
}

/** `1.5k`, `10 kB` without the space, `2m`, `1s`. */
const amountOf = (text: string) =>
  Number.parseFloat(text) * (units[/[kms]/.exec(text)?.[0] ?? ''] ?? 1)
