/** `wikitape record`: a proxy in front of a live wiki. */

import type { Command } from '../../args/command.ts'
import { addressArg } from '../../args/parse-args.ts'
import { cassetteFlag, jsonFlag, movedFlag } from '../../flags/cassette-flags.ts'
import { connectionFlags, controlFlag, liveFlags } from '../../flags/connection-flags.ts'
import { expiresFlag, matchFlag, rewriteFlag, serverFlags, usageFlag } from '../../flags/server-flags.ts'

export const recordCommand: Command = {
  name: 'record',
  usage: '<api-url> [flags] [-- CMD…]',
  summary:
    'Stands in front of a live wiki and records what it answers; what is recorded already is replayed.',
  flags: [
    {
      ...cassetteFlag,
      help: 'where to record to (default cassettes/<host>, with the path where it is not /w/)',
    },
    ...liveFlags,
    movedFlag,
    ...connectionFlags,
    controlFlag,
    ...serverFlags,
    matchFlag,
    rewriteFlag,
    usageFlag,
    expiresFlag,
    jsonFlag,
  ],
  examples: [
    'wikitape record https://ru.wikipedia.org/w/api.php',
    'wikitape record http://127.0.0.1:8143/w/api.php --cassette cassettes/mine -- npm test',
  ],
  maxArgsBeforeChild: 1,
  async run(call) {
    const address = addressArg(recordCommand, call)
    const [{ serve }, { recordService: recordingService }] = await Promise.all([
      import('../../serve/serve.ts'),
      import('../../serve/record-service.ts'),
    ])
    return serve(await recordingService(address, call), call)
  },
}
