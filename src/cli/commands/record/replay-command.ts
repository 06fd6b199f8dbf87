/** `wikitape replay`: serves a cassette offline. */
import type { Command } from '../../args/command.ts'
import { cassetteFlag, jsonFlag } from '../../flags/cassette-flags.ts'
import { onMissFlag, serverFlags } from '../../flags/server-flags.ts'
import { replayService, serve } from '../../serve/serve.ts'

export const replayCommand: Command = {
  name: 'replay',
  usage: '[flags] [-- CMD…]',
  summary:
    'Serves a cassette offline: what was recorded byte for byte, anything else as a miss that says why.',
  flags: [cassetteFlag, onMissFlag, ...serverFlags, jsonFlag],
  examples: [
    'wikitape replay --cassette cassettes/ru-1.43',
    'wikitape replay --cassette cassettes/ru-1.43 -- npm test',
  ],
  maxArgsBeforeChild: 0,
  run: (call) => serve(replayService(call), call),
}
