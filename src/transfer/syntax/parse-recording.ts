/** Parses the text of a recording: JSON, JSON5 as talkback writes it, or YAML. A broken text is refused as a whole. */
import { getHeapStatistics } from 'node:v8'
import JSON5 from 'json5'
import type { JsonFault } from '../../recorder/json/json-fault.ts'
import { plainItems } from '../../recorder/json/plain-json.ts'
import { Tokenizer } from '../../recorder/json/tokenizer.ts'
import { member } from '../exchange/json-values.ts'
import { brokenHint, type ParsedText, readYaml } from './read-yaml.ts'

/** JSON5 that is longer is not read, and YAML is read entry by entry: a tree of all of it would take gigabytes. */
const maxParsedLength = 8 * 1024 * 1024
/** A value takes up to 100 bytes. */
const jsonLimits = {
  maxDepth: 1000,
  maxValues: Math.floor(getHeapStatistics().heap_size_limit / 100)
}

export function parseRecording(text: string): ParsedText {
  if (/^\s*(?:[[{]|\/[/*])/.test(text)) return readJsonText(text)
  const parsed = text.length > maxParsedLength ? readLongYaml(text) : readYaml(text)
  const fault = parsed.ok ? missingEnd(text, parsed.value) : undefined
  return fault ? { ok: false, fault } : parsed
}

function readJsonText(text: string): ParsedText {
  // JSON5 prints a warning of each such line break.
  if (text.length > maxParsedLength || /[\u2028\u2029]/.test(text)) {
    const tokenizer = new Tokenizer(text, {}, jsonLimits)
    const fault = tokenizer.readAll()
    if (!fault) return { ok: true, value: JSON.parse(text) }
    const hint = tokenizer.hasTooManyValues ? '; split it' : brokenHint
    return { ok: false, fault: { ...fault, message: fault.message + hint } }
  }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return readJson5(text)
  }
}

function readJson5(text: string): ParsedText {
  try {
    return { ok: true, value: JSON5.parse(text) }
  } catch (error) {
    const [, message = String(error), line = '1', column = '1'] =
      /^JSON5: (.*) at (\d+):(\d+)$/s.exec(error instanceof Error ? error.message : '') ??
      []
    return {
      ok: false,
      fault: {
        line: Number(line),
        column: Number(column),
        message: message + brokenHint
      }
    }
  }
}

/** Entries are indented blocks: no line of a body looks like the next entry. */
function readLongYaml(text: string): ParsedText {
  const list = /(?<=^|\n)((?:http_)?interactions):[ \t]*\r?\n(?=( *)-[ \r\n])/.exec(text)
  if (list === null) return readYaml(text)
  const [head, name = '', indent = ''] = list
  const start = list.index + head.length
  const [entriesText = ''] = text.slice(start).split(/(?<=\n)(?=[^ \r\n#-]|-[^ \r\n])/, 1)
  const entries: unknown[] = []
  const startLine = lineBreaksIn(text.slice(0, start))
  let line = startLine
  for (const entry of entriesText.split(new RegExp(`(?<=\\n)(?=${indent}-[ \\r\\n])`))) {
    const parsed = readYaml(entry)
    if (!parsed.ok) return shiftFault(parsed.fault, line)
    entries.push(...plainItems(parsed.value))
    line += lineBreaksIn(entry)
  }
  const rest = text.slice(start + entriesText.length)
  const others = readYaml(`${text.slice(0, list.index)}${name}: []\n${rest}`)
  if (!others.ok)
    return shiftFault(others.fault, others.fault.line > startLine ? line - startLine : 0)
  return {
    ok: true,
    value: Object.assign({}, others.value, { [name]: entries })
  }
}

const lineBreaksIn = (text: string) => text.split('\n').length - 1

const shiftFault = (fault: JsonFault, lines: number): ParsedText => ({
  ok: false,
  fault: { ...fault, line: fault.line + lines }
})

/** By the list: what recorders write last. go-vcr writes its `version` first, R's vcr its name into each entry. */
const lastMembers = {
  http_interactions: 'recorded_with',
  interactions: 'version'
} as const

/** What an entry and its answer end with: the same in all entries of a file. */
const lastNames = (entry: unknown) =>
  [entry, member(entry, 'response')].map((one) => Object.keys(Object(one)).at(-1)).join()

/** Why YAML that parses is cut off all the same. */
function missingEnd(text: string, value: unknown) {
  const [list, last] =
    Object.entries(lastMembers).find(([name]) => Array.isArray(member(value, name))) ?? []
  if (list === undefined || last === undefined) return undefined
  const entries = plainItems(member(value, list))
  const isThere = [value, entries.at(-1)].some((one) => member(one, last) !== undefined)
  const isWhole =
    text.endsWith('\n') && lastNames(entries.at(-1)) === lastNames(entries[0])
  if (isThere && (isWhole || Object.keys(Object(value)).at(-1) === last)) return undefined
  const why = isThere
    ? 'it ends within an entry, as a file that is cut off'
    : `it ends without "${last}", which is written last: it may be cut off`
  const lines = text.split('\n')
  return {
    line: lines.length,
    column: (lines.at(-1) ?? '').length + 1,
    message: why + brokenHint
  }
}
