/** `wikitape ls`: what is in a cassette. */

import { describeCaller } from '../../../engine/miss/describe-request.ts'
import { describeWrites } from '../../../engine/miss/describe-state.ts'
import type { RequestKey } from '../../../request/request-key.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, UsageError } from '../../args/command.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'
import { printJson } from '../../terminal/terminal-output.ts'

export const lsCommand: Command = {
  name: 'ls',
  usage: '[DIR] [flags]',
  summary:
    'Lists the interactions of a cassette: key and file; where files differ by their keys alone also who asked, and after which writes.',
  flags: [cassetteFlag, jsonFlag],
  examples: ['wikitape ls cassettes/ru-1.43', 'wikitape ls --cassette cassettes/ru-1.43 --json'],
  async run(call) {
    if (call.positionals.length > 1) throw new UsageError('too many arguments; usage: wikitape ls [DIR]')
    const store = CassetteStore.open(existingCassette(call, call.positionals[0]))
    const { upstream, engine } = store.manifest
    const rows = [...store.paths()].map(([key, path]) => ({ key, path }))
    if (call.isOn('json')) {
      printJson(call, { cassette: store.dir, upstream, engine, interactions: rows })
      return 0
    }
    call.stdout(
      `${store.dir}: ${plural(rows.length, 'interaction')} of ${upstream}, MediaWiki ${engine === '' ? 'of unknown version' : engine}\n`,
    )
    const counts = new Map<string, number>()
    for (const { key, path } of rows)
      counts.set(nameWithoutKey(path, key), (counts.get(nameWithoutKey(path, key)) ?? 0) + 1)
    for (const { key, path } of rows) {
      const isAlone = counts.get(nameWithoutKey(path, key)) === 1
      call.stdout(`${key}  ${path}${isAlone ? '' : stateText(key, store)}\n`)
    }
    return 0
  },
}

/** What a file's name tells of its request. */
const nameWithoutKey = (path: string, key: RequestKey): string => path.replace(`${key}.json`, '')

/** Who asked, and when, where that is not nobody at the beginning. */
function stateText(key: RequestKey, store: CassetteStore): string {
  const found = store.get(key)
  if (found.kind !== 'found') return ''
  const { request } = found.interaction
  const who = describeCaller(request)
  const writes = describeWrites(request, store).join(', ')
  const parts = [who === '' ? '' : `as ${who}`, writes === '' ? '' : `after ${writes}`].filter(Boolean)
  return parts.length === 0 ? '' : `  (${parts.join(', ')})`
}
