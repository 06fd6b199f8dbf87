/** `wikitape export`: writes recordings in the formats of other tools. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { wikiFactsOf } from '../../../recorder/engine/call.ts'
import { EngineRegistry } from '../../../recorder/engine/registry/engine-registry.ts'
import { type ApiUrl, readApiUrl } from '../../../recorder/http/api-url.ts'
import { refusedLagParam } from '../../../recorder/request/scoped-keys.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { writeQuery } from '../../../recorder/wiki/parameters/request-params.ts'
import type {
  ExportedExchange,
  FormatWriter
} from '../../../transfer/exchange/exchanges.ts'
import { formatWriters } from '../../../transfer/formats/formats.ts'
import { type Command, expectArgs, readOrThrow, UsageError } from '../../args/command.ts'
import { canRecapture } from '../../capture/recapture-plan.ts'
import { deriveAgain, sentParams } from '../../capture/recorded-answers.ts'
import { readRequestLines } from '../../capture/request-run.ts'
import { writeText } from '../../files/text-files.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { packageVersion } from '../../package-version.ts'
import { printNote, writeUnescaped } from '../../terminal/terminal-output.ts'

const formatNames = formatWriters.map(({ name }) => name).join(', ')

export const exportCommand: Command = {
  name: 'export',
  async run(call) {
    const [dir] = expectArgs(exportCommand, call, 1, 0)
    const name = call.value('to')
    const format = formatWriters.find((one) => one.name === name)
    const what = name === undefined ? 'missing' : `"${name}"`
    if (!format) throw new UsageError(`--to is ${what}; expected one of ${formatNames}`)
    const output = call.value('output')
    if (format.hasOneExchangePerFile) assertNewFolder(output, format)
    const store = CassetteStore.open(existingCassette(call, dir))
    const api = readOrThrow(
      readApiUrl(store.manifest.upstream),
      `${store.dir}/cassette.json: upstream: `
    )
    const named = call.value('requests') !== undefined
    const { addresses, unsupported, broken } = named
      ? requested(await readRequestLines(call))
      : exportableAddresses(store)
    const now = named ? call.now : () => 0
    const { exchanges, missed } = await replay(addresses, store, api, now)
    const day = store.manifest.recorded ?? '1970-01-01'
    const written = format.write(exchanges, day, packageVersion())
    if (typeof written !== 'string')
      for (const [name, text] of written) writeText(path.join(output ?? '', name), text)
    else if (output === undefined) writeUnescaped(call, written)
    else writeText(output, written)
    const why =
      'that depend on more than a URL (a user, a token, a file, an earlier write)'
    const rest = unsupported === 0 ? '' : `; skipped ${unsupported} ${why}`
    if (call.isOn('json'))
      call.stderr(
        `${JSON.stringify({ exchanges: exchanges.length, leftOut: unsupported, broken })}\n`
      )
    else {
      for (const file of broken) printNote(call, `${file}: skipped: it cannot be read`)
      printNote(call, `${exchanges.length} exchanges written${rest}`)
    }
    for (const miss of missed) printNote(call, `not in the cassette, left out: ${miss}`)
    if (broken.length > 0) return 2
    return missed.length > 0 ? 1 : 0
  }
}

/** Files that are there already would be replayed as well. @throws UsageError */
function assertNewFolder(output: string | undefined, { name }: FormatWriter) {
  if (output === undefined)
    throw new UsageError(
      `--output is missing: ${name} keeps a folder of files; name a new one`
    )
  if (
    existsSync(output) &&
    (!statSync(output).isDirectory() || readdirSync(output).length > 0)
  )
    throw new UsageError(
      `${output} already exists and is not empty; name a new one with --output`
    )
}

const requested = (lines: readonly string[]) => ({
  addresses: lines.map((line) =>
    /^(?:https?:\/)?\//.test(line) ? line : `?${line.replace(/^\?/, '')}`
  ),
  unsupported: 0,
  broken: []
})

/** An address for each recorded answer: several of one request are replayed one after another. */
function exportableAddresses(store: CassetteStore) {
  const addresses: string[] = []
  const broken: string[] = []
  let unsupported = 0
  for (const [key, file] of store.paths()) {
    const found = store.get(key).interaction
    if (!found) {
      broken.push(file)
      continue
    }
    const { request, responses } = found
    // Set in a cassette in which method and spelling count.
    const exact = request.get('as sent')
    const sent = sentParams(found)
    const query = exact?.replace(/^GET /, '') ?? writeQuery(sent)
    const address = request.get('plain target') ?? `?${query}`
    const isOfEnvelope = ['refused origin', 'other origin', refusedLagParam].some(
      (name) => request.has(name)
    )
    const { effect } = deriveAgain(sent, 'anonymous', wikiFactsOf(store))
    const isPost = effect === 'write' || exact?.startsWith('POST ')
    if (isOfEnvelope || isPost || !canRecapture(found)) unsupported += 1
    else addresses.push(...responses.map(() => address))
  }
  return { addresses, unsupported, broken }
}

/** The answers of a replay. The addresses stay as they are: Playwright compares them as text. */
async function replay(
  addresses: readonly string[],
  { dir }: CassetteStore,
  api: ApiUrl,
  now: () => number
) {
  const { first: engine } = new EngineRegistry({
    cassette: dir,
    mode: 'none',
    live: undefined,
    api,
    moved: false,
    now,
    onEvent: () => undefined
  })
  const exchanges: ExportedExchange[] = []
  const missed: string[] = []
  for (const address of addresses) {
    await setImmediate()
    const url = new URL(address, api.href)
    const { status, headers, body, cassetteStatus, missReason } = await engine.handle({
      method: 'GET',
      target: url.pathname + url.search,
      headers: {},
      body: Buffer.alloc(0),

      session: '',
      namedHost: true,
      signal: undefined
    })
    if (cassetteStatus === 'miss' || url.origin !== api.origin)
      missed.push(`${url.href}: ${missReason ?? 'another host'}`)
    else exchanges.push({ url, status, headers, body })
  }
  return { exchanges, missed }
}
