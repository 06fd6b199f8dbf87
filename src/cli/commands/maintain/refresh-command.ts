/** `wikitape refresh`: asks again everything that a cassette holds. */

import { rmSync } from 'node:fs'
import path from 'node:path'
import { loadSide } from '../../../cassette-check/load-side.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName } from '../../../store/command-name.ts'
import { requireSameWiki } from '../../../store/require-same-wiki.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { expectArgs } from '../../args/parse-args.ts'
import { identityOf, readCredentials } from '../../capture/credentials.ts'
import { includesWrites, type RecaptureResult, recapture } from '../../capture/recapture.ts'
import { planRecapture, type RecapturePlan, skippedText } from '../../capture/recapture-plan.ts'
import { findApi } from '../../connect/find-api.ts'
import { type SyncResult, syncCassette } from '../../files/sync-cassette.ts'
import { temporaryCassette } from '../../files/temporary-cassette.ts'
import { cassetteFlag, existingCassette, jsonFlag, movedFlag } from '../../flags/cassette-flags.ts'
import {
  assertLiveAllowed,
  connectionFlags,
  liveFlags,
  ownRequestFlags,
} from '../../flags/connection-flags.ts'
import { printNote } from '../../terminal/terminal-output.ts'

export const refreshCommand: Command = {
  name: 'refresh',
  usage: '[DIR] [flags]',
  summary:
    'Asks again everything that a cassette holds, lists from their start; what did not change stays as it is.',
  flags: [
    cassetteFlag,
    { name: 'upstream', valueName: 'URL', help: 'another wiki to ask (default the one that was recorded)' },
    { name: 'into', valueName: 'DIR2', help: 'leave DIR alone and write here' },
    {
      name: 'confirm',
      help: 'date the cassette today although nothing changed (see wikitape check --expires)',
    },
    ...liveFlags.filter(({ name }) => name !== 'mode'),
    movedFlag,
    ...connectionFlags,
    ...ownRequestFlags,
    jsonFlag,
  ],
  examples: [
    'wikitape refresh cassettes/mine',
    'wikitape refresh cassettes/ru-1.39 --upstream http://127.0.0.1:8143/w/api.php --into cassettes/after',
  ],
  async run(call) {
    expectArgs(refreshCommand, call, 1, 0)
    assertLiveAllowed(call)
    const dir = existingCassette(call, call.positionals[0])
    const { side, facts } = loadSide(dir)
    if (side.manifest.match === 'strict')
      throw new UsageError(
        `${dir} was recorded with --match strict, and only its own client spells its requests; record it again with that client: ${commandName} record ${side.manifest.upstream} --cassette ${dir} --mode update -- CMD`,
      )
    const api = await findApi(call.value('upstream') ?? side.manifest.upstream, call)
    const who = await readCredentials(call)
    const into = call.value('into') ?? dir
    const moved = call.isOn(movedFlag.name)
    // A target that cannot be written, or is another wiki's, is told before the wiki is asked.
    CassetteStore.openOrCreate(into, api.href, { moved })
    for (const fault of side.faults ?? [])
      printNote(call, `${path.join(dir, fault)}; left out: mend it or record it again`)
    const plan = planRecapture(side.interactions, facts, {
      identity: identityOf(who),
      withWrites: includesWrites(call),
    })
    if (plan.requests.length === 0) throw new UsageError(`${dir} holds nothing that could be asked again`)
    const fresh = temporaryCassette()
    const extras = { modules: [...side.modules.keys()], pages: 'named' } as const
    try {
      const recaptured = await recapture(plan, fresh, extras, { api, credentials: who, call })
      if (recaptured.incompleteReason !== undefined) {
        printNote(call, `${recaptured.incompleteReason}\nwikitape: ${into} was left as it is`)
        return 3
      }
      const from = CassetteStore.open(fresh)
      const to = CassetteStore.openOrCreate(into, api.href, { moved })
      requireSameWiki(to, from.manifest, moved)
      const whole = into === dir && plan.skipped.size === 0 && (side.faults ?? []).length === 0
      const dating = !whole ? 'never' : call.isOn('confirm') ? 'always' : 'if-changed'
      const synced = syncCassette(from, to, plan.renewed, dating)
      if (call.isOn('confirm') && !whole)
        printNote(call, `${into} was not dated: not all that it holds was asked again`)
      printResult({ dir: into, wiki: api.href, plan, recaptured, synced }, call.isOn('json'), call)
      return (side.faults ?? []).length > 0 ? 2 : 0
    } finally {
      rmSync(path.dirname(fresh), { recursive: true, force: true })
    }
  },
}

interface RefreshResult {
  readonly dir: string
  readonly wiki: string
  readonly plan: RecapturePlan
  readonly recaptured: RecaptureResult
  readonly synced: SyncResult
}

function printResult(
  { dir, wiki, plan, recaptured, synced }: RefreshResult,
  asJson: boolean,
  call: Invocation,
): void {
  const { requests, liveRequests } = recaptured
  const skipped = plan.skipped.size
  if (asJson) {
    call.stdout(
      `${JSON.stringify({ cassette: dir, upstream: wiki, requests, ...synced, skipped, liveRequests })}\n`,
    )
    return
  }
  const { changed, unchanged, dropped } = synced
  const left = skipped === 0 ? '' : `; not asked: ${skippedText(plan)}`
  printNote(
    call,
    `${dir}: ${plural(requests, 'request')} asked of ${wiki}; changed ${changed}, unchanged ${unchanged}, dropped ${dropped}${left}; live requests: ${liveRequests}`,
  )
}
