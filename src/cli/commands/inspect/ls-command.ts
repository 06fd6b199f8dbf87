/** `wikitape ls`: the interactions of a cassette. */
import { describeCaller } from '../../../engine/miss/describe-request.ts'
import { describeWrites } from '../../../engine/miss/describe-state.ts'
import type { RequestKey } from '../../../request/request-key.ts'
import type { CassetteStore } from '../../../store/cassette-store.ts'
import { groupBy } from '../../../text/group-by.ts'
import { plural } from '../../../text/words.ts'
import type { Command } from '../../args/command.ts'
import { cassetteFlag, jsonFlag, openCassetteArg } from '../../flags/cassette-flags.ts'
import { printJson } from '../../terminal/terminal-output.ts'

export const lsCommand: Command = {
  name: 'ls',
  usage: '[DIR] [flags]',
  summary:
    'Lists the interactions of a cassette, each with key and file. If the names of files differ only by their keys, also lists the user and the earlier writes.',
  flags: { ...cassetteFlag, ...jsonFlag },
  examples: ['wikitape ls cassettes/ru-1.43', 'wikitape ls --cassette cassettes/ru-1.43 --json'],
  async run(call) {
    const store = openCassetteArg(lsCommand, call)
    const { upstream, engine } = store.manifest
    const interactions = [...store.paths()].map(([key, path]) => ({ key, path }))
    if (call.isOn('json')) {
      printJson(call, { cassette: store.dir, upstream, engine, interactions })
      return 0
    }
    const count = plural(interactions.length, 'interaction')
    call.stdout(`${store.dir}: ${count} of ${upstream}, MediaWiki ${engine || 'of unknown version'}\n`)
    const byName = groupBy(interactions, ({ key, path }) => path.replace(`${key}.json`, ''))
    for (const { key, path } of interactions) {
      const isAlone = byName.get(path.replace(`${key}.json`, ''))?.length === 1
      call.stdout(`${key}  ${path}${isAlone ? '' : stateText(key, store)}\n`)
    }
    return 0
  },
}

/** The user, and the writes before it; empty for an anonymous request before any write. */
function stateText(key: RequestKey, store: CassetteStore): string {
  const found = store.get(key)
  if (found.kind !== 'found') return ''
  const { request } = found.interaction
  const user = describeCaller(request)
  const writes = describeWrites(request, store).join(', ')
  const parts = [user && `as ${user}`, writes && `after ${writes}`].filter(Boolean)
  return parts.length === 0 ? '' : `  (${parts.join(', ')})`
}
