/** A cassette in front of a live wiki: what `record` and `exec --record` serve. */
import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { mayAskWiki } from '../../playback/mode.ts'
import type { Invocation } from '../args/command.ts'
import { findApi } from '../connect/find-api.ts'
import { clientUpstreamOptions, warnIfUnreachable } from '../connect/wiki-upstream.ts'
import { cassetteToRecord, movedFlag } from '../flags/cassette-flags.ts'
import { chosenMode, refusesWrites } from '../flags/connection-flags.ts'
import { isStrictMatch, missStatus, readTrust, rewriteFlag } from '../flags/server-flags.ts'
import { messagePrinter } from '../terminal/terminal-output.ts'
import type { Service } from './serve.ts'

/** @param stage maps a cassette to the folder that it is recorded to meanwhile. @throws UsageError, StoreError */
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
    missStatus: missStatus(call),
    trust: readTrust(call),
    onMiss: 'synthesize',
    recordErrors: call.isOn('record-errors'),
    keepCookies: call.values('keep-cookie'),
    strict: isStrictMatch(call),
    refuseWrites: refusesWrites(call),
    rewriteUrls: call.isOn(rewriteFlag.name),
    now: call.now,
    report: messagePrinter(call),
  })
  const onListening = (): void => {
    if (mayAskWiki(mode)) warnIfUnreachable(api, call).catch(() => undefined)
  }
  return { activity: 'recording', cassette, apiPath: api.path, engines, onListening }
}
