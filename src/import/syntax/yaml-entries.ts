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

/** Entries are indented blocks: no line of a body looks like the next entry. */
export function splitYamlSections(text: string, names: ReadonlySet<string>): readonly YamlSection[] {
  const reader = new SectionReader(text, names)
  let line = 0
  for (let at = 0; at < text.length; line += 1) {
    const end = text.indexOf('\n', at)
    const next = end === -1 ? text.length : end + 1
    reader.readLine(at, next, line)
    at = next
  }
  return reader.sections()
}

class SectionReader {
  readonly #text: string
  readonly #names: ReadonlySet<string>
  readonly #sections: YamlSection[] = []
  /** True in the list of the last section. */
  #isInside = false
  #indent: number | undefined
  /** The current entry; lines count from 0. */
  #entry: { readonly start: number; readonly line: number } | undefined
  /** Members before the next section, at the beginning of a document. */
  #before: Record<string, string> = {}
  #isBefore = true

  constructor(text: string, names: ReadonlySet<string>) {
    this.#text = text
    this.#names = names
  }

  readLine(start: number, end: number, line: number): void {
    const first = this.#text.charAt(start)
    if (first === '\n' || first === '\r' || first === '#') return
    if (first === ' ' || first === '-') {
      const dashes = this.#isInside ? dashIndent(this.#text, start) : undefined
      if (dashes === undefined) {
        if (first === '-') this.#leave(start)
        if (this.#text.startsWith('---', start)) this.#isBefore = true
        return
      }
      this.#indent ??= dashes
      if (dashes === this.#indent) this.#begin(start, line)
      return
    }
    this.#leave(start)
    this.#name(this.#text.slice(start, Math.min(end, start + 200)))
  }

  sections(): readonly YamlSection[] {
    this.#leave(this.#text.length)
    return this.#sections
  }

  #begin(start: number, line: number): void {
    this.#finish(start)
    this.#entry = { start, line }
  }

  #leave(end: number): void {
    this.#finish(end)
    this.#isInside = false
  }

  #finish(end: number): void {
    const entry = this.#entry
    this.#entry = undefined
    if (entry === undefined) return
    this.#sections.at(-1)?.entries.push(entryIn(this.#text.slice(entry.start, end), entry.line))
  }

  #name(line: string): void {
    const [, name = '', value = ''] = /^([\w.-]+):[ \t]*(.*?)[ \t]*\r?\n?$/.exec(line) ?? []
    if (this.#names.has(name) && value === '') {
      this.#sections.push({ name, siblings: this.#before, entries: [] })
      this.#before = {}
      this.#isBefore = false
      this.#isInside = true
      this.#indent = undefined
      return
    }
    if (value === '') return
    const siblings = this.#isBefore ? undefined : this.#sections.at(-1)?.siblings
    ;(siblings ?? this.#before)[name] = value
  }
}

/** The indent of a list item's dash; undefined for other lines. */
function dashIndent(text: string, start: number): number | undefined {
  let at = start
  while (text.charAt(at) === ' ') at += 1
  return text.charAt(at) === '-' && /^[ \r\n]?$/.test(text.charAt(at + 1)) ? at - start : undefined
}

const maxEntryLength = 64 * 1024 * 1024

function entryIn(text: string, line: number): ParsedText {
  if (text.length > maxEntryLength)
    return brokenEntry(line, `an entry has ${text.length} characters; YAML is read up to ${maxEntryLength}`)
  const parsed = readYaml(text)
  if (!parsed.ok) return { ok: false, fault: { ...parsed.fault, line: parsed.fault.line + line } }
  return Array.isArray(parsed.value) && parsed.value.length === 1
    ? { ok: true, value: parsed.value[0] }
    : brokenEntry(line, 'it is no entry of a list')
}

const brokenEntry = (line: number, message: string): ParsedText => ({
  ok: false,
  fault: { line: line + 1, column: 1, message },
})
