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
  flags: {
    ...cassetteFlag,
    ...interceptFlags,
    ...onMissFlag,
    ...troubleFlags,
    ...serverFlags,
    ...jsonFlag
  },
  maxArgsBeforeChild: 0,
  run: async (call) => serve(await chosenReplay(call), call)
}
