/** `wikitape replay`: serves a cassette offline. */
import type { Command } from '../../args/command.ts'
import { cassetteFlag, jsonFlag } from '../../flags/cassette-flags.ts'
import {
  interceptFlags,
  onMissFlag,
  serverFlags,
  troubleFlags
} from '../../flags/server-flags.ts'
import { chosenReplay } from '../../serve/choose-replay.ts'
import { serve } from '../../serve/serve.ts'

export const replayCommand: Command = {
  name: 'replay',
  usage: '[flags] [-- CMD…]',
  summary:
    'Serves a cassette offline. A recorded request gets the recorded bytes. Any other gets an answer that the recordings prove, or a miss with the reason.',
  flags: {
    ...cassetteFlag,
    ...interceptFlags,
    ...onMissFlag,
    ...troubleFlags,
    ...serverFlags,
    ...jsonFlag
  },
  examples: [
    'wikitape replay --cassette cassettes/ru-1.43',
    'wikitape replay --cassette cassettes/ru-1.43 -- npm test',
    'wikitape replay --cassette cassettes/ru-1.43 --trouble maxlag,503=0.2 --seed 7 -- npm test'
  ],
  maxArgsBeforeChild: 0,
  run: async (call) => serve(await chosenReplay(call), call)
}
