/** The interactions of a cassette as rows, page by page, and the search for them. */

import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type {
  Interaction,
  RecordedResponse
} from '../../recorder/cassette/interaction.ts'
import { bodyJson } from '../../recorder/cassette/interaction.ts'
import {
  describeCaller,
  describeRequest,
  describeWrites,
  displayText
} from '../../recorder/engine/miss/describe-request.ts'
import { hasMember } from '../../recorder/json/json-tree.ts'
import { writeSetOfAnswer } from '../../recorder/playback/session/session.ts'
import { epochParam } from '../../recorder/request/scoped-keys.ts'
import type { CassetteStore } from '../../recorder/store/cassette-store.ts'
import { statOrUndefined } from '../../recorder/store/files/paths-inside.ts'
import { readText } from '../../recorder/store/files/whole-files.ts'
import { readOrElse } from '../../recorder/text/error-text.ts'
import type { RowPage, RowView, SearchInFilesView } from '../views.ts'
import type { CassetteEntry, CassetteSnapshot } from './cassette-catalog.ts'

const pageLength = 100
/** Bytes of a recording that is read for a row. */
const maxRowBytes = 2_000_000
/** Milliseconds that reading rows may block the server. */
const maxTurnMs = 10
const maxMatches = 50
/** Characters of an excerpt before the word that was found, and of all of it. */
const excerptBefore = 40
const excerptLength = 160

interface InteractionSearch {
  /** Empty for all folders. */
  readonly folder: string
  /** Words as in a file's name or in a URL: `list=allpages apfrom=Box_B`. */
  readonly query: string
  /** Position of the first entry. */
  readonly from: number
}

/** Entries whose file names contain all words. */
export async function searchByName(
  snapshot: CassetteSnapshot,
  { folder, query, from }: InteractionSearch
): Promise<RowPage<RowView>> {
  const words = searchWords(query)
  const found = entriesOf(snapshot, folder).filter(({ name }) =>
    words.every((word) => name.includes(word))
  )
  const rows: RowView[] = []
  let startedAt = performance.now()
  for (const one of found.slice(from, from + pageLength)) {
    if (performance.now() - startedAt > maxTurnMs) {
      await setImmediate()
      startedAt = performance.now()
    }
    rows.push(rowOf(snapshot, one))
  }
  return { rows, from, total: found.length }
}

/** Searches the files themselves for the words, for a limited time; `next` of the result is where to go on. Without words, all are found. */
export function searchInFiles(
  snapshot: CassetteSnapshot,
  { folder, query, from }: InteractionSearch
): SearchInFilesView {
  const entries = entriesOf(snapshot, folder)
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const startedAt = performance.now()
  const rows: RowView[] = []
  let at = from
  for (; at < entries.length && (query === '' || rows.length < maxMatches); at += 1) {
    if (at > from && performance.now() - startedAt > maxTurnMs) break
    const entry = entries[at]
    const excerpt = entry && excerptOf(path.join(snapshot.dir, entry.file), words)
    if (entry && excerpt !== undefined) rows.push({ ...rowOf(snapshot, entry), excerpt })
  }
  const view = { rows, seen: Math.min(at, entries.length), total: entries.length }
  return at < entries.length ? { ...view, next: at } : view
}

const entriesOf = (snapshot: CassetteSnapshot, folder: string) =>
  folder === '' ? snapshot.entries : (snapshot.folders.get(folder) ?? [])

/** The words as `interactionPath` spells them in file names. */
const searchWords = (query: string) =>
  query
    .toLowerCase()
    .replace(/\b(?:action|list|meta|prop|generator)=/g, '')
    .split(/[\s&?]+/)
    .map((word) => word.replace(/[^\p{L}\p{N}=+\-,.]+/gu, '_'))
    .filter((word) => word !== '' && word !== '_')

/** What stands around the first word; undefined if a file lacks one of them. */
function excerptOf(file: string, [first, ...more]: readonly string[]) {
  if (first === undefined) return ''
  if (fileSize(file) > maxRowBytes) return undefined
  // Unreadable files are reported by `check`.
  const text = readOrElse('', () => readText(file) ?? '')
  const lower = text.toLowerCase()
  const place = lower.indexOf(first)
  if (place < 0 || !more.every((word) => lower.includes(word))) return undefined
  const start = Math.max(0, place - excerptBefore)
  return displayText(text.slice(start, start + excerptLength).replace(/\s+/g, ' '))
}

/** @param maxBytes of a recording that is read */
export function rowOf(
  { dir, store }: Pick<CassetteSnapshot, 'dir' | 'store'>,
  { key, file, folder }: Omit<CassetteEntry, 'name'>,
  maxBytes: number = maxRowBytes
): RowView {
  const place = path.join(dir, file)
  const bytes = recordingSize(place)
  const row = {
    ...emptyRow,
    key,
    file: displayText(file),
    folder: displayText(folder),
    bytes,
    written: statOrUndefined(place)?.mtimeMs ?? 0
  }
  if (bytes > maxBytes)
    return {
      ...row,
      isLarge: true,
      fault: `${Math.round(bytes / 1_000_000)} MB: open it to see the request`
    }
  const found = store?.get(key, maxBytes)
  if (found?.kind === 'broken')
    return { ...row, fault: displayText(`cannot be read: ${found.fault.message}`) }
  if (!store || found?.kind !== 'found') return { ...row, fault: 'its file was deleted' }
  return { ...row, ...describedRow(found.interaction, store) }
}

const emptyRow = {
  words: '',
  who: '',
  state: '',
  statuses: [],
  error: '',
  hasWarnings: false,
  wrote: false,
  after: '',
  fault: '',
  isLarge: false
}

function describedRow(interaction: Interaction, store: CassetteStore) {
  const { request, responses } = interaction
  const [first] = responses
  const seconds = responses.find((one) => one.seconds !== undefined)?.seconds
  const isWrite = (one: RecordedResponse) =>
    writeSetOfAnswer(request, one, store.manifest.site) !== undefined
  return {
    words: describeRequest(interaction),
    who: describeCaller(request),
    state: displayText(describeWrites(request, store)),
    statuses: responses.map(({ status }) => status),
    error: displayText(first.headers.get('mediawiki-api-error') ?? '', 60),
    hasWarnings: hasMember(bodyJson(first.body), 'warnings'),
    // Whatever writes needs a token.
    after: request.get(epochParam) ?? '',
    wrote: request.has('token') && responses.some(isWrite),
    ...(seconds === undefined ? {} : { seconds })
  }
}

const fileSize = (file: string) => statOrUndefined(file)?.size ?? 0

/** Bytes of a recording: its file and its body files (docs/cassette-format.md). */
export function recordingSize(file: string): number {
  const stem = file.slice(0, -'.json'.length)
  let sum = fileSize(file)
  for (let at = 0; ; at += 1) {
    const bytes = fileSize(`${stem}.${at}.bin`)
    if (bytes === 0) return sum
    sum += bytes
  }
}
