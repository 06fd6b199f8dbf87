/** `wikitape show`: one interaction, readable. */

import type { Interaction, RecordedResponse } from '../../../cassette/interaction.ts'
import { writeCompact, writePretty } from '../../../json/write-json.ts'
import type { RequestKey } from '../../../request/request-key.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName } from '../../../store/command-name.ts'
import { readText } from '../../../store/files/whole-files.ts'
import { expectArgs, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'

export const show: Verb = {
  name: 'show',
  args: 'KEY [flags]',
  summary: 'Shows one interaction: the request, and each response with status, headers and body.',
  flags: [
    cassetteFlag,
    jsonFlag,
    { name: 'raw', help: 'print only the body of the first response, byte for byte as replay sends it' },
  ],
  examples: [
    'wikitape show 9f3a1c --cassette cassettes/ru-1.43',
    'wikitape show 9f3a1c --raw --cassette cassettes/ru-1.43',
  ],
  async run(given, shell) {
    const [wanted = ''] = expectArgs(show, given, 1)
    const store = CassetteStore.open(existingCassette(given, shell))
    const key = keyStartingWith(wanted, store)
    const found = store.find(key)
    if (found.kind !== 'found') {
      const why =
        found.kind === 'broken'
          ? `${found.path}:${found.fault.line}:${found.fault.column}: ${found.fault.message}`
          : 'its file is gone'
      throw new UsageError(`${key} cannot be read: ${why}`)
    }
    if (given.on('json')) shell.out(readText(found.path) ?? '')
    else if (given.on('raw')) shell.out(rawBody(found.interaction.responses[0]))
    else showReadable(found.interaction, found.path, shell)
    return 0
  },
}

/** Keys may be shortened as long as they are unmistakable. @throws UsageError */
function keyStartingWith(wanted: string, store: CassetteStore): RequestKey {
  const keys = [...store.paths()].map(([key]) => key).filter((key) => wanted !== '' && key.startsWith(wanted))
  const [only, another] = keys
  if (only === undefined)
    throw new UsageError(
      `no key in ${store.dir} starts with "${wanted}"; ${commandName} ls ${store.dir} lists them`,
    )
  if (another !== undefined)
    throw new UsageError(
      `"${wanted}" fits ${keys.length} keys, e.g. ${only} and ${another}; give more digits`,
    )
  return only
}

/** Byte for byte, whatever a terminal makes of them. */
function rawBody({ body }: RecordedResponse): Uint8Array {
  if (body.kind === 'json') return Buffer.from(writeCompact(body.tree, body.spelling))
  return body.kind === 'text' ? Buffer.from(body.text) : body.bytes
}

function showReadable(interaction: Interaction, path: string, shell: Shell): void {
  shell.out(`${interaction.key}  ${path}\n`)
  for (const [name, value] of interaction.request)
    shell.out(`  ${name}=${interaction.asked.get(name) ?? value}\n`)
  for (const response of interaction.responses) {
    shell.out(`\nHTTP ${response.status}\n`)
    for (const [name, value] of response.headers) shell.out(`${name}: ${value}\n`)
    for (const { name, value, attributes } of response.cookies)
      shell.out(`set-cookie: ${[`${name}=${value}`, ...attributes].join('; ')}\n`)
    shell.out(`\n${readableBody(response)}\n`)
  }
}

function readableBody({ body }: RecordedResponse): string {
  if (body.kind === 'json') return writePretty(body.tree)
  return body.kind === 'text' ? body.text : `(${body.bytes.length} bytes of binary content)`
}
