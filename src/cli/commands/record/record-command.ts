/** `wikitape record`: a proxy in front of a live wiki. */

import { addressArg, type Verb } from '../../args/command.ts'
import {
  cassetteFlag,
  controlFlag,
  expiresFlag,
  jsonFlag,
  liveFlags,
  matchFlag,
  movedFlag,
  rewriteFlag,
  serverFlags,
  usageFlag,
} from '../../flags/cassette-flags.ts'
import { reachFlags } from '../../flags/connection-flags.ts'

export const record: Verb = {
  name: 'record',
  args: '<api-url> [flags] [-- CMD…]',
  summary:
    'Stands in front of a live wiki and records what it answers; what is recorded already is replayed.',
  flags: [
    {
      ...cassetteFlag,
      help: 'where to record to (default cassettes/<host>, with the path where it is not /w/)',
    },
    ...liveFlags,
    movedFlag,
    ...reachFlags,
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
  commandAfter: 1,
  async run(given, shell) {
    const address = addressArg(record, given, shell)
    const [{ serve }, { recordingService }] = await Promise.all([
      import('../../serve/serve.ts'),
      import('../../serve/record-service.ts'),
    ])
    return serve(await recordingService(address, given, shell), given, shell)
  },
}
