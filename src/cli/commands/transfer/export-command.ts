/** `wikitape export`: gives recordings to programs that know other formats. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Interaction } from '../../../cassette/interaction.ts'
import { renderReply } from '../../../http/render-reply.ts'
import type { Exported, ExportFormat } from '../../../import/exchange/exported-exchange.ts'
import { exportFormats } from '../../../import/formats/export-formats.ts'
import type { WikiRequest } from '../../../request/api-request.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { envelopeOf } from '../../../wiki/answers/envelope.ts'
import { writeQuery } from '../../../wiki/parameters/request-params.ts'
import { expectArgs, type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { isAskable, paramsOf } from '../../capture/recapture-plan.ts'
import { writeText } from '../../files/drift-files.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'
import { packageVersion } from '../../package-version.ts'
import { outAsItIs } from '../../terminal/terminal-output.ts'

const formatFlag = 'to'
const outputFlag = 'output'
const formatNames = exportFormats.map(({ name }) => name).join(', ')

export const exportVerb: Verb = {
  name: 'export',
  args: '[DIR] --to FORMAT [flags]',
  summary:
    'Writes the recordings of anonymous reads in another format: each request in its canonical spelling, as a GET for bare JSON.',
  flags: [
    cassetteFlag,
    {
      name: formatFlag,
      value: 'FORMAT',
      help: formatNames,
    },
    {
      name: outputFlag,
      value: 'PATH',
      help: 'where to write (default stdout); for talkback a new folder',
    },
    { ...jsonFlag, help: 'print what was written, on stderr, as JSON' },
  ],
  examples: [
    'wikitape export cassettes/ru-1.43 --to har --output ru.har',
    'wikitape export cassettes/mine --to nock --output fixtures.json',
    'wikitape export cassettes/mine --to talkback --output tapes',
  ],
  async run(given, shell) {
    expectArgs(exportVerb, given, 1, 0)
    const format = formatOf(given)
    const output = given.text(outputFlag)
    if (format.kind === 'folder') expectNewFolder(output, format)
    const store = CassetteStore.open(existingCassette(given, shell, given.positionals[0]))
    const found = exchangesOf(store)
    const day = store.manifest.recorded ?? '1970-01-01'
    if (format.kind === 'folder')
      for (const [name, text] of format.write(found.exchanges, day))
        writeText(path.join(output ?? '', name), text)
    else {
      const text = format.write(found.exchanges, day, packageVersion())
      if (output === undefined) outAsItIs(shell, text)
      else writeText(output, text)
    }
    tell(found, given, shell)
    return found.broken.length > 0 ? 2 : 0
  },
}

/** @throws UsageError */
function formatOf(given: Given): ExportFormat {
  const wanted = given.text(formatFlag)
  const format = exportFormats.find(({ name }) => name === wanted)
  if (format !== undefined) return format
  throw new UsageError(
    wanted === undefined
      ? `--to is missing; expected one of ${formatNames}`
      : `--to is "${wanted}"; expected one of ${formatNames}`,
  )
}

/** What is there already would be served beside what is written. @throws UsageError */
function expectNewFolder(output: string | undefined, { name }: ExportFormat): void {
  if (output === undefined)
    throw new UsageError(`--${outputFlag} is missing: ${name} keeps a folder of files; name a new one`)
  if (existsSync(output) && !isEmptyFolder(output))
    throw new UsageError(
      `${output} is there already, and is no empty folder; name a new one with --${outputFlag}`,
    )
}

function isEmptyFolder(output: string): boolean {
  try {
    return readdirSync(output).length === 0
  } catch {
    return false
  }
}

interface Found {
  readonly exchanges: readonly Exported[]
  /** Requests that no URL tells: who asked, or what was sent along or went before, is part of them. */
  readonly untold: number
  readonly broken: readonly string[]
}

function exchangesOf(store: CassetteStore): Found {
  const exchanges: Exported[] = []
  const broken: string[] = []
  let untold = 0
  const api = URL.canParse(store.manifest.upstream) ? new URL(store.manifest.upstream) : undefined
  if (api === undefined)
    throw new UsageError(`${store.dir}/cassette.json names no wiki under "upstream"; write its api.php there`)
  for (const [key, file] of store.paths()) {
    const found = store.find(key)
    if (found.kind !== 'found') broken.push(file)
    else {
      const more = exchangesFor(found.interaction, api)
      if (more.length === 0) untold += 1
      exchanges.push(...more)
    }
  }
  return { exchanges, untold, broken }
}

/** None where a URL does not tell all of the request. */
function exchangesFor(interaction: Interaction, api: URL): readonly Exported[] {
  const { request: canonical, key } = interaction
  const dependent = canonical.has('refused origin') || canonical.has('other origin')
  if (dependent || !isAskable(interaction)) return []
  const { target, request } = requestOf(interaction, api)
  return interaction.responses.flatMap((response) => {
    const reply = renderReply(response, request, { status: 'replayed', key, now: 0 })
    if (typeof reply === 'string') return []
    const { status, headers, body } = reply
    return [{ url: new URL(target, api), status, headers, body }]
  })
}

function requestOf(
  interaction: Interaction,
  api: URL,
): { readonly target: string; readonly request: WikiRequest } {
  const plain = interaction.request.get('plain target')
  const common = { identity: 'anonymous', posted: false } as const
  if (plain !== undefined)
    return {
      target: plain,
      request: { ...common, kind: 'plain', target: plain, bodyDigest: '', form: new Map() },
    }
  const params = paramsOf(interaction)
  return {
    target: `${api.pathname}?${writeQuery(params)}`,
    request: { ...common, kind: 'api', params, files: [], envelope: envelopeOf(params) },
  }
}

function tell({ exchanges, untold, broken }: Found, given: Given, shell: Shell): void {
  if (given.on('json')) {
    shell.err(`${JSON.stringify({ exchanges: exchanges.length, leftOut: untold, broken })}\n`)
    return
  }
  for (const file of broken) shell.err(`wikitape: ${file}: left out: it cannot be read\n`)
  const left =
    untold === 0 ? '' : `; left out ${untold} that no URL tells (a user, a token, a file, a write before)`
  shell.err(`wikitape: ${exchanges.length} exchanges written${left}\n`)
}
