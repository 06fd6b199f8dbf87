/** A cassette served offline: what `replay`, `exec` and `prune` run. */
import { apiPathOf } from '../../cassette/same-wiki.ts'
import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { parseMissPolicy } from '../../playback/miss-policy.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { type Invocation, UsageError } from '../args/command.ts'
import { numberFlag } from '../args/parse-args.ts'
import { existingCassette, isStrictMatch, readTrust, rewriteFlag } from '../flags/cassette-flags.ts'
import type { Service } from './serve.ts'

/** @param named folder of the cassette; what flags and settings name unless given. @throws UsageError, StoreError */
export function replayService(call: Invocation, named?: string): Service {
  const policy = call.value('on-miss') ?? 'synthesize'
  const onMiss = parseMissPolicy(policy)
  if (onMiss === undefined) throw new UsageError(`--on-miss is "${policy}"; expected synthesize or error`)
  const cassette = named ?? existingCassette(call)
  const engines = new EngineRegistry({
    cassette,
    missStatus: numberFlag(call, 'miss-status', 200, 599),
    trust: readTrust(call),
    onMiss,
    strict: isStrictMatch(call),
    rewriteUrls: call.isOn(rewriteFlag.name),
    mode: 'none',
    live: undefined,
    recordErrors: false,
    now: call.now,
    report: (line) => call.stderr(`wikitape: ${escapeControls(line)}\n`),
  })
  const [engine] = engines.all()
  const upstream = engine?.store.manifest.upstream ?? ''
  const apiPath = apiPathOf(upstream) ?? '/w/api.php'
  return { activity: 'replaying', cassette, apiPath, engines }
}
