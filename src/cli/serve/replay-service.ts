/** A cassette served offline: what `replay`, `exec` and `prune` run. */
import { apiPathOf } from '../../cassette/same-wiki.ts'
import { Rack } from '../../engine/registry/engine-registry.ts'
import { asMissPolicy } from '../../playback/miss-policy.ts'
import { visible } from '../../text/escape-control-characters.ts'
import { type Given, numberFlag, type Shell, UsageError } from '../args/command.ts'
import { existingCassette, matchesStrictly, rewriteFlag, trustIn } from '../flags/cassette-flags.ts'
import type { Service } from './serve.ts'

/** @param named folder of the cassette; what flags and settings name unless given. @throws UsageError, StoreError */
export function replayingService(given: Given, shell: Shell, named?: string): Service {
  const policy = given.text('on-miss') ?? 'synthesize'
  const onMiss = asMissPolicy(policy)
  if (onMiss === undefined) throw new UsageError(`--on-miss is "${policy}"; expected synthesize or error`)
  const cassette = named ?? existingCassette(given, shell)
  const rack = new Rack({
    cassette,
    missStatus: numberFlag(given, 'miss-status', 200, 599),
    trust: trustIn(given),
    onMiss,
    strict: matchesStrictly(given),
    rewriteUrls: given.on(rewriteFlag.name),
    mode: 'none',
    live: undefined,
    recordErrors: false,
    now: shell.now,
    report: (line) => shell.err(`wikitape: ${visible(line)}\n`),
  })
  const [engine] = rack.engines()
  const upstream = engine?.store.manifest.upstream ?? ''
  const apiPath = apiPathOf(upstream) ?? '/w/api.php'
  return { word: 'replaying', cassette, apiPath, rack }
}
