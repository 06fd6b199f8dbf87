/** Issues of a cassette's files: unreadable, misnamed, duplicate or contradicting recordings, and secrets in them. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { decodePageStates, pagesFile } from '../cassette/format/pages-file.ts'
import { decodeTraffic, requestsFile } from '../cassette/format/traffic-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import {
  keyInFileName,
  moduleDescriptionPath,
  paraminfoFolder
} from '../cassette/interaction-path.ts'
import { askAgainAdvice, failureIn } from '../cassette/recorded-failure.ts'
import { conflictsIn } from '../engine/miss/remedies.ts'
import { Synthesizer } from '../engine/replay/synthesizer.ts'
import { type JsonFault, mergeConflict } from '../json/json-fault.ts'
import { readJson } from '../json/read-json.ts'
import type { RequestKey } from '../request/request-key.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { commandName, shellQuote } from '../store/command-name.ts'
import { listInteractionFiles } from '../store/contents/interaction-index.ts'
import type { InteractionReadResult } from '../store/contents/interaction-reader.ts'
import { bytesInside, entriesIn, isInside } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'
import { readOrElse } from '../text/error-text.ts'
import { groupBy } from '../text/group-by.ts'
import { plural } from '../text/words.ts'
import type { CassetteIssue } from './cassette-issue.ts'
import { secretsInOtherFiles, secretsInRecording } from './secret-issues.ts'

/**
 * Everything that makes replay from the cassette unreliable, and secrets in its files. Each recording is read once.
 * @param visit gets each recording that can be read, and its file
 */
export function* cassetteIssues(
  store: CassetteStore,
  visit: (interaction: Interaction, file: string) => void = () => undefined
): IterableIterator<CassetteIssue> {
  const notes = [...unreadableSideFiles(store), ...irregularFileIssues(store)]
  const answersIn = new Map<string, number>()
  const secrets: CassetteIssue[] = []
  const conflicts: CassetteIssue[] = []
  const synthesizer = new Synthesizer(store)
  for (const files of filesByFolder(store)) {
    const found: Interaction[] = []
    for (const [key, file] of files) {
      const reading = store.get(key)
      yield* readingIssues(store, key, file, reading)
      if (reading.kind !== 'found') continue
      const { interaction } = reading
      visit(interaction, path.join(store.dir, file))
      secrets.push(...secretsInRecording(store, file, interaction))
      answersIn.set(file, interaction.responses.length)
      found.push(interaction)
    }
    // Without readable descriptions no listing can be identified.
    if (notes.length === 0) conflicts.push(...conflictIssues(store, synthesizer, found))
  }
  yield* namelessIssues(store)
  yield* notes
  yield* undescribedIssues(store)
  yield* duplicateIssues(store)
  yield* conflicts
  yield* secrets
  yield* secretsInOtherFiles(store, answersIn)
}

/** The files of recordings, a list for each folder. */
const filesByFolder = (store: CassetteStore) =>
  groupBy(store.paths(), ([, file]) => path.posix.dirname(file)).values()

/** Batches of one listing that cannot both be right: nothing is synthesized from them. */
function* conflictIssues(
  store: CassetteStore,
  synthesizer: Synthesizer,
  interactions: readonly Interaction[]
) {
  for (const listing of synthesizer.listingsOf(interactions).all())
    for (const { file, what } of conflictsIn(listing, store))
      yield { kind: 'conflict', file: path.join(store.dir, file), what } as const
}

function* readingIssues(
  store: CassetteStore,
  key: RequestKey,
  file: string,
  reading: InteractionReadResult
): IterableIterator<CassetteIssue> {
  if (reading.kind === 'broken') yield unreadableIssue(store.dir, file, reading.fault)
  else if (reading.kind === 'absent')
    yield { kind: 'unreadable', file, what: 'the file is gone' }
  else if (reading.interaction.key !== key) {
    const what = `its request has the key ${reading.interaction.key}, so it is never served; was "request" edited by hand? Rename the file`
    yield { kind: 'misnamed', file: reading.path, what }
  }
}

/** Interactions whose file was renamed: without a key in its name no request finds one. Bodies that git could not merge. */
function* namelessIssues({ dir }: CassetteStore): IterableIterator<CassetteIssue> {
  const what =
    'its name does not end in a key, so it is never served; give it its name back, or record it again'
  for (const { path: file, name, folder, kind } of entriesIn(dir)) {
    const line = kind === 'file' && name.endsWith('.bin') ? conflictLineIn(dir, file) : 0
    if (line > 0)
      yield unreadableIssue(dir, file, { line, column: 1, message: mergeConflict })
    const isOther = kind !== 'file' || folder === '' || folder.startsWith(paraminfoFolder)
    if (isOther || !name.endsWith('.json') || keyInFileName(name) !== undefined) continue
    if (lossyTextOf(dir, file).includes('"request":'))
      yield { kind: 'misnamed', file: path.join(dir, file), what }
  }
}

/** The line where git's marks begin in a body of its own; 0 without them. A page about git may show some of the three. */
function conflictLineIn(dir: string, file: string) {
  const text = lossyTextOf(dir, file)
  const begin = /^<<<<<<< [\s\S]*^=======\r?$[\s\S]*^>>>>>>> /m.exec(text)?.index
  return begin === undefined ? 0 : text.slice(0, begin).split('\n').length
}

/** Descriptions, page states, counts of calls and noise rules that are not JSON. */
function* unreadableSideFiles(store: CassetteStore) {
  const { dir } = store
  for (const file of store.descriptionFiles()) {
    const reading = readJson(Buffer.from(readBytes(file) ?? []).toString('utf8'))
    if (!reading.ok) yield unreadableIssue(dir, path.relative(dir, file), reading.fault)
  }
  for (const file of [pagesFile, requestsFile, 'noise.json']) {
    // Links that lead out are reported by `irregularFileIssues`.
    if (!existsSync(path.join(dir, file)) || !isInside(dir, file)) continue
    const text = lossyTextOf(dir, file)
    const reading = file === pagesFile ? decodePageStates(text) : readJson(text)
    if (!reading.ok) yield unreadableIssue(dir, file, reading.fault)
    else if (file === requestsFile && !decodeTraffic(text))
      yield unreadableIssue(dir, file, {
        line: 1,
        column: 1,
        message: 'it has no counts'
      })
  }
}

/** Descriptions that somebody has deleted, of modules that every wiki describes: requests get other keys without them. */
function* undescribedIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const { dir, manifest } = store
  if (!manifest.describesItself || !manifest.site) return
  const files = [...store.paths()].map(([, file]) => file)
  const users = {
    main: files.filter((file) => !file.startsWith('plain/')),
    query: files.filter((file) => file.startsWith('query.'))
  }
  for (const [module, { length }] of Object.entries(users)) {
    // One that cannot be read is told already.
    const text = readOrElse('', () => store.moduleText(module))
    if (length === 0 || text !== undefined) continue
    const file = path.join(dir, moduleDescriptionPath(module))
    const target = `${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)}`
    const what = `the description of ${module} is gone, by which requests to ${plural(length, 'recording')} are compared; restore it, or record it again: ${commandName} capture ${target} --describe`
    yield { kind: 'unreadable', file, what }
  }
}

function unreadableIssue(
  dir: string,
  name: string,
  { line, column, message }: JsonFault
): CassetteIssue {
  const file = path.join(dir, name)
  const what =
    message === mergeConflict
      ? `contains ${message}; keep one side: git checkout --ours ${shellQuote(file)}, or --theirs`
      : `${message}; fix it or record it again`
  return { kind: 'unreadable', file: `${file}:${line}:${column}`, what }
}

/** Links, pipes and devices, which wikitape never writes. */
export function* irregularFileIssues({
  dir
}: CassetteStore): IterableIterator<CassetteIssue> {
  const files = [...entriesIn(dir)]
    .filter(({ kind }) => kind === 'irregular')
    .map((entry) => entry.path)
  const what = 'it is a link, a pipe or a device, and is ignored; delete it'
  for (const file of files.sort()) yield { kind: 'unreadable', file, what }
}

/** Empty where the file cannot be read, which is an issue of its own. */
const lossyTextOf = (dir: string, file: string) =>
  readOrElse('', () => Buffer.from(bytesInside(dir, file) ?? []).toString('utf8'))

/** What is said of a last answer that looks as if it would have passed. It is served, and may be wanted. */
export function passingErrorIn({ responses }: Interaction): string | undefined {
  const last = responses.at(-1)
  const failure = last && failureIn(last)
  return failure?.looksPassing
    ? `${failure.what} looks as if it would pass; ${askAgainAdvice}`
    : undefined
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
