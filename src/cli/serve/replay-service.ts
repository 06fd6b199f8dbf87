/** A cassette served offline: what `replay`, `exec`, `prune` and `ui` serve. */

import { apiPathOf } from '../../cassette/same-wiki.ts'
import { defaultMissStatus } from '../../engine/engine-options.ts'
import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { missPolicies } from '../../playback/mode.ts'
import type { Invocation } from '../args/command.ts'
import { choiceFlag, numberFlag } from '../args/parse-args.ts'
import { existingCassette } from '../flags/cassette-flags.ts'
import { isStrictMatch, onMissFlag, readTrust, rewriteFlag } from '../flags/server-flags.ts'
import { messagePrinter } from '../terminal/terminal-output.ts'
import type { Service } from './serve.ts'

/** @param named the cassette, unless flags or settings name it. @throws UsageError, StoreError */
export function replayService(call: Invocation, named?: string): Service {
  const onMiss = choiceFlag(call, onMissFlag.name, missPolicies) ?? 'synthesize'
  const cassette = named ?? existingCassette(call)
  const engines = new EngineRegistry({
    cassette,
    missStatus: numberFlag(call, 'miss-status', defaultMissStatus, 599, 200),
    trust: readTrust(call),
    onMiss,
    strict: isStrictMatch(call),
    rewriteUrls: call.isOn(rewriteFlag.name),
    mode: 'none',
    live: undefined,
    recordErrors: false,
    now: call.now,
    report: messagePrinter(call),
  })
  const { upstream } = engines.get(undefined, undefined).store.manifest
  const apiPath = apiPathOf(upstream) ?? '/w/api.php'
  return { activity: 'replaying', cassette, apiPath, engines }
}
