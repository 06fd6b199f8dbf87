/** Issues of secrets: values in a cassette's files that should have been redacted. */
import path from 'node:path'
import type { Interaction, RecordedBody } from '../cassette/interaction.ts'
import { interactionPath, keyInFileName } from '../cassette/interaction-path.ts'
import { type DetectedSecret, detectedSecret, scanBody, scanFile } from '../privacy/detect/scan-file.ts'
import { isPlaceholder } from '../privacy/secrets/secret.ts'
import { requestSecretKind } from '../privacy/secrets/secret-names.ts'
import { cleanValue } from '../request/inner-secrets.ts'
import { isSecretParam } from '../request/secret-params.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { entriesIn } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'
import { holdsPageBlock } from '../wiki/answers/debuginfo.ts'
import { activeModules, findParamDescriptions } from '../wiki/modules/active-modules.ts'
import type { ModuleDescription } from '../wiki/modules/module-descriptions.ts'
import type { CassetteIssue } from './cassette-issues.ts'

/** Scans every file of the folder, also those that are not the cassette's: people commit all of it. */
export function* secretIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const own = [...entriesIn(store.dir)].filter(({ kind }) => kind === 'file').map((entry) => entry.path)
  const described = store.descriptionFiles().map((file) => path.relative(store.dir, file))
  for (const name of new Set([...own.sort(), ...described.filter((file) => file.startsWith('..'))])) {
    const bytes = readBytes(path.join(store.dir, name)) ?? new Uint8Array()
    const issue = (where: string, secret: string): CassetteIssue => ({
      kind: 'secret',
      file: `${path.join(store.dir, name)} ${where}`,
      what: `${secret}; delete it, and record again with the present version`,
    })
    if (holdsPageBlock(Buffer.from(bytes).toString('latin1')))
      yield issue('mw.config', 'debuginfo of a page, with headers and cookies of the client')
    for (const { where, kind, excerpt } of detectedSecretsIn(name, bytes, store))
      yield issue(where, `${kind} ${excerpt}`)
  }
}

function detectedSecretsIn(name: string, bytes: Uint8Array, store: CassetteStore): readonly DetectedSecret[] {
  const interaction = interactionOf(store, name)
  const body = interaction === undefined ? undefined : bodyOfFile(bytes, name, interaction)
  // A name derived from the request repeats the file's content, and may cut a placeholder.
  const derivedName = interaction && interactionPath(interaction.request, interaction.key)
  const isDerivedName = derivedName === name.replace(bodyFileEnd, '.json')
  const inName = scanFile(isDerivedName ? '' : name, '')
  const text = Buffer.from(bytes).toString('utf8')
  const content = text.includes('\ufffd') ? bytes : text
  const inContent = body === undefined ? scanFile('', content) : scanBody(body)
  const falseAlarms = new Set(interaction?.falseAlarms)
  const isFalseAlarm = ({ named, digest }: DetectedSecret): boolean => !named && falseAlarms.has(digest)
  const found = [...inName, ...inContent.filter((one) => !isFalseAlarm(one))]
  const inRequest =
    interaction === undefined || body !== undefined ? [] : secretsInRequest(interaction, store)
  return [...found, ...inRequest.filter(({ digest }) => !found.some((one) => one.digest === digest))]
}

const bodyFileEnd = /\.(\d+)\.bin$/

/** The body in a separate body file, in the form in which it was scanned when recorded; undefined for other files. */
function bodyOfFile(bytes: Uint8Array, name: string, { responses }: Interaction): RecordedBody | undefined {
  const at = bodyFileEnd.exec(name)?.[1]
  if (at === undefined) return undefined
  return responses[Number(at)]?.body.kind === 'text'
    ? { kind: 'text', text: Buffer.from(bytes).toString('utf8') }
    : { kind: 'binary', bytes }
}

/** The interaction that an interaction file or a body file belongs to. */
function interactionOf(store: CassetteStore, name: string): Interaction | undefined {
  const key = keyInFileName(name.replace(bodyFileEnd, '.json'))
  const found = key === undefined ? undefined : store.get(key)
  return found?.kind === 'found' ? found.interaction : undefined
}

/** Parameters that recording would have redacted, by the cassette's descriptions of their modules. */
function secretsInRequest(
  { request, sentValues }: Interaction,
  store: CassetteStore,
): readonly DetectedSecret[] {
  const format = request.get('format') ?? 'json'
  const all = activeModules(request, format, (module) => describedModule(store, module))
  const modules = all.filter(({ description }) => description !== undefined)
  return [...request, ...sentValues].flatMap(([name, value]) => {
    const inner = cleanValue(name, value).secrets
    const isParam = value !== '' && !name.includes(' ') && !isPlaceholder(value)
    const isSecret = isParam && isSecretParam(name, value, findParamDescriptions(name, modules)[0])
    return [...inner, ...(isSecret ? [[name, value] as const] : [])].flatMap(([source, secret]) => {
      const kind = requestSecretKind(source, secret)
      return kind === undefined ? [] : [detectedSecret(`request.${name}`, kind, secret)]
    })
  })
}

/** An unreadable description is an issue of its own. */
function describedModule(store: CassetteStore, module: string): ModuleDescription | undefined {
  try {
    return store.module(module)
  } catch {
    return undefined
  }
}
