/** `wikitape record`: a recording proxy in front of a live wiki. */

import { EngineRegistry } from '../../../recorder/engine/registry/engine-registry.ts'
import { mayAskWiki } from '../../../recorder/playback/decide.ts'
import {
  type HostRecording,
  othersPolicies
} from '../../../recorder/server/proxy/wiki-hosts.ts'
import {
  type Command,
  choiceFlag,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { findApi } from '../../connect/find-api.ts'
import {
  anonymousUpstream,
  clientUpstreamOptions,
  warnIfUnreachable
} from '../../connect/wiki-upstream.ts'
import { defaultCassette, openToRecord } from '../../flags/cassette-flags.ts'
import {
  addressArg,
  chosenMode,
  looksLikeAddress,
  recordingOptions
} from '../../flags/connection-flags.ts'
import { serviceOfAll, withInterception } from '../../serve/intercepting.ts'
import { type Service, serve, servedOptions } from '../../serve/serve.ts'
import { collectForReview } from '../inspect/review-command.ts'

export const recordCommand: Command = {
  name: 'record',
  maxArgsBeforeChild: 1,
  isOwnArg: looksLikeAddress,
  async run(call) {
    const service = await chosenRecording(call)
    const printReview = call.isOn('review')
      ? collectForReview(service.engines, call)
      : undefined
    const code = await serve(service, call)
    printReview?.()
    return code
  }
}

async function chosenRecording(call: Invocation) {
  const isNamed = call.positionals.length > 0 || call.settings?.apiUrl !== undefined
  const isProxy = call.value('ca') !== undefined
  if (isNamed || (call.childCommand.length === 0 && !isProxy))
    return recordService(addressArg(recordCommand, call), call)

  return interceptedRecording(call)
}

/** Records every wiki that the command asks. @throws UsageError */
function interceptedRecording(call: Invocation) {
  refuseSingleWiki(call)
  const { mode, allowControl } = chosenMode(call)
  const isLive = mayAskWiki(mode)
  const engines = new EngineRegistry({
    ...servedOptions(call),
    ...recordingOptions(call),
    cassette: undefined,
    live: undefined,
    isLive,
    mode,
    allowControl
  })
  return serviceOfAll(
    'recording',
    engines,
    call,
    isLive ? hostRecording(call) : undefined
  )
}

/** Flags and settings that are for one wiki. */
function refuseSingleWiki(call: Invocation) {
  if (
    call.value('cassette') !== undefined ||
    call.isOn('moved') ||
    call.isOn('rewrite-urls')
  )
    throw new UsageError(
      '--cassette, --moved and --rewrite-urls are for one wiki: name the address of its api.php, too'
    )
  if (call.values('header').length > 0)
    throw new UsageError(
      '--header would go to every host; name the address of one api.php, too'
    )
}

export const hostRecording = (call: Invocation): HostRecording => ({
  live: (api) => clientUpstreamOptions(api, call),
  dirFor: defaultCassette,
  others: choiceFlag(call, 'others', othersPolicies) ?? 'pass',
  passOn: (origin) => anonymousUpstream(origin, call)
})

/** @param stage maps a cassette to the folder that it is recorded to meanwhile. @throws UsageError, StoreError */
export async function recordService(
  address: string,
  call: Invocation,
  stage?: (dir: string) => string
): Promise<Service> {
  const api = await findApi(address, call)
  const { mode, allowControl } = chosenMode(call)
  const { cassette, ...opened } = await openToRecord(api, call)
  if (opened.open && (stage || call.isOn('review')))
    throw new UsageError(
      `--${stage ? 'discard-on-failure' : 'review'} works on folders, and ${cassette} is none: record into a folder, and push it`
    )
  const engines = new EngineRegistry({
    ...servedOptions(call),
    ...recordingOptions(call),
    cassette,
    mode,
    allowControl,
    ...opened,
    moved: call.isOn('moved'),
    ...(stage ? { stage } : {}),
    live: clientUpstreamOptions(api, call)
  })
  const onListening = () => {
    if (mayAskWiki(mode)) warnIfUnreachable(api, call).catch(() => undefined)
  }
  const service: Service = {
    activity: 'recording',
    cassette,
    apiPath: api.path,
    engines,
    onListening
  }
  if (!call.isOn('intercept')) return service

  return withInterception(
    service,
    call,
    mayAskWiki(mode) ? hostRecording(call) : undefined
  )
}
