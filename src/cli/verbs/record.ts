/** `wikitape record`: a proxy in front of a live wiki. */
import { Rack } from '../../proxy/rack.ts'
import { visible } from '../../report/visible.ts'
import {
  cassetteFlag,
  chosenMode,
  controlFlag,
  jsonFlag,
  liveFlags,
  matchesStrictly,
  matchFlag,
  recordedCassette,
  refusesWrites,
  rewriteFlag,
  serverFlags,
  trustIn,
} from '../flags.ts'
import { findApi } from '../reach/find-api.ts'
import { reachFlags } from '../reach/flags.ts'
import { liveSide } from '../reach/live.ts'
import { expiresFlag } from '../serve/expiry.ts'
import { type Service, serve } from '../serve/serve.ts'
import { usageFlag } from '../serve/usage.ts'
import { expectArgs, type Given, numberFlag, type Shell, type Verb } from '../verb.ts'

export const record: Verb = {
  name: 'record',
  args: '<api-url> [flags] [-- CMD…]',
  summary:
    'Stands in front of a live wiki and records what it answers; what is recorded already is replayed.',
  flags: [
    { ...cassetteFlag, help: 'where to record to (default cassettes/<host>)' },
    ...liveFlags,
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
  command: true,
  async run(given, shell) {
    const [address = ''] = expectArgs(record, given, 1)
    return serve(await recordingService(address, given, shell), given, shell)
  },
}

/** @param address of the wiki's api.php. @throws UsageError, StoreError */
export async function recordingService(address: string, given: Given, shell: Shell): Promise<Service> {
  const api = await findApi(address, given, shell)
  const { mode, allowControl } = chosenMode(given, shell)
  const cassette = recordedCassette(given, shell, api)
  const rack = new Rack({
    cassette,
    mode,
    allowControl,
    live: liveSide(api, given, shell),
    missStatus: numberFlag(given, 'miss-status', 200, 599),
    trust: trustIn(given),
    onMiss: 'synthesize',
    recordErrors: given.on('record-errors'),
    keepCookies: given.texts('keep-cookie'),
    strict: matchesStrictly(given),
    refuseWrites: refusesWrites(given),
    rewriteUrls: given.on(rewriteFlag.name),
    now: shell.now,
    report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
  })
  return { word: 'recording', cassette, apiPath: api.path, rack }
}
