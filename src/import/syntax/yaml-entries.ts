/**
 * Splits YAML, as recorders write it, into entries: one that does not parse costs no other, and a text of hundreds of
 * megabytes never becomes a single tree.
 */
import { type ParsedText, readYaml } from './read-yaml.ts'

/** The list of entries below one name. */
export interface YamlSection {
  readonly name: string
  /** Other members of the document, such as `version`. */
  readonly siblings: Record<string, string>
  readonly entries: ParsedText[]
}

/** A list item's dash with its indent, or a line without indent, in part. */
const marker = /( *)-(?=[ \r\n]|$)|[^ \n\r#][^\n]{0,199}/y

/** Entries are indented blocks: no line of a body looks like the next entry. */
export function splitYamlSections(text: string, names: ReadonlySet<string>): readonly YamlSection[] {
  const sections: YamlSection[] = []
  let siblings: YamlSection['siblings'] = {}
  /** Of the list that is read; NaN before its first item, undefined outside of lists. */
  let indent: number | undefined
  let entry: { readonly start: number; readonly line: number } | undefined
  const finishEntry = (end: number): void => {
    if (entry !== undefined) sections.at(-1)?.entries.push(entryIn(text.slice(entry.start, end), entry.line))
    entry = undefined
  }
  for (let [start, line] = [0, 0]; start < text.length; line += 1) {
    marker.lastIndex = start
    const [found = '', dashIndent] = marker.exec(text) ?? []
    if (dashIndent === undefined && found !== '') {
      finishEntry(start)
      const [, name = '', value = ''] = /^([\w.][\w.-]*):[ \t]*(.*?)[ \t]*\r?$/.exec(found) ?? []
      indent = names.has(name) && value === '' ? Number.NaN : undefined
      // Members after a list are its document's; the next list, and the next document, have their own.
      if ((indent !== undefined || found.startsWith('---')) && sections.at(-1)?.siblings === siblings)
        siblings = {}
      if (indent !== undefined) sections.push({ name, siblings, entries: [] })
      else if (value !== '') siblings[name] = value
    } else if (dashIndent !== undefined && indent !== undefined) {
      if (Number.isNaN(indent)) indent = dashIndent.length
      if (dashIndent.length === indent) {
        finishEntry(start)
        entry = { start, line }
      }
    }
    start = text.indexOf('\n', start) + 1 || text.length
  }
  finishEntry(text.length)
  return sections
}

const maxEntryLength = 64 * 1024 * 1024

function entryIn(text: string, line: number): ParsedText {
  if (text.length > maxEntryLength)
    return brokenEntry(line, `an entry has ${text.length} characters; YAML is read up to ${maxEntryLength}`)
  const parsed = readYaml(text)
  if (!parsed.ok) return { ok: false, fault: { ...parsed.fault, line: parsed.fault.line + line } }
  return Array.isArray(parsed.value) && parsed.value.length === 1
    ? { ok: true, value: parsed.value[0] }
    : brokenEntry(line, 'it is not an entry of a list')
}

function brokenEntry(line: number, message: string): ParsedText {
  return { ok: false, fault: { line: line + 1, column: 1, message } }
}
