/** Issues of a cassette's files: unreadable, misnamed, duplicate or contradicting recordings, and secrets in them. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { pagesFile } from '../cassette/format/pages-file.ts'
import { requestsFile } from '../cassette/format/traffic-file.ts'
import type { Interaction } from '../cassette/interaction.ts'
import {
  interactionPath,
  keyInFileName,
  paraminfoFolder,
} from '../cassette/interaction-path.ts'
import { askAgainAdvice, failureIn } from '../cassette/recorded-failure.ts'
import { conflictsIn } from '../engine/miss/remedies.ts'
import { Synthesizer } from '../engine/replay/synthesizer.ts'
import { type JsonFault, mergeConflict } from '../json/json-fault.ts'
import { isPlainObject, parsePlain } from '../json/plain-json.ts'
import { readJson } from '../json/read-json.ts'
import {
  answerOf,
  type DetectedSecret,
  detectedSecret,
  scanFile,
  scanInteraction,
} from '../privacy/detect/scan-file.ts'
import { redactResponse } from '../privacy/redact/redact-response.ts'
import { urlWithoutSecrets } from '../privacy/redact/redact-url.ts'
import { isPlaceholder } from '../privacy/secrets/secret.ts'
import { requestSecretKind } from '../privacy/secrets/secret-names.ts'
import { cleanListed } from '../request/inner-secrets.ts'
import { isSecretParam } from '../request/secret-params.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { shellQuote } from '../store/command-name.ts'
import { listInteractionFiles } from '../store/contents/interaction-index.ts'
import { bytesInside, entriesIn, isInside } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'
import { readOrElse } from '../text/error-text.ts'
import { wordSet } from '../text/words.ts'
import { holdsPageBlock } from '../wiki/answers/debuginfo.ts'
import { activeModules, findParamDescriptions } from '../wiki/modules/active-modules.ts'

/** One issue; `kind` is for programs. */
export interface CassetteIssue {
  readonly kind:
    | 'unreadable'
    | 'misnamed'
    | 'doubled'
    | 'secret'
    | 'conflict'
    | 'unused'
    | 'expired'
  readonly file: string
  readonly what: string
  /** Of a text that only looks like a secret: what a person may judge to be harmless. */
  readonly judgeable?: {
    readonly file: string
    readonly where: string
    readonly digest: string
  }
}

/** Everything that makes replay from the cassette unreliable. */
export function* cassetteIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  yield* unreadableIssues(store)
  yield* namelessIssues(store)
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
    else if (found.kind === 'absent')
      yield { kind: 'unreadable', file, what: 'the file is gone' }
    else if (found.interaction.key !== key) {
      const what = `its request has the key ${found.interaction.key}, so it is never served; was "request" edited by hand? Rename the file`
      yield { kind: 'misnamed', file: found.path, what }
    }
  }
}

/** Interactions whose file was renamed: without a key in its name no request finds one. */
function* namelessIssues({ dir }: CassetteStore): IterableIterator<CassetteIssue> {
  const what =
    'its name does not end in a key, so it is never served; give it its name back, or record it again'
  for (const { path: file, name, folder, kind } of entriesIn(dir)) {
    const isOther = kind !== 'file' || folder === '' || folder.startsWith(paraminfoFolder)
    if (isOther || !name.endsWith('.json') || keyInFileName(name) !== undefined) continue
    if (lossyTextOf(dir, file).includes('"request":'))
      yield { kind: 'misnamed', file: path.join(dir, file), what }
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

function unreadableIssue(
  dir: string,
  name: string,
  { line, column, message }: JsonFault,
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
  dir,
}: CassetteStore): IterableIterator<CassetteIssue> {
  const files = [...entriesIn(dir)]
    .filter(({ kind }) => kind === 'irregular')
    .map((entry) => entry.path)
  const what = 'it is a link, a pipe or a device, and is ignored; delete it'
  for (const file of files.sort()) yield { kind: 'unreadable', file, what }
}

/** Empty where the file cannot be read, which is an issue of its own. */
const lossyTextOf = (dir: string, file: string): string =>
  readOrElse('', () => Buffer.from(bytesInside(dir, file) ?? []).toString('utf8'))

/** Recordings whose last answer is an error that looks as if it would have passed. They are served, and may be wanted. */
export function* passingErrorsIn(
  store: CassetteStore,
): IterableIterator<{ file: string; what: string }> {
  for (const [key, file] of store.paths()) {
    const last = store.get(key).interaction?.responses.at(-1)
    const failure = last && failureIn(last)
    if (failure?.looksPassing !== true) continue
    yield {
      file: path.join(store.dir, file),
      what: `${failure.what} looks as if it would pass; ${askAgainAdvice}`,
    }
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

/** Scans every file of the folder, also those that are not the cassette's: people commit all of it. */
export function* secretIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const own = [...entriesIn(store.dir)]
    .filter(({ kind }) => kind === 'file')
    .map((entry) => entry.path)
  const described = store.descriptionFiles().map((file) => path.relative(store.dir, file))
  for (const name of new Set([
    ...own.sort(),
    ...described.filter((file) => file.startsWith('..')),
  ])) {
    const bytes = readBytes(path.join(store.dir, name)) ?? new Uint8Array()
    const file = path.join(store.dir, name)
    const issue = (where: string, secret: string): CassetteIssue => ({
      kind: 'secret',
      file: `${file} ${where}`,
      what: `${secret}; delete it, and record again with the present version`,
    })
    if (holdsPageBlock(Buffer.from(bytes).toString('latin1')))
      yield issue(
        'mw.config',
        'debuginfo of a page, with headers and cookies of the client',
      )
    for (const { where, kind, excerpt, named, digest } of detectedSecretsIn(
      name,
      bytes,
      store,
    )) {
      const found = issue(where, `${kind} ${excerpt}`)
      yield named ? found : { ...found, judgeable: { file, where, digest } }
    }
  }
}

function detectedSecretsIn(
  name: string,
  bytes: Uint8Array,
  store: CassetteStore,
): readonly DetectedSecret[] {
  const interaction = interactionOf(store, name)
  // A name derived from the request repeats the file's content, and may cut a placeholder.
  const derivedName = interaction && interactionPath(interaction.request, interaction.key)
  const inName = scanFile(
    derivedName === name.replace(bodyFileEnd, '.json') ? '' : name,
    '',
  )
  const text = Buffer.from(bytes).toString('utf8')
  const content = text.includes('\ufffd') ? bytes : text
  if (interaction === undefined) return [...inName, ...scanFile('', content)]
  const { site } = store.manifest
  const at = bodyFileEnd.exec(name)?.[1]
  // The bodies in files of their own belong to the interaction, and are told with it.
  if (at !== undefined)
    return interaction.responses[Number(at)] === undefined
      ? scanFile(name, content)
      : inName
  const found = [
    ...inName,
    ...scanInteraction(interaction, site),
    ...scanFile('', withoutKnownMembers(text)),
  ]
  const missed = unredactedIn(interaction, site)
  const inRequest = secretsInRequest(interaction, store)
  const isNew = ({ digest }: DetectedSecret): boolean =>
    !found.some((one) => one.digest === digest)
  return [...found, ...[...missed, ...inRequest].filter(isNew)]
}

/** What the recorder would replace today: the same rule, whoever wrote the file. */
function unredactedIn(
  { request, responses }: Interaction,
  site: CassetteStore['manifest']['site'],
): readonly DetectedSecret[] {
  return responses.flatMap((response, at) => {
    if (response.body.kind === 'json') return []
    const { secrets, bodyCounts } = redactResponse(
      response,
      [],
      answerOf(request, response.headers, site),
    )
    const named = secrets.map(({ kind, source, value }) =>
      detectedSecret(`responses[${at}] ${source}`, kind, value),
    )
    if (named.length > 0) return named
    return [...bodyCounts.keys()].map((what) =>
      detectedSecret(`responses[${at}] ${what}`, 'credentials', ''),
    )
  })
}

/** What else stands in an interaction's file: nothing, unless somebody has edited it. */
function withoutKnownMembers(text: string): string {
  const file = parsePlain(text)
  if (!isPlainObject(file)) return text
  const { request: _request, asked: _asked, responses, ...rest } = file
  const others = (Array.isArray(responses) ? responses : [responses]).map((one) => {
    if (!isPlainObject(one)) return one
    return Object.fromEntries(
      Object.entries(one).filter(([name]) => !responseMembers.has(name)),
    )
  })
  return JSON.stringify({ ...rest, responses: others })
}

const responseMembers = wordSet(
  'json lines base64 file textFile headers status seconds cookies spelling',
)

const bodyFileEnd = /\.(\d+)\.bin$/

/** The interaction that an interaction file or a body file belongs to. */
function interactionOf(store: CassetteStore, name: string): Interaction | undefined {
  const key = keyInFileName(name.replace(bodyFileEnd, '.json'))
  return key && store.get(key).interaction
}

/** Parameters that recording would have redacted, by the cassette's descriptions of their modules. */
function secretsInRequest(
  interaction: Interaction,
  store: CassetteStore,
): readonly DetectedSecret[] {
  const { request, sentValues } = interaction
  const target = request.get('plain target')
  if (target !== undefined)
    return urlWithoutSecrets(target).secrets.map(([name, secret]) =>
      detectedSecret(
        `request.${name}`,
        requestSecretKind(name, secret) ?? 'credentials',
        secret,
      ),
    )
  const format = request.get('format') ?? 'json'
  const all = activeModules(request, format, (module) =>
    readOrElse(undefined, () => store.module(module)),
  )
  const modules = all.filter(({ description }) => description !== undefined)
  return [...request, ...sentValues].flatMap(([name, value]) => {
    const inner = cleanListed(name, value).secrets
    const isParam = value !== '' && !name.includes(' ') && !isPlaceholder(value)
    const isSecret =
      isParam && isSecretParam(name, value, findParamDescriptions(name, modules)[0])
    return [...inner, ...(isSecret ? [[name, value] as const] : [])].flatMap(
      ([source, secret]) => {
        const kind = requestSecretKind(source, secret)
        return kind === undefined ? [] : [detectedSecret(`request.${name}`, kind, secret)]
      },
    )
  })
}
