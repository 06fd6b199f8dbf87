/** `wikitape ls`: what is in a cassette. */

import { whoAsked } from '../../../engine/miss/describe-request.ts'
import { writesTold } from '../../../engine/miss/describe-state.ts'
import type { RequestKey } from '../../../request/request-key.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { plural } from '../../../text/plural.ts'
import { UsageError, type Verb } from '../../args/command.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'

export const ls: Verb = {
  name: 'ls',
  args: '[DIR] [flags]',
  summary:
    'Lists the interactions of a cassette: key and file; where files differ by their keys alone also who asked, and after which writes.',
  flags: [cassetteFlag, jsonFlag],
  examples: ['wikitape ls cassettes/ru-1.43', 'wikitape ls --cassette cassettes/ru-1.43 --json'],
  async run(given, shell) {
    if (given.positionals.length > 1) throw new UsageError('too many arguments; usage: wikitape ls [DIR]')
    const store = CassetteStore.open(existingCassette(given, shell, given.positionals[0]))
    const { upstream, engine } = store.manifest
    const rows = [...store.paths()].map(([key, path]) => ({ key, path }))
    if (given.on('json')) {
      shell.out(`${JSON.stringify({ cassette: store.dir, upstream, engine, interactions: rows }, null, 2)}\n`)
      return 0
    }
    shell.out(
      `${store.dir}: ${plural(rows.length, 'interaction')} of ${upstream}, MediaWiki ${engine === '' ? 'of unknown version' : engine}\n`,
    )
    const counts = new Map<string, number>()
    for (const { key, path } of rows) counts.set(nameOf(path, key), (counts.get(nameOf(path, key)) ?? 0) + 1)
    for (const { key, path } of rows) {
      const isAlone = counts.get(nameOf(path, key)) === 1
      shell.out(`${key}  ${path}${isAlone ? '' : standingOf(key, store)}\n`)
    }
    return 0
  },
}

/** What a file's name tells of its request. */
const nameOf = (path: string, key: RequestKey): string => path.replace(`${key}.json`, '')

/** Who asked, and when, where that is not nobody at the beginning. */
function standingOf(key: RequestKey, store: CassetteStore): string {
  const found = store.find(key)
  if (found.kind !== 'found') return ''
  const { request } = found.interaction
  const who = whoAsked(request)
  const writes = writesTold(request, store).join(', ')
  const told = [who === '' ? '' : `as ${who}`, writes === '' ? '' : `after ${writes}`].filter(Boolean)
  return told.length === 0 ? '' : `  (${told.join(', ')})`
}
