/** A live wiki with a cassette in front of it: what `record` and `exec --record` run. */

import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { mayAskWiki } from '../../playback/mode.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import type { Invocation } from '../args/command.ts'
import { numberFlag } from '../args/parse-args.ts'
import { findApi } from '../connect/find-api.ts'
import { clientUpstreamOptions, warnIfUnreachable } from '../connect/wiki-upstream.ts'
import { cassetteToRecord, movedFlag } from '../flags/cassette-flags.ts'
import { chosenMode, refusesWrites } from '../flags/connection-flags.ts'
import { isStrictMatch, readTrust, rewriteFlag } from '../flags/server-flags.ts'
import { printNote } from '../terminal/terminal-output.ts'
import type { Service } from './serve.ts'

/**
 * @param address of the wiki's api.php
 * @param stage names where to record meanwhile, for recordings that may not stay. @throws UsageError, StoreError
 */
export async function recordService(
  address: string,
  call: Invocation,
  stage?: (dir: string) => string,
): Promise<Service> {
  const api = await findApi(address, call)
  const { mode, allowControl } = chosenMode(call)
  const cassette = cassetteToRecord(call, api)
  const engines = new EngineRegistry({
    cassette,
    mode,
    allowControl,
    moved: call.isOn(movedFlag.name),
    ...(stage === undefined ? {} : { stage }),
    live: clientUpstreamOptions(api, call),
    missStatus: numberFlag(call, 'miss-status', 200, 599),
    trust: readTrust(call),
    onMiss: 'synthesize',
    recordErrors: call.isOn('record-errors'),
    keepCookies: call.values('keep-cookie'),
    strict: isStrictMatch(call),
    refuseWrites: refusesWrites(call),
    rewriteUrls: call.isOn(rewriteFlag.name),
    now: call.now,
    report: (line) => printNote(call, escapeControls(line)),
  })
  const onListening = (): void => {
    if (mayAskWiki(mode)) warnIfUnreachable(api, call).catch(() => undefined)
  }
  return { activity: 'recording', cassette, apiPath: api.path, engines, onListening }
}
