/** `wikitape replay`: serves a cassette offline. */
import type { Command } from '../../args/command.ts'
import { chosenReplay } from '../../serve/choose-replay.ts'
import { serve } from '../../serve/serve.ts'

export const replayCommand: Command = {
  name: 'replay',
  maxArgsBeforeChild: 0,
  run: async (call) => serve(await chosenReplay(call), call)
}
