/** `wikitape show`: one interaction, readable. */
import type { Interaction, RecordedResponse } from '../../../cassette/interaction.ts'
import { writeCompact, writePretty } from '../../../json/write-json.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName, shellQuote } from '../../../store/command-name.ts'
import { readText } from '../../../store/files/whole-files.ts'
import { type Command, expectArgs, type Invocation, onlyMatch, UsageError } from '../../args/command.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'

export const showCommand: Command = {
  name: 'show',
  usage: 'KEY [flags]',
  summary: 'Shows one interaction: the request, and each response with status, headers and body.',
  flags: {
    ...cassetteFlag,
    ...jsonFlag,
    raw: 'print only the body of the first response, byte for byte as replay sends it',
  },
  examples: [
    'wikitape show 9f3a1c --cassette cassettes/ru-1.43',
    'wikitape show 9f3a1c --raw --cassette cassettes/ru-1.43',
  ],
  async run(call) {
    const [prefix = ''] = expectArgs(showCommand, call, 1)
    const store = CassetteStore.open(existingCassette(call))
    // A key may be abbreviated.
    const none = `no key in ${store.dir} starts with "${prefix}"; ${commandName} ls ${shellQuote(store.dir)} lists them`
    const keys = [...store.paths()].map(([key]) => [key, key] as const)
    const key = onlyMatch(keys, prefix, 'keys', none)
    const found = store.get(key)
    if (found.kind === 'broken') {
      const { line, column, message } = found.fault
      throw new UsageError(`${key} cannot be read: ${found.path}:${line}:${column}: ${message}`)
    }
    if (found.kind !== 'found') throw new UsageError(`${key} cannot be read: its file is gone`)
    if (call.isOn('json')) call.stdout(readText(found.path) ?? '')
    else if (call.isOn('raw')) call.stdout(rawBody(found.interaction.responses[0]))
    else printReadable(found.interaction, found.path, call)
    return 0
  },
}

/** Byte for byte, whatever a terminal makes of them. */
function rawBody({ body }: RecordedResponse): Uint8Array {
  if (body.kind === 'json') return Buffer.from(writeCompact(body.tree, body.spelling))
  return body.kind === 'text' ? Buffer.from(body.text) : body.bytes
}

function printReadable(interaction: Interaction, path: string, call: Invocation): void {
  call.stdout(`${interaction.key}  ${path}\n`)
  for (const [name, value] of interaction.request)
    call.stdout(`  ${name}=${interaction.sentValues.get(name) ?? value}\n`)
  for (const response of interaction.responses) {
    call.stdout(`\nHTTP ${response.status}\n`)
    for (const [name, value] of response.headers) call.stdout(`${name}: ${value}\n`)
    for (const { name, value, attributes } of response.cookies)
      call.stdout(`set-cookie: ${[`${name}=${value}`, ...attributes].join('; ')}\n`)
    call.stdout(`\n${readableBody(response)}\n`)
  }
}

function readableBody({ body }: RecordedResponse): string {
  if (body.kind === 'json') return writePretty(body.tree)
  return body.kind === 'text' ? body.text : `(${body.bytes.length} bytes of binary content)`
}
