/** Secrets in the files of a cassette. */
import path from 'node:path'
import { bodyBytes, type Interaction } from '../cassette/interaction.ts'
import { interactionPath } from '../cassette/interaction-path.ts'
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
import type { CassetteIssue } from './cassette-issue.ts'

/** Secrets in a recording, its bodies included wherever they are stored. @param file relative to the cassette's folder */
export function secretsInRecording(
  store: CassetteStore,
  file: string,
  interaction: Interaction
): readonly CassetteIssue[] {
  const { site } = store.manifest
  const { request, key, responses } = interaction
  // A name derived from the request repeats the file's content, and may cut a placeholder.
  const inName = file === interactionPath(request, key) ? [] : scanFile(file, '')
  const unscanned = unscannedParts(interaction)
  const found = [
    ...inName,
    ...scanInteraction(interaction, site),
    ...(unscanned.length === 0 ? [] : scanFile('', JSON.stringify(unscanned)))
  ]
  const missed = unredactedIn(interaction, site)
  const inRequest = secretsInRequest(interaction, store)
  const isNew = ({ digest }: DetectedSecret) =>
    !found.some((one) => one.digest === digest)
  const hasBlock = responses.some(({ body }) => holdsBlock(bodyBytes(body)))
  return issuesIn(store, file, hasBlock, [
    ...found,
    ...[...missed, ...inRequest].filter(isNew)
  ])
}

/** Nothing, unless sessions got different answers, or somebody has edited the file. */
const unscannedParts = ({ notes, turns, chosenBy, responses }: Interaction) =>
  [
    notes,
    turns,
    chosenBy && Object.fromEntries(chosenBy),
    ...responses.flatMap((one) => [one.notes, one.afterOthers])
  ].filter((one) => one !== undefined)

/**
 * Scans every other file of the folder, also those that are not the cassette's: people commit all of it.
 * @param answersIn how many answers the recordings have that are scanned already, by file
 */
export function* secretsInOtherFiles(
  store: CassetteStore,
  answersIn: ReadonlyMap<string, number>
): IterableIterator<CassetteIssue> {
  const own = [...entriesIn(store.dir)]
    .filter(({ kind, path: file }) => kind === 'file' && !answersIn.has(file))
    .map((entry) => entry.path)
  const described = store.descriptionFiles().map((file) => path.relative(store.dir, file))
  const outside = described.filter((file) => file.startsWith('..'))
  for (const name of new Set([...own.sort(), ...outside])) {
    const [, stem = '', nth = ''] = /^(.*)\.(\d+)\.bin$/.exec(name) ?? []
    // The bodies in files of their own belong to the recording, and are scanned with it.
    if (Number(nth) < (answersIn.get(`${stem}.json`) ?? 0)) continue
    const bytes = readBytes(path.join(store.dir, name)) ?? new Uint8Array()
    const text = Buffer.from(bytes).toString('utf8')
    const content = text.includes('\ufffd') ? bytes : text
    yield* issuesIn(store, name, holdsBlock(bytes), [
      ...scanFile(name, ''),
      ...scanFile('', content)
    ])
  }
}

const holdsBlock = (bytes: Uint8Array) =>
  holdsPageBlock(Buffer.from(bytes).toString('latin1'))

function issuesIn(
  store: CassetteStore,
  name: string,
  hasBlock: boolean,
  secrets: readonly DetectedSecret[]
): readonly CassetteIssue[] {
  const file = path.join(store.dir, name)
  const issue = (where: string, secret: string): CassetteIssue => ({
    kind: 'secret',
    file: `${file} ${where}`,
    what: `${secret}; delete it, and record again with the present version`
  })
  const block = 'debuginfo of a page, with headers and cookies of the client'
  return [
    ...(hasBlock ? [issue('mw.config', block)] : []),
    ...secrets.map(({ where, kind, excerpt, named, digest }) => {
      const found = issue(where, `${kind} ${excerpt}`)
      return named ? found : { ...found, judgeable: { file, where, digest } }
    })
  ]
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
