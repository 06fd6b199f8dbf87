/** `wikitape ui`: a cassette, and those beside it, in a browser. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { browserPath } from '../../../server/browser-routes.ts'
import { type Command, UsageError } from '../../args/command.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { hostFlag, portFlag } from '../../flags/server-flags.ts'

export const uiCommand: Command = {
  name: 'ui',
  usage: '[DIR] [flags]',
  summary:
    'Shows a cassette in a browser: requests, answers, coverage, faults, drift against the cassettes beside it. DIR: a cassette, or a folder of some. The same pages are under /__wikitape/ of record and replay.',
  flags: [portFlag, hostFlag],
  examples: ['wikitape ui cassettes/ru-1.43', 'wikitape ui cassettes --port 0'],
  async run(call) {
    if (call.positionals.length > 1) throw new UsageError('too many arguments; usage: wikitape ui [DIR]')
    const cassette = firstCassette(existingCassette(call, call.positionals[0]))
    const [{ serve }, { replayService: replayingService }] = await Promise.all([
      import('../../serve/serve.ts'),
      import('../../serve/replay-service.ts'),
    ])
    await serve(
      { ...replayingService(call, cassette), activity: 'showing', apiPath: `${browserPath}/` },
      call,
    )
    return 0
  },
}

/** The folder itself, or the first cassette in it. */
function firstCassette(dir: string): string {
  const isCassette = (place: string): boolean => existsSync(path.join(place, 'cassette.json'))
  if (isCassette(dir) || !existsSync(dir) || !statSync(dir).isDirectory()) return dir
  const first = readdirSync(dir)
    .sort()
    .find((name) => isCassette(path.join(dir, name)))
  return first === undefined ? dir : path.join(dir, first)
}
