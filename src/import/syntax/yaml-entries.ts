/**
 * The entries of YAML as recorders write it, each a piece of the text: one that does not parse costs no other, and a
 * text of hundreds of megabytes never becomes a single tree.
 */
import type { ImportFault } from '../exchange/imported-exchange.ts'
import { readYaml } from './read-yaml.ts'

/** Entries that stand below one name. */
export interface YamlSection {
  readonly name: string
  /** What is told beside the entries on a line of its own, such as `version`. */
  readonly siblings: Readonly<Record<string, string>>
  readonly entries: readonly YamlEntry[]
}

export type YamlEntry =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: ImportFault }

interface OpenSection {
  readonly name: string
  readonly siblings: Record<string, string>
  readonly entries: YamlEntry[]
}

/** The sections of a text, in their order. Entries are blocks, whose lines are indented: no line of a body looks like the next entry. */
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
  readonly #sections: OpenSection[] = []
  /** True while the lines are those of the last section's list. */
  #isInside = false
  #indent: number | undefined
  /** Where the entry at hand begins, and on which line, from 0. */
  #entry: { readonly start: number; readonly line: number } | undefined
  /** Told before the next section, where a document begins. */
  #before: Record<string, string> = {}
  #isBefore = true

  constructor(text: string, names: ReadonlySet<string>) {
    this.#text = text
    this.#names = names
  }

  readLine(start: number, end: number, line: number): void {
    const first = this.#text.charAt(start)
    // Most lines are those of a body, and cost nothing here.
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

/** How far the dash of a list's item is indented; undefined for other lines. */
function dashIndent(text: string, start: number): number | undefined {
  let at = start
  while (text.charAt(at) === ' ') at += 1
  return text.charAt(at) === '-' && /^[ \r\n]?$/.test(text.charAt(at + 1)) ? at - start : undefined
}

/** Characters of one entry that are read at most. */
const maxEntryLength = 64 * 1024 * 1024

function entryIn(text: string, line: number): YamlEntry {
  if (text.length > maxEntryLength)
    return brokenEntry(line, `an entry has ${text.length} characters; YAML is read up to ${maxEntryLength}`)
  const parsed = readYaml(text)
  if (!parsed.ok) return { ok: false, fault: { ...parsed.fault, line: parsed.fault.line + line } }
  return Array.isArray(parsed.value) && parsed.value.length === 1
    ? { ok: true, value: parsed.value[0] }
    : brokenEntry(line, 'it is no entry of a list')
}

const brokenEntry = (line: number, message: string): YamlEntry => ({
  ok: false,
  fault: { line: line + 1, column: 1, message },
})
