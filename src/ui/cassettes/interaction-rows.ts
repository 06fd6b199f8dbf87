/** The interactions of a cassette, page by page, and the search for some of them. */
import path from 'node:path'
import { describeCaller, describeRequest, displayText } from '../../engine/miss/describe-request.ts'
import { describeWrites } from '../../engine/miss/describe-state.ts'
import { readText } from '../../store/files/whole-files.ts'
import type { RowPage, RowView, SearchInFilesView } from '../views.ts'
import type { CassetteEntry, CassetteSnapshot } from './cassette-catalog.ts'
import { fileSizeAndTime, recordingSize } from './recording-size.ts'

/** Rows of one page. */
export const pageLength = 100
/** Bytes of a recording that is read for a row of a list. */
const maxRowBytes = 2_000_000
/** Milliseconds that one look inside of files may hold up the server. */
const maxSearchMs = 100
/** Rows that one look inside of files tells. */
const maxMatches = 50

/**
 * Entries whose names hold all words.
 * @param folder every one where empty
 * @param query words as in a file's name, and as in a URL: `list=allpages apfrom=Box_B`
 */
export function searchByName(
  snapshot: CassetteSnapshot,
  folder: string,
  query: string,
  from: number,
): RowPage<RowView> {
  const found = entriesWithWords(entriesOf(snapshot, folder), searchWords(query))
  return {
    rows: found.slice(from, from + pageLength).map((one) => rowOf(snapshot, one)),
    from,
    total: found.length,
  }
}

/** Looks for words in the files themselves, as long as that may take; what it did not reach is for the next look. */
export function searchInFiles(
  snapshot: CassetteSnapshot,
  folder: string,
  query: string,
  from: number,
): SearchInFilesView {
  const entries = entriesOf(snapshot, folder)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const startedAt = performance.now()
  const rows: RowView[] = []
  let at = from
  for (; at < entries.length && rows.length < maxMatches; at += 1) {
    if (at > from && performance.now() - startedAt > maxSearchMs) break
    const entry = entries[at]
    if (entry !== undefined && fileHasWords(snapshot, entry, words)) rows.push(rowOf(snapshot, entry))
  }
  const view = { rows, seen: Math.min(at, entries.length), total: entries.length }
  return at < entries.length ? { ...view, next: at } : view
}

const entriesOf = (snapshot: CassetteSnapshot, folder: string): readonly CassetteEntry[] =>
  folder === '' ? snapshot.entries : (snapshot.folders.get(folder) ?? [])

/** As `interactionPath` writes names. */
const searchWords = (query: string): readonly string[] =>
  query
    .toLowerCase()
    .replace(/\b(?:action|list|meta|prop|generator)=/g, '')
    .split(/[\s&?]+/)
    .map((word) => word.replace(/[^\p{L}\p{N}=+\-,.]+/gu, '_'))
    .filter((word) => word !== '' && word !== '_')

function entriesWithWords(
  entries: readonly CassetteEntry[],
  words: readonly string[],
): readonly CassetteEntry[] {
  if (words.length === 0) return entries
  return entries.filter(({ file }) => {
    const name = file.toLowerCase()
    return words.every((word) => name.includes(word))
  })
}

function fileHasWords(
  snapshot: CassetteSnapshot,
  { file }: CassetteEntry,
  words: readonly string[],
): boolean {
  const absolutePath = path.join(snapshot.dir, file)
  if (fileSizeAndTime(absolutePath).bytes > maxRowBytes) return false
  try {
    const text = (readText(absolutePath) ?? '').toLowerCase()
    return words.every((word) => text.includes(word))
  } catch {
    // That it cannot be read is what `check` is for.
    return false
  }
}

export function rowOf(snapshot: CassetteSnapshot, { key, file, folder }: CassetteEntry): RowView {
  const row = {
    key,
    file: displayText(file),
    folder: displayText(folder),
    words: '',
    who: '',
    state: '',
    statuses: [],
  }
  const bytes = recordingSize(path.join(snapshot.dir, file))
  if (bytes > maxRowBytes)
    return { ...row, fault: `${Math.round(bytes / 1_000_000)} MB: open it to see what was asked` }
  const found = snapshot.store?.get(key, maxRowBytes)
  if (found?.kind !== 'found')
    return {
      ...row,
      fault:
        found?.kind === 'broken' ? displayText(`cannot be read: ${found.fault.message}`) : 'its file is gone',
    }
  const { interaction } = found
  return {
    ...row,
    words: describeRequest(interaction),
    who: describeCaller(interaction.request),
    state:
      snapshot.store === undefined
        ? ''
        : displayText(describeWrites(interaction.request, snapshot.store).join(', ')),
    statuses: interaction.responses.map(({ status }) => status),
    fault: '',
  }
}
