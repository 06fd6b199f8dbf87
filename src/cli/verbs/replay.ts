/** `wikitape replay`: serves a cassette and never goes out. */
import { asMissPolicy } from '../../playback/miss-policy.ts'
import { Rack } from '../../proxy/rack.ts'
import { visible } from '../../report/visible.ts'
import {
  cassetteFlag,
  existingCassette,
  jsonFlag,
  matchesStrictly,
  matchFlag,
  onMissFlag,
  rewriteFlag,
  serverFlags,
  trustIn,
} from '../flags.ts'
import { expiresFlag } from '../serve/expiry.ts'
import { type Service, serve } from '../serve/serve.ts'
import { usageFlag } from '../serve/usage.ts'
import { expectArgs, type Given, numberFlag, type Shell, UsageError, type Verb } from '../verb.ts'

export const replay: Verb = {
  name: 'replay',
  args: '[flags] [-- CMD…]',
  summary:
    'Serves a cassette, offline: what was recorded byte for byte, anything else as a miss that says why.',
  flags: [cassetteFlag, onMissFlag, ...serverFlags, matchFlag, rewriteFlag, usageFlag, expiresFlag, jsonFlag],
  examples: [
    'wikitape replay --cassette cassettes/ru-1.43',
    'wikitape replay --cassette cassettes/ru-1.43 -- npm test',
  ],
  command: true,
  async run(given, shell) {
    expectArgs(replay, given, 0)
    return serve(replayingService(given, shell), given, shell)
  },
}

/** @throws UsageError, StoreError */
export function replayingService(given: Given, shell: Shell): Service {
  const policy = given.text('on-miss') ?? 'synthesize'
  const onMiss = asMissPolicy(policy)
  if (onMiss === undefined) throw new UsageError(`--on-miss is "${policy}"; expected synthesize or error`)
  const cassette = existingCassette(given, shell)
  const rack = new Rack({
    cassette,
    mode: 'none',
    live: undefined,
    missStatus: numberFlag(given, 'miss-status', 200, 599),
    trust: trustIn(given),
    onMiss,
    recordErrors: false,
    strict: matchesStrictly(given),
    rewriteUrls: given.on(rewriteFlag.name),
    now: shell.now,
    report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
  })
  const [engine] = rack.engines()
  const upstream = engine?.store.manifest.upstream ?? ''
  const apiPath = URL.canParse(upstream) ? new URL(upstream).pathname : '/w/api.php'
  return { word: 'replaying', cassette, apiPath, rack }
}
