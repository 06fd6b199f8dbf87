/** `wikitape ls`: what is in a cassette. */
import { CassetteStore } from '../../store/cassette-store.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../flags.ts'
import { UsageError, type Verb } from '../verb.ts'

export const ls: Verb = {
  name: 'ls',
  args: '[DIR] [flags]',
  summary: 'Lists the interactions of a cassette: key and file. Reads names only.',
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
      `${store.dir}: ${rows.length} interactions of ${upstream}, MediaWiki ${engine === '' ? 'of unknown version' : engine}\n`,
    )
    for (const { key, path } of rows) shell.out(`${key}  ${path}\n`)
    return 0
  },
}
