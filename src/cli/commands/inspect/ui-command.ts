/** `wikitape ui`: a cassette, and its neighbours, in a browser. */
import { browserPath } from '../../../recorder/server/browser-requests.ts'
import { cassettesIn } from '../../../recorder/store/files/paths-inside.ts'
import { type Command, expectArgs } from '../../args/command.ts'
import { readRuns } from '../../files/run-files.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { replayService, serve } from '../../serve/serve.ts'

export const uiCommand: Command = {
  name: 'ui',
  async run(call) {
    const named = existingCassette(call, expectArgs(uiCommand, call, 1, 0)[0])
    const runs = readRuns(call)
    const service = await replayService(call, cassettesIn(named, 1)[0] ?? named)
    await serve(
      { ...service, activity: 'showing', apiPath: `${browserPath}/`, runs },
      call
    )
    return 0
  }
}
