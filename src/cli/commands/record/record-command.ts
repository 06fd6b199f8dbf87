/** `wikitape record`: a recording proxy in front of a live wiki. */
import { EngineRegistry } from '../../../engine/registry/engine-registry.ts'
import { mayAskWiki } from '../../../playback/decide.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import { clientUpstreamOptions, warnIfUnreachable } from '../../connect/wiki-upstream.ts'
import { cassetteToRecord, jsonFlag, openToRecord, targetFlag } from '../../flags/cassette-flags.ts'
import {
  addressArg,
  chosenMode,
  recordingFlags,
  recordingOptions,
} from '../../flags/connection-flags.ts'
import { serverFlags } from '../../flags/server-flags.ts'
import { type Service, serve, servedOptions } from '../../serve/serve.ts'
import { collectForReview } from '../inspect/review-command.ts'

export const recordCommand: Command = {
  name: 'record',
  usage: '<api-url> [flags] [-- CMD…]',
  summary:
    'Starts a proxy for a live wiki and records its answers. Requests that are already recorded are replayed.',
  flags: {
    ...targetFlag,
    ...recordingFlags,
    ...serverFlags,
    ...jsonFlag,
    review: 'at the end, review how the client used the API (see wikitape review)',
  },
  examples: [
    'wikitape record https://ru.wikipedia.org/w/api.php',
    'wikitape record http://127.0.0.1:8143/w/api.php --cassette cassettes/mine -- npm test',
  ],
  maxArgsBeforeChild: 1,
  async run(call) {
    const service = await recordService(addressArg(recordCommand, call), call)
    const printReview = call.isOn('review') ? collectForReview(service.engines, call) : undefined
    const code = await serve(service, call)
    printReview?.()
    return code
  },
}

/** @param stage maps a cassette to the folder that it is recorded to meanwhile. @throws UsageError, StoreError */
export async function recordService(
  address: string,
  call: Invocation,
  stage?: (dir: string) => string,
): Promise<Service> {
  const api = await findApi(address, call)
  const { mode, allowControl } = chosenMode(call)
  const { cassette, ...opened } = await openToRecord(cassetteToRecord(call, api), api, call)
  if (opened.open !== undefined && (stage !== undefined || call.isOn('review')))
    throw new UsageError(
      `--${stage === undefined ? 'review' : 'discard-on-failure'} works on folders, and ${cassette} is none: record into a folder, and push it`,
    )
  const engines = new EngineRegistry({
    ...servedOptions(call),
    ...recordingOptions(call),
    cassette,
    mode,
    allowControl,
    ...opened,
    moved: call.isOn('moved'),
    ...(stage === undefined ? {} : { stage }),
    live: clientUpstreamOptions(api, call),
  })
  const onListening = (): void => {
    if (mayAskWiki(mode)) warnIfUnreachable(api, call).catch(() => undefined)
  }
  return { activity: 'recording', cassette, apiPath: api.path, engines, onListening }
}
