/** A cassette served offline: what `replay`, `exec` and `prune` run. */
import { apiPathOf } from '../../cassette/same-wiki.ts'
import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { parseMissPolicy } from '../../playback/miss-policy.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { type CommandContext, numberFlag, type ParsedArgs, UsageError } from '../args/command.ts'
import { existingCassette, isStrictMatch, readTrust, rewriteFlag } from '../flags/cassette-flags.ts'
import type { Service } from './serve.ts'

/** @param named folder of the cassette; what flags and settings name unless given. @throws UsageError, StoreError */
export function replayService(args: ParsedArgs, context: CommandContext, named?: string): Service {
  const policy = args.value('on-miss') ?? 'synthesize'
  const onMiss = parseMissPolicy(policy)
  if (onMiss === undefined) throw new UsageError(`--on-miss is "${policy}"; expected synthesize or error`)
  const cassette = named ?? existingCassette(args, context)
  const engines = new EngineRegistry({
    cassette,
    missStatus: numberFlag(args, 'miss-status', 200, 599),
    trust: readTrust(args),
    onMiss,
    strict: isStrictMatch(args),
    rewriteUrls: args.isOn(rewriteFlag.name),
    mode: 'none',
    live: undefined,
    recordErrors: false,
    now: context.now,
    report: (line) => context.stderr(`wikitape: ${escapeControls(line)}\n`),
  })
  const [engine] = engines.all()
  const upstream = engine?.store.manifest.upstream ?? ''
  const apiPath = apiPathOf(upstream) ?? '/w/api.php'
  return { activity: 'replaying', cassette, apiPath, engines }
}
