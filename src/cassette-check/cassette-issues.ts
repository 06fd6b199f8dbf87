/** Issues of a cassette's files: unreadable, misnamed, duplicate or contradicting recordings. Secrets: `secret-issues.ts`. */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pagesFile } from '../cassette/format/pages-file.ts'
import { requestsFile } from '../cassette/format/traffic-file.ts'
import { keyInFileName } from '../cassette/interaction-path.ts'
import { conflictsIn } from '../engine/miss/remedies.ts'
import { Synthesizer } from '../engine/replay/synthesizer.ts'
import { mergeConflict } from '../json/json-fault.ts'
import { type JsonFault, readJson } from '../json/read-json.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { shellQuote } from '../store/command-name.ts'
import { listInteractionFiles } from '../store/contents/interaction-index.ts'
import { bytesInside, entriesIn, isInside } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'

/** One issue; `kind` is for programs. */
export interface CassetteIssue {
  readonly kind: 'unreadable' | 'misnamed' | 'doubled' | 'secret' | 'conflict' | 'unused' | 'expired'
  readonly file: string
  readonly what: string
}

/** Everything that makes replay from the cassette unreliable. */
export function* cassetteIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  yield* unreadableIssues(store)
  const notes = [...unreadableSideFiles(store), ...irregularFileIssues(store)]
  yield* notes
  yield* duplicateIssues(store)
  // Without readable descriptions no listing can be identified.
  if (notes.length === 0) yield* conflictIssues(store)
}

/** Batches of one listing that cannot both be right: nothing is synthesized from them. */
function* conflictIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  for (const listing of new Synthesizer(store).listings())
    for (const { file, what } of conflictsIn(listing, store))
      yield { kind: 'conflict', file: path.join(store.dir, file), what }
}

function* unreadableIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'broken') yield unreadableIssue(store.dir, file, found.fault)
    else if (found.kind === 'absent') yield { kind: 'unreadable', file, what: 'the file is gone' }
    else if (found.interaction.key !== key) {
      const what = `its request has the key ${found.interaction.key}, so it is never served; was "request" edited by hand? Rename the file`
      yield { kind: 'misnamed', file: found.path, what }
    }
  }
}

/** Descriptions, page states, counts of calls and noise rules that are not JSON. */
function* unreadableSideFiles(store: CassetteStore): IterableIterator<CassetteIssue> {
  const { dir } = store
  for (const file of store.descriptionFiles()) {
    const reading = readJson(Buffer.from(readBytes(file) ?? []).toString('utf8'))
    if (!reading.ok) yield unreadableIssue(dir, path.relative(dir, file), reading.fault)
  }
  for (const file of [pagesFile, requestsFile, 'noise.json']) {
    // Links that lead out are reported by `irregularFileIssues`.
    if (!existsSync(path.join(dir, file)) || !isInside(dir, file)) continue
    const reading = readJson(lossyTextOf(dir, file))
    if (!reading.ok) yield unreadableIssue(dir, file, reading.fault)
  }
}

function unreadableIssue(dir: string, name: string, { line, column, message }: JsonFault): CassetteIssue {
  const file = path.join(dir, name)
  const what =
    message === mergeConflict
      ? `contains ${message}; keep one side: git checkout --ours ${shellQuote(file)}, or --theirs`
      : `${message}; fix it or record it again`
  return { kind: 'unreadable', file: `${file}:${line}:${column}`, what }
}

/** Links, pipes and devices, which wikitape never writes. */
export function* irregularFileIssues({ dir }: CassetteStore): IterableIterator<CassetteIssue> {
  const files = [...entriesIn(dir)].filter(({ kind }) => kind === 'irregular').map((entry) => entry.path)
  const what = 'it is a link, a pipe or a device, and is ignored; delete it'
  for (const file of files.sort()) yield { kind: 'unreadable', file, what }
}

/** Empty where the file cannot be read: `unreadableIssues` reports it. */
function lossyTextOf(dir: string, file: string): string {
  try {
    return Buffer.from(bytesInside(dir, file) ?? []).toString('utf8')
  } catch {
    return ''
  }
}

function* duplicateIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const first = new Map<string, string>()
  for (const file of listInteractionFiles(store.dir)) {
    const key = keyInFileName(file) ?? ''
    const other = first.get(key)
    const what = `${other} has the same key and is the one that is served; delete one`
    if (other === undefined) first.set(key, file)
    else yield { kind: 'doubled', file, what }
  }
}
