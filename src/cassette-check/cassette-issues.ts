/** What is wrong with the files of a cassette. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { pagesFile } from '../cassette/format/pages-file.ts'
import type { Interaction, RecordedBody } from '../cassette/interaction.ts'
import { interactionPath, keyInFileName, paraminfoFolder } from '../cassette/interaction-path.ts'
import { conflictsIn } from '../engine/miss/conflicts.ts'
import { decompress } from '../engine/redaction/decompress.ts'
import { Synthesiser } from '../engine/replay/synthesiser.ts'
import { type JsonFault, readJson } from '../json/read-json.ts'
import { type DetectedSecret, detectedSecret } from '../privacy/detect/detected-secret.ts'
import { scanBody, scanFile } from '../privacy/detect/scan-file.ts'
import { isPlaceholder } from '../privacy/secrets/secret.ts'
import { requestSecretKind } from '../privacy/secrets/secret-names.ts'
import { cleanValue } from '../request/inner-secrets.ts'
import { parseRequestKey } from '../request/request-key.ts'
import { isSecretParam } from '../request/secret-params.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { listInteractionFiles } from '../store/contents/interaction-index.ts'
import { bytesInside, describedFiles, entriesIn, isInside } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'
import { activeModules, findParamDescriptions } from '../wiki/modules/active-modules.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'

/** One thing that is wrong; `kind` is for machines. */
export interface CassetteIssue {
  readonly kind: 'unreadable' | 'misnamed' | 'doubled' | 'secret' | 'conflict' | 'unused' | 'expired'
  readonly file: string
  readonly what: string
}

/** What makes a cassette unfit to be relied on; what should not stand in it are its `secrets`. */
export function* cassetteIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  yield* unreadableIssues(store)
  const notes = [...unreadableSideFiles(store), ...irregularFileIssues(store)]
  yield* notes
  yield* duplicateIssues(store)
  // Descriptions of modules decide what a listing is.
  if (notes.length === 0) yield* conflictIssues(store)
}

/** Batches of one listing that cannot both be right: nothing is synthesised from them. */
function* conflictIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const synthesiser = new Synthesiser(store)
  for (const folder of store.folders())
    for (const listing of synthesiser.listingsIn(folder).all())
      for (const { file, what } of conflictsIn(listing, store))
        yield { kind: 'conflict', file: path.join(store.dir, file), what }
}

function* unreadableIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'broken') yield unreadableIssue(store.dir, file, found.fault)
    else if (found.kind === 'found' && found.interaction.key !== key) {
      yield {
        kind: 'misnamed',
        file: found.path,
        what: `its request has the key ${found.interaction.key}, so it is never served; was "request" edited by hand? Rename the file`,
      }
    } else if (found.kind === 'absent') {
      yield { kind: 'unreadable', file, what: 'the file is gone' }
    }
  }
}

/** What the wiki says of its modules, and what is known to vary: whether they are JSON. */
function* unreadableSideFiles({ dir }: CassetteStore): IterableIterator<CassetteIssue> {
  const described = describedFiles(dir).map((name) => path.join(paraminfoFolder, name))
  for (const file of [...described, pagesFile, 'noise.json']) {
    // What leads out is told as such.
    if (!existsSync(path.join(dir, file)) || !isInside(dir, file)) continue
    const reading = readJson(Buffer.from(bytesOf(dir, file)).toString('utf8'))
    if (!reading.ok) yield unreadableIssue(dir, file, reading.fault)
  }
}

function unreadableIssue(dir: string, name: string, { line, column, message }: JsonFault): CassetteIssue {
  const file = path.join(dir, name)
  const text = Buffer.from(bytesOf(dir, name)).toString('utf8')
  const begin = mergeConflictAt(text)
  return begin === undefined
    ? {
        kind: 'unreadable',
        file: `${file}:${line}:${column}`,
        what: `${message}; mend it or record it again`,
      }
    : {
        kind: 'unreadable',
        file: `${file}:${text.slice(0, begin).split('\n').length}:1`,
        what: `holds both sides of a merge; keep one of them: git checkout --ours ${file}, or --theirs`,
      }
}

/** Where the marks of a merge begin that nobody has finished: the one, then the other, then the last. */
function mergeConflictAt(text: string): number | undefined {
  const begin = /^<{7} /m.exec(text)?.index
  const middle = begin === undefined ? -1 : text.indexOf('\n=======', begin)
  return middle >= 0 && text.includes('\n>>>>>>> ', middle) ? begin : undefined
}

/** Links, pipes and devices, which no cassette of wikitape's own holds. */
export function* irregularFileIssues({ dir }: CassetteStore): IterableIterator<CassetteIssue> {
  for (const { file, irregular } of entriesIn(dir))
    if (irregular)
      yield {
        kind: 'unreadable',
        file,
        what: 'it is a link, a pipe or a device, and is not followed; delete it',
      }
}

function bytesOf(dir: string, file: string): Uint8Array {
  try {
    return bytesInside(dir, file) ?? new Uint8Array()
  } catch {
    // Not even its bytes can be read, so there is nothing more to say of it.
    return new Uint8Array()
  }
}

function* duplicateIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const first = new Map<string, string>()
  for (const path of listInteractionFiles(store.dir)) {
    const key = keyInFileName(path) ?? ''
    const other = first.get(key)
    if (other === undefined) first.set(key, path)
    else
      yield {
        kind: 'doubled',
        file: path,
        what: `${other} has the same key and is the one that is served; delete one`,
      }
  }
}

/** Every file of the folder is looked at, whether it belongs to the cassette or not: all of it is committed. */
export function* secretIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  for (const entry of readdirSync(store.dir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    for (const { where, kind, excerpt } of detectedSecretsIn(file, store))
      yield {
        kind: 'secret',
        file: `${file} ${where}`,
        what: `${kind} ${excerpt}; delete it, and record again with the present version`,
      }
  }
}

function detectedSecretsIn(file: string, store: CassetteStore): readonly DetectedSecret[] {
  const bytes = readBytes(file) ?? new Uint8Array()
  const name = path.relative(store.dir, file).split(path.sep).join('/')
  const interaction = interactionOf(store, name)
  const body = interaction === undefined ? undefined : bodyOfFile(bytes, name, interaction)
  // A name that follows from the request tells nothing that the file does not, and may be cut.
  const isDerivedName = interaction !== undefined && hasDerivedName(interaction, name)
  const inName = scanFile(isDerivedName ? '' : name, '', { inflate: decompress })
  const inContent =
    body === undefined
      ? scanFile('', decodeText(bytes), { inflate: decompress })
      : scanBody(body, { inflate: decompress })
  const falseAlarms = new Set(interaction?.falseAlarms)
  const isFalseAlarm = ({ named, digest, where }: DetectedSecret): boolean =>
    !named && falseAlarms.has(digest) && (body !== undefined || where.startsWith('responses['))
  const found = [...inName, ...inContent.filter((one) => !isFalseAlarm(one))]
  const inRequest =
    interaction === undefined || body !== undefined ? [] : secretsInRequest(interaction, store)
  return [...found, ...inRequest.filter(({ digest }) => !found.some((one) => one.digest === digest))]
}

const decodeText = (bytes: Uint8Array): string | Uint8Array => {
  const text = Buffer.from(bytes).toString('utf8')
  return text.includes('\ufffd') ? bytes : text
}

/** The body that a file beside an interaction's holds, as it was looked at when it was recorded; undefined for other files. */
function bodyOfFile(bytes: Uint8Array, name: string, { responses }: Interaction): RecordedBody | undefined {
  const at = /\.(\d+)\.bin$/.exec(name)?.[1]
  if (at === undefined) return undefined
  return responses[Number(at)]?.body.kind === 'text'
    ? { kind: 'text', text: Buffer.from(bytes).toString('utf8') }
    : { kind: 'binary', bytes }
}

const hasDerivedName = ({ key, request }: Interaction, name: string): boolean =>
  interactionPath(request, key) === name.replace(/\.\d+\.bin$/, '.json')

/** The interaction that a file, or the file of a large body, belongs to. */
function interactionOf(store: CassetteStore, name: string): Interaction | undefined {
  const key = parseRequestKey(keyInFileName(name.replace(/\.\d+\.bin$/, '.json')) ?? '')
  const found = key === undefined ? undefined : store.get(key)
  return found?.kind === 'found' ? found.interaction : undefined
}

/** Parameters that a recording would have hidden, by what the cassette knows of their modules. */
function secretsInRequest(
  { request, sentValues }: Interaction,
  store: CassetteStore,
): readonly DetectedSecret[] {
  const format = request.get('format') ?? 'json'
  const modules = activeModules(request, format, (module) => describedModule(store, module)).filter(
    ({ description }) => description !== undefined,
  )
  return [...request, ...sentValues].flatMap(([name, value]) => {
    const inner = cleanValue(name, value).secrets
    const isSecret =
      !name.includes(' ') &&
      !isPlaceholder(value) &&
      isSecretParam(name, value, findParamDescriptions(name, modules)[0])
    const all = [...inner, ...(isSecret && value !== '' ? [[name, value] as const] : [])]
    return all.flatMap(([source, secret]) => {
      const kind = requestSecretKind(source, secret)
      return kind === undefined ? [] : [detectedSecret(`request.${name}`, kind, secret)]
    })
  })
}

/** A description that cannot be read is told elsewhere. */
function describedModule(store: CassetteStore, module: string): ModuleDescription | undefined {
  try {
    return store.module(module)
  } catch {
    return undefined
  }
}
