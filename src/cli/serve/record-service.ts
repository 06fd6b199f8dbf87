/** A live wiki with a cassette in front of it: what `record` and `exec --record` run. */

import { EngineRegistry } from '../../engine/registry/engine-registry.ts'
import { mayAskWiki } from '../../playback/mode.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { type CommandContext, numberFlag, type ParsedArgs } from '../args/command.ts'
import { findApi } from '../connect/find-api.ts'
import { clientUpstreamOptions, warnIfUnreachable } from '../connect/wiki-upstream.ts'
import {
  cassetteToRecord,
  chosenMode,
  isStrictMatch,
  movedFlag,
  readTrust,
  refusesWrites,
  rewriteFlag,
} from '../flags/cassette-flags.ts'
import type { Service } from './serve.ts'

/**
 * @param address of the wiki's api.php
 * @param stage names where to record meanwhile, for recordings that may not stay. @throws UsageError, StoreError
 */
export async function recordService(
  address: string,
  args: ParsedArgs,
  context: CommandContext,
  stage?: (dir: string) => string,
): Promise<Service> {
  const api = await findApi(address, args, context)
  const { mode, allowControl } = chosenMode(args, context)
  const cassette = cassetteToRecord(args, context, api)
  const engines = new EngineRegistry({
    cassette,
    mode,
    allowControl,
    moved: args.isOn(movedFlag.name),
    ...(stage === undefined ? {} : { stage }),
    live: clientUpstreamOptions(api, args, context),
    missStatus: numberFlag(args, 'miss-status', 200, 599),
    trust: readTrust(args),
    onMiss: 'synthesize',
    recordErrors: args.isOn('record-errors'),
    keepCookies: args.values('keep-cookie'),
    strict: isStrictMatch(args),
    refuseWrites: refusesWrites(args),
    rewriteUrls: args.isOn(rewriteFlag.name),
    now: context.now,
    report: (line) => context.stderr(`wikitape: ${escapeControls(line)}\n`),
  })
  const onListening = (): void => {
    if (mayAskWiki(mode)) warnIfUnreachable(api, args, context).catch(() => undefined)
  }
  return { activity: 'recording', cassette, apiPath: api.path, engines, onListening }
}
