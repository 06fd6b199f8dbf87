/** Secrets in the files of a cassette. */
import path from 'node:path'
import type { Interaction } from '../cassette/interaction.ts'
import { interactionPath, keyInFileName } from '../cassette/interaction-path.ts'
import { type DetectedSecret, detectedSecret } from '../privacy/detect/detected-secret.ts'
import { answerOf, scanFile, scanInteraction } from '../privacy/detect/scan-file.ts'
import { redactResponse } from '../privacy/redact/redact-response.ts'
import { urlWithoutSecrets } from '../privacy/redact/redact-url.ts'
import { isPlaceholder } from '../privacy/secrets/secret.ts'
import { requestSecretKind } from '../privacy/secrets/secret-names.ts'
import { cleanListed } from '../request/inner-secrets.ts'
import { isSecretParam } from '../request/secret-params.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { entriesIn } from '../store/files/paths-inside.ts'
import { readBytes } from '../store/files/whole-files.ts'
import { readOrElse } from '../text/error-text.ts'
import { holdsPageBlock } from '../wiki/answers/debuginfo.ts'
import { activeModules, findParamDescriptions } from '../wiki/modules/active-modules.ts'

import type { CassetteIssue } from './cassette-issues.ts'

/** Scans every file of the folder, also those that are not the cassette's: people commit all of it. */
export function* secretIssues(store: CassetteStore): IterableIterator<CassetteIssue> {
  const own = [...entriesIn(store.dir)]
    .filter(({ kind }) => kind === 'file')
    .map((entry) => entry.path)
  const described = store.descriptionFiles().map((file) => path.relative(store.dir, file))
  for (const name of new Set([
    ...own.sort(),
    ...described.filter((file) => file.startsWith('..'))
  ])) {
    const bytes = readBytes(path.join(store.dir, name)) ?? new Uint8Array()
    const file = path.join(store.dir, name)
    const issue = (where: string, secret: string): CassetteIssue => ({
      kind: 'secret',
      file: `${file} ${where}`,
      what: `${secret}; delete it, and record again with the present version`
    })
    if (holdsPageBlock(Buffer.from(bytes).toString('latin1')))
      yield issue(
        'mw.config',
        'debuginfo of a page, with headers and cookies of the client'
      )
    for (const { where, kind, excerpt, named, digest } of detectedSecretsIn(
      name,
      bytes,
      store
    )) {
      const found = issue(where, `${kind} ${excerpt}`)
      yield named ? found : { ...found, judgeable: { file, where, digest } }
    }
  }
}

function detectedSecretsIn(
  name: string,
  bytes: Uint8Array,
  store: CassetteStore
): readonly DetectedSecret[] {
  const interaction = interactionOf(store, name)
  // A name derived from the request repeats the file's content, and may cut a placeholder.
  const derivedName = interaction && interactionPath(interaction.request, interaction.key)
  const inName = scanFile(
    derivedName === name.replace(bodyFileEnd, '.json') ? '' : name,
    ''
  )
  const text = Buffer.from(bytes).toString('utf8')
  const content = text.includes('\ufffd') ? bytes : text
  if (!interaction) return [...inName, ...scanFile('', content)]
  const { site } = store.manifest
  const at = bodyFileEnd.exec(name)?.[1]
  // The bodies in files of their own belong to the interaction, and are told with it.
  if (at !== undefined)
    return interaction.responses[Number(at)] ? inName : scanFile(name, content)
  const { chosenBy, notes, responses, turns } = interaction
  // Nothing, unless sessions got different answers, or somebody has edited the file.
  const beside = [
    notes,
    turns,
    chosenBy && Object.fromEntries(chosenBy),
    ...responses.flatMap((one) => [one.notes, one.afterOthers])
  ].filter((one) => one !== undefined)
  const found = [
    ...inName,
    ...scanInteraction(interaction, site),
    ...(beside.length === 0 ? [] : scanFile('', JSON.stringify(beside)))
  ]
  const missed = unredactedIn(interaction, site)
  const inRequest = secretsInRequest(interaction, store)
  const isNew = ({ digest }: DetectedSecret) =>
    !found.some((one) => one.digest === digest)
  return [...found, ...[...missed, ...inRequest].filter(isNew)]
}

/** What the recorder would replace today: the same rule, whoever wrote the file. */
function unredactedIn(
  { request, responses }: Interaction,
  site: CassetteStore['manifest']['site']
) {
  return responses.flatMap((response, at) => {
    if (response.body.kind === 'json') return []
    const { secrets, bodyCounts } = redactResponse(
      response,
      [],
      answerOf(request, response.headers, site)
    )
    const named = secrets.map(({ kind, source, value }) =>
      detectedSecret(`responses[${at}] ${source}`, kind, value)
    )
    if (named.length > 0) return named
    return [...bodyCounts.keys()].map((what) =>
      detectedSecret(`responses[${at}] ${what}`, 'credentials', '')
    )
  })
}

const bodyFileEnd = /\.(\d+)\.bin$/

/** The interaction that an interaction file or a body file belongs to. */
function interactionOf(store: CassetteStore, name: string) {
  const key = keyInFileName(name.replace(bodyFileEnd, '.json'))
  return key && store.get(key).interaction
}

/** Parameters that recording would have redacted, by the cassette's descriptions of their modules. */
function secretsInRequest(interaction: Interaction, store: CassetteStore) {
  const { request, sentValues } = interaction
  const target = request.get('plain target')
  if (target !== undefined)
    return urlWithoutSecrets(target).secrets.map(([name, secret]) =>
      detectedSecret(
        `request.${name}`,
        requestSecretKind(name, secret) ?? 'credentials',
        secret
      )
    )
  const format = request.get('format') ?? 'json'
  const all = activeModules(request, format, (module) =>
    readOrElse(undefined, () => store.module(module))
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
      }
    )
  })
}
