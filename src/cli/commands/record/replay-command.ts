/** `wikitape replay`: serves a cassette and never goes out. */

import type { Command } from '../../args/command.ts'
import { cassetteFlag, jsonFlag } from '../../flags/cassette-flags.ts'
import {
  expiresFlag,
  matchFlag,
  onMissFlag,
  rewriteFlag,
  serverFlags,
  usageFlag,
} from '../../flags/server-flags.ts'

export const replayCommand: Command = {
  name: 'replay',
  usage: '[flags] [-- CMD…]',
  summary:
    'Serves a cassette, offline: what was recorded byte for byte, anything else as a miss that says why.',
  flags: [cassetteFlag, onMissFlag, ...serverFlags, matchFlag, rewriteFlag, usageFlag, expiresFlag, jsonFlag],
  examples: [
    'wikitape replay --cassette cassettes/ru-1.43',
    'wikitape replay --cassette cassettes/ru-1.43 -- npm test',
  ],
  maxArgsBeforeChild: 0,
  async run(call) {
    const [{ serve }, { replayService: replayingService }] = await Promise.all([
      import('../../serve/serve.ts'),
      import('../../serve/replay-service.ts'),
    ])
    return serve(replayingService(call), call)
  },
}
