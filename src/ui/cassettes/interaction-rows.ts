/** The interactions of a cassette, page by page, and the search for some of them. */
import path from 'node:path'
import { requestWords, shown, whoAsked } from '../../engine/miss/describe-request.ts'
import { writesTold } from '../../engine/miss/describe-state.ts'
import { readText } from '../../store/files/whole-files.ts'
import type { InsideView, PageOf, RowView } from '../views.ts'
import type { Entry, Tape } from './cassette-catalog.ts'
import { fileState, recordingBytes } from './recording-size.ts'

/** Rows of one page. */
export const pageLength = 100
/** Bytes of a recording that is read for a row of a list. */
const mostForRow = 2_000_000
/** Milliseconds that one look inside of files may hold up the server. */
const longestLook = 100
/** Rows that one look inside of files tells. */
const mostFound = 50

/**
 * Entries whose names hold all words.
 * @param folder every one where empty
 * @param query words as in a file's name, and as in a URL: `list=allpages apfrom=Box_B`
 */
export function search(tape: Tape, folder: string, query: string, from: number): PageOf<RowView> {
  const found = named(entriesOf(tape, folder), wordsOf(query))
  return {
    rows: found.slice(from, from + pageLength).map((one) => rowOf(tape, one)),
    from,
    total: found.length,
  }
}

/** Looks for words in the files themselves, as long as that may take; what it did not reach is for the next look. */
export function searchInside(tape: Tape, folder: string, query: string, from: number): InsideView {
  const entries = entriesOf(tape, folder)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const began = performance.now()
  const rows: RowView[] = []
  let at = from
  for (; at < entries.length && rows.length < mostFound; at += 1) {
    if (at > from && performance.now() - began > longestLook) break
    const entry = entries[at]
    if (entry !== undefined && holds(tape, entry, words)) rows.push(rowOf(tape, entry))
  }
  const told = { rows, seen: Math.min(at, entries.length), total: entries.length }
  return at < entries.length ? { ...told, next: at } : told
}

const entriesOf = (tape: Tape, folder: string): readonly Entry[] =>
  folder === '' ? tape.entries : (tape.folders.get(folder) ?? [])

/** As `interactionPath` writes names. */
const wordsOf = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .replace(/\b(?:action|list|meta|prop|generator)=/g, '')
    .split(/[\s&?]+/)
    .map((word) => word.replace(/[^\p{L}\p{N}=+\-,.]+/gu, '_'))
    .filter((word) => word !== '' && word !== '_')

function named(entries: readonly Entry[], words: readonly string[]): readonly Entry[] {
  if (words.length === 0) return entries
  return entries.filter(({ file }) => {
    const name = file.toLowerCase()
    return words.every((word) => name.includes(word))
  })
}

function holds(tape: Tape, { file }: Entry, words: readonly string[]): boolean {
  const whole = path.join(tape.dir, file)
  if (fileState(whole).bytes > mostForRow) return false
  try {
    const text = (readText(whole) ?? '').toLowerCase()
    return words.every((word) => text.includes(word))
  } catch {
    // That it cannot be read is what `check` is for.
    return false
  }
}

export function rowOf(tape: Tape, { key, file, folder }: Entry): RowView {
  const row = { key, file: shown(file), folder: shown(folder), words: '', who: '', state: '', statuses: [] }
  const bytes = recordingBytes(path.join(tape.dir, file))
  if (bytes > mostForRow)
    return { ...row, fault: `${Math.round(bytes / 1_000_000)} MB: open it to see what was asked` }
  const found = tape.store?.find(key, mostForRow)
  if (found?.kind !== 'found')
    return {
      ...row,
      fault: found?.kind === 'broken' ? shown(`cannot be read: ${found.fault.message}`) : 'its file is gone',
    }
  const { interaction } = found
  return {
    ...row,
    words: requestWords(interaction),
    who: whoAsked(interaction.request),
    state: tape.store === undefined ? '' : shown(writesTold(interaction.request, tape.store).join(', ')),
    statuses: interaction.responses.map(({ status }) => status),
    fault: '',
  }
}
