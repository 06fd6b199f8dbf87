/** `wikitape record`: a recording proxy in front of a live wiki. */
import type { Command } from '../../args/command.ts'
import { jsonFlag, targetFlag } from '../../flags/cassette-flags.ts'
import { addressArg, recordingFlags } from '../../flags/connection-flags.ts'
import { serverFlags } from '../../flags/server-flags.ts'
import { recordService } from '../../serve/record-service.ts'
import { serve } from '../../serve/serve.ts'

export const recordCommand: Command = {
  name: 'record',
  usage: '<api-url> [flags] [-- CMD…]',
  summary:
    'Starts a proxy for a live wiki and records its answers. Requests that are already recorded are replayed.',
  flags: [targetFlag, ...recordingFlags, ...serverFlags, jsonFlag],
  examples: [
    'wikitape record https://ru.wikipedia.org/w/api.php',
    'wikitape record http://127.0.0.1:8143/w/api.php --cassette cassettes/mine -- npm test',
  ],
  maxArgsBeforeChild: 1,
  async run(call) {
    return serve(await recordService(addressArg(recordCommand, call), call), call)
  },
}
