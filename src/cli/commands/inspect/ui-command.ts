/** `wikitape ui`: a cassette, and its neighbours, in a browser. */
import { browserPath } from '../../../recorder/server/browser-requests.ts'
import { cassettesIn } from '../../../recorder/store/files/paths-inside.ts'
import { type Command, expectArgs } from '../../args/command.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { listenFlags } from '../../flags/server-flags.ts'
import { replayService, serve } from '../../serve/serve.ts'

export const uiCommand: Command = {
  name: 'ui',
  usage: '[DIR] [flags]',
  summary:
    'Shows a cassette in a browser: requests, answers, coverage, faults, and drift against other cassettes in the same folder. DIR is a cassette, or a folder of cassettes. record and replay have the same pages at /__wikitape/.',
  flags: listenFlags,
  examples: ['wikitape ui cassettes/ru-1.43', 'wikitape ui cassettes --port 0'],
  async run(call) {
    const named = existingCassette(call, expectArgs(uiCommand, call, 1, 0)[0])
    const service = await replayService(call, cassettesIn(named, 1)[0] ?? named)
    await serve({ ...service, activity: 'showing', apiPath: `${browserPath}/` }, call)
    return 0
  }
}
