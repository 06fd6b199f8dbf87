/** `wikitape ls` and `wikitape show`: the interactions of a cassette, and one of them, readable. */
import path from 'node:path'
import { rowOf } from '../../../pages/cassettes/interaction-rows.ts'
import { cassetteName } from '../../../pages/sent-request.ts'
import {
  bodyBytes,
  type Interaction,
  type RecordedResponse
} from '../../../recorder/cassette/interaction.ts'
import {
  describeCaller,
  describeRequest,
  describeWrites
} from '../../../recorder/engine/miss/describe-request.ts'
import { faultText } from '../../../recorder/json/read-json.ts'
import { writePretty } from '../../../recorder/json/write-json.ts'
import type { RequestKey } from '../../../recorder/request/request-key.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../../recorder/store/command-name.ts'
import { readText } from '../../../recorder/store/files/whole-files.ts'
import { groupBy } from '../../../recorder/text/group-by.ts'
import { plural } from '../../../recorder/text/words.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  onlyMatch,
  UsageError
} from '../../args/command.ts'
import { readRuns } from '../../files/run-files.ts'
import { existingCassette, openCassetteArg } from '../../flags/cassette-flags.ts'
import { printJson, printLine } from '../../terminal/terminal-output.ts'

export const lsCommand: Command = {
  name: 'ls',
  async run(call) {
    const store = openCassetteArg(lsCommand, call)
    const { upstream, engine } = store.manifest
    const used = usedKeys(call, store.dir)
    const interactions = [...store.paths()].flatMap(([key, path]) =>
      used.has(key) ? [] : [{ key, path }]
    )
    if (call.isOn('json')) {
      printJson(call, { cassette: store.dir, upstream, engine, interactions })
      return 0
    }
    if (used.size > 0 && interactions.length === 0) {
      printLine(call, `${store.dir}: every interaction was used`)
      return 0
    }
    const noun = used.size === 0 ? 'interaction' : 'unused interaction'
    const count = plural(interactions.length, noun)
    printLine(
      call,
      `${store.dir}: ${count} of ${upstream}, MediaWiki ${engine || 'of unknown version'}`
    )
    const byName = groupBy(interactions, ({ key, path }) =>
      path.replace(`${key}.json`, '')
    )
    for (const group of byName.values())
      for (const { key, path: file } of group) {
        const state =
          group.length === 1 ? addressText(key, file, store) : stateText(key, store)
        const columns = call.isOn('long') ? longColumns(key, file, store) : ''
        printLine(call, `${key}  ${columns}${file}${state}`)
      }
    return 0
  }
}

/** What the runs of `--run` used of the cassette. @throws UsageError */
function usedKeys(call: Invocation, dir: string) {
  const used = readRuns(call).flatMap((run) => run.used(cassetteName(dir)))
  return new Set(used.flatMap(({ keys }) => keys))
}

/** The address of what is not api.php, whose name in the file is hard to read. */
function addressText(key: RequestKey, file: string, store: CassetteStore) {
  const found = file.startsWith('plain/') ? store.get(key).interaction : undefined
  return found ? `  ${describeRequest(found)}` : ''
}

/** Module, bytes, error and user; `-` for none. */
function longColumns(key: RequestKey, file: string, store: CassetteStore) {
  const folder = path.dirname(file)
  const { bytes, error, who, fault } = rowOf(
    { dir: store.dir, store },
    { key, file, folder }
  )
  const what = fault || error || '-'
  return `${folder.padEnd(24)} ${String(bytes).padStart(8)}  ${what.padEnd(12)}  ${(who || '-').padEnd(8)}  `
}

/** The user, and the writes before it; empty for an anonymous request before any write. */
function stateText(key: RequestKey, store: CassetteStore) {
  const request = store.get(key).interaction?.request
  if (!request) return ''
  const user = describeCaller(request)
  const writes = describeWrites(request, store)
  const parts = [user && `as ${user}`, writes && `after ${writes}`].filter(Boolean)
  return parts.length === 0 ? '' : `  (${parts.join(', ')})`
}

export const showCommand: Command = {
  name: 'show',
  async run(call) {
    const [prefix = ''] = expectArgs(showCommand, call, 1)
    const store = CassetteStore.open(existingCassette(call))
    // A key may be abbreviated.
    const none = `no key in ${store.dir} starts with "${prefix}"; ${commandName} ls ${shellQuote(store.dir)} lists them`
    const keys = [...store.paths()].map(([key]) => [key, key] as const)
    const key = onlyMatch(keys, prefix, 'keys', none)
    const found = store.get(key)
    if (found.kind === 'broken')
      throw new UsageError(`${key} cannot be read: ${faultText(found.path, found.fault)}`)
    if (found.kind !== 'found')
      throw new UsageError(`${key} cannot be read: its file is gone`)
    if (call.isOn('json')) call.stdout(readText(found.path) ?? '')
    else if (call.isOn('raw')) call.stdout(bodyBytes(found.interaction.responses[0].body))
    else printReadable(found.interaction, found.path, call)
    return 0
  }
}

function printReadable(interaction: Interaction, path: string, call: Invocation) {
  printLine(call, `${interaction.key}  ${path}`)
  for (const [name, value] of interaction.request)
    printLine(call, `  ${name}=${interaction.sentValues.get(name) ?? value}`)
  for (const response of interaction.responses) {
    call.stdout(`\nHTTP ${response.status}\n`)
    for (const [name, value] of response.headers) printLine(call, `${name}: ${value}`)
    for (const { name, value, attributes } of response.cookies)
      call.stdout(`set-cookie: ${[`${name}=${value}`, ...attributes].join('; ')}\n`)
    call.stdout(`\n${readableBody(response)}\n`)
  }
}

function readableBody({ body }: RecordedResponse) {
  if (body.kind === 'json') return writePretty(body.tree)
  return body.kind === 'text'
    ? body.text
    : `(${body.bytes.length} bytes of binary content)`
}
