/** `wikitape export`: writes recordings in the formats of other tools. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Interaction } from '../../../cassette/interaction.ts'
import { EngineRegistry } from '../../../engine/registry/engine-registry.ts'
import { readApiUrl } from '../../../http/api-url.ts'
import { renderReply } from '../../../http/render-reply.ts'
import type { ExportedExchange, FormatWriter } from '../../../import/exchange/exported-exchange.ts'
import { formatWriters } from '../../../import/formats/formats.ts'
import type { WikiRequest } from '../../../request/api-request.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { envelopeOf } from '../../../wiki/answers/envelope.ts'
import { writeQuery } from '../../../wiki/parameters/request-params.ts'
import { type Command, expectArgs, type Invocation, UsageError } from '../../args/command.ts'
import { canRecapture } from '../../capture/recapture-plan.ts'
import { sentParams } from '../../capture/recorded-answers.ts'
import { readRequestLines } from '../../capture/requests-file.ts'
import { writeText } from '../../files/text-files.ts'
import { cassetteFlag, existingCassette } from '../../flags/cassette-flags.ts'
import { packageVersion } from '../../package-version.ts'
import { printNote, writeUnescaped } from '../../terminal/terminal-output.ts'

const formatNames = formatWriters.map(({ name }) => name).join(', ')

export const exportCommand: Command = {
  name: 'export',
  usage: '[DIR] --to FORMAT [flags]',
  summary:
    'Exports the recordings of anonymous reads to another format. Each request is written in its canonical form, as a GET for JSON; with --requests, as a client asks it.',
  flags: {
    ...cassetteFlag,
    'to FORMAT': formatNames,
    'requests FILE':
      'write these addresses instead (one URL or query string per line; - for stdin), each with the answer of a replay',
    'output PATH': 'the file to write (default stdout); for talkback, a new folder',
    json: 'print the counts of the export as JSON, on stderr',
  },
  examples: [
    'wikitape export cassettes/ru-1.43 --to har --output ru.har',
    'wikitape export cassettes/mine --to har --requests asked.txt --output mine.har',
    'wikitape export cassettes/mine --to nock --output fixtures.json',
    'wikitape export cassettes/mine --to talkback --output tapes',
  ],
  async run(call) {
    const [dir] = expectArgs(exportCommand, call, 1, 0)
    const format = readFormat(call)
    const output = call.value('output')
    if (format.kind === 'folder') assertNewFolder(output, format)
    const store = CassetteStore.open(existingCassette(call, dir))
    const named = call.value('requests') !== undefined
    const found = named ? await exchangesOfClient(store, call) : selectExchanges(store)
    const day = store.manifest.recorded ?? '1970-01-01'
    const written = format.write(found.exchanges, day, packageVersion())
    if (typeof written !== 'string')
      for (const [name, text] of written) writeText(path.join(output ?? '', name), text)
    else if (output === undefined) writeUnescaped(call, written)
    else writeText(output, written)
    printResult(found, call)
    for (const miss of found.missed) printNote(call, `not in the cassette, left out: ${miss}`)
    return found.broken.length > 0 ? 2 : found.missed.length > 0 ? 1 : 0
  },
}

function readFormat(call: Invocation): FormatWriter {
  const wanted = call.value('to')
  const format = formatWriters.find(({ name }) => name === wanted)
  if (format !== undefined) return format
  const what = wanted === undefined ? 'missing' : `"${wanted}"`
  throw new UsageError(`--to is ${what}; expected one of ${formatNames}`)
}

/** Files that are there already would be replayed as well. @throws UsageError */
function assertNewFolder(output: string | undefined, { name }: FormatWriter): void {
  if (output === undefined)
    throw new UsageError(`--output is missing: ${name} keeps a folder of files; name a new one`)
  if (existsSync(output) && (!statSync(output).isDirectory() || readdirSync(output).length > 0))
    throw new UsageError(`${output} already exists and is not empty; name a new one with --output`)
}

interface ExportSelection {
  readonly exchanges: readonly ExportedExchange[]
  /** Requests that depend on more than their URL: a user, a file, an earlier write. */
  readonly unsupported: number
  readonly broken: readonly string[]
  /** Addresses of `--requests` that a replay cannot answer, with the reason. */
  readonly missed: readonly string[]
}

function selectExchanges(store: CassetteStore): ExportSelection {
  const exchanges: ExportedExchange[] = []
  const broken: string[] = []
  let unsupported = 0
  if (!URL.canParse(store.manifest.upstream))
    throw new UsageError(`${store.dir}/cassette.json names no wiki under "upstream"; write its api.php there`)
  const api = new URL(store.manifest.upstream)
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    const more = found.kind === 'found' ? exchangesOf(found.interaction, api) : []
    if (found.kind !== 'found') broken.push(file)
    else if (more.length === 0) unsupported += 1
    exchanges.push(...more)
  }
  return { exchanges, unsupported, broken, missed: [] }
}

function exchangesOf(interaction: Interaction, api: URL): readonly ExportedExchange[] {
  const { request: canonical, key } = interaction
  const hasOrigin = canonical.has('refused origin') || canonical.has('other origin')
  if (hasOrigin || !canRecapture(interaction)) return []
  const target = canonical.get('plain target')
  const params = sentParams(interaction)
  const common = { identity: 'anonymous', posted: false } as const
  const query = writeQuery(params)
  const request: WikiRequest =
    target === undefined
      ? { ...common, kind: 'api', params, query, files: [], envelope: envelopeOf(params) }
      : { ...common, kind: 'plain', target, bodyDigest: '', form: new Map() }
  const url = new URL(target ?? `${api.pathname}?${query}`, api)
  return interaction.responses.flatMap((response) => {
    const reply = renderReply(response, request, { status: 'replayed', key, now: 0 })
    if (typeof reply === 'string') return []
    const { status, headers, body } = reply
    return { url, status, headers, body }
  })
}

function printResult({ exchanges, unsupported, broken }: ExportSelection, call: Invocation): void {
  const why = 'that depend on more than a URL (a user, a token, a file, an earlier write)'
  const rest = unsupported === 0 ? '' : `; skipped ${unsupported} ${why}`
  const counts = { exchanges: exchanges.length, leftOut: unsupported, broken }
  if (call.isOn('json')) call.stderr(`${JSON.stringify(counts)}\n`)
  else {
    for (const file of broken) printNote(call, `${file}: skipped: it cannot be read`)
    printNote(call, `${exchanges.length} exchanges written${rest}`)
  }
}

/** The answers of a replay to the addresses of `--requests`, which stay as they are: Playwright compares them as text. */
async function exchangesOfClient(store: CassetteStore, call: Invocation): Promise<ExportSelection> {
  const api = readApiUrl(store.manifest.upstream)
  if (typeof api === 'string') throw new UsageError(`${store.dir}/cassette.json: upstream: ${api}`)
  const engines = new EngineRegistry({
    ...{ cassette: store.dir, mode: 'none', live: undefined, api, moved: false, now: call.now },
    report: () => undefined,
  })
  const engine = engines.get(undefined, undefined)
  const exchanges: ExportedExchange[] = []
  const missed: string[] = []
  for (const line of await readRequestLines(call)) {
    const isAddress = /^(?:https?:\/)?\//.test(line)
    const url = new URL(isAddress ? line : `${api.path}?${line.replace(/^\?/, '')}`, api.href)
    const { status, headers, body, cassetteStatus, missReason } = await engine.handle({
      ...{ method: 'GET', target: url.pathname + url.search, headers: {}, body: Buffer.alloc(0) },
      ...{ session: '', namedHost: true, signal: undefined },
    })
    if (cassetteStatus === 'miss' || url.origin !== api.origin)
      missed.push(`${url.href}: ${missReason ?? 'another host'}`)
    else exchanges.push({ url, status, headers, body })
  }
  return { exchanges, unsupported: 0, broken: [], missed }
}
