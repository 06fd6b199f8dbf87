/** `wikitape refresh`: asks again everything that a cassette holds. */

import { rmSync } from 'node:fs'
import path from 'node:path'
import { openSide } from '../../../cassette-check/load-side.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName } from '../../../store/command-name.ts'
import { mustBeSameWiki } from '../../../store/require-same-wiki.ts'
import { plural } from '../../../text/plural.ts'
import { expectArgs, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { type Asked, askAgain, asksWrites, mustBeAllowed } from '../../capture/recapture.ts'
import { type Plan, planOf, skippedText } from '../../capture/recapture-plan.ts'
import { credentialsOf, identityOf } from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import { type Synced, syncCassette } from '../../files/sync-cassette.ts'
import { temporaryCassette } from '../../files/temporary-cassette.ts'
import { cassetteFlag, existingCassette, jsonFlag, liveFlags, movedFlag } from '../../flags/cassette-flags.ts'
import { patienceFlags, reachFlags } from '../../flags/connection-flags.ts'

export const refresh: Verb = {
  name: 'refresh',
  args: '[DIR] [flags]',
  summary:
    'Asks again everything that a cassette holds, lists from their start; what did not change stays as it is.',
  flags: [
    cassetteFlag,
    { name: 'upstream', value: 'URL', help: 'another wiki to ask (default the one that was recorded)' },
    { name: 'into', value: 'DIR2', help: 'leave DIR alone and write here' },
    {
      name: 'confirm',
      help: 'date the cassette today although nothing changed (see wikitape check --expires)',
    },
    ...liveFlags.filter(({ name }) => name !== 'mode'),
    movedFlag,
    ...reachFlags,
    ...patienceFlags,
    jsonFlag,
  ],
  examples: [
    'wikitape refresh cassettes/mine',
    'wikitape refresh cassettes/ru-1.39 --upstream http://127.0.0.1:8143/w/api.php --into cassettes/after',
  ],
  async run(given, shell) {
    expectArgs(refresh, given, 1, 0)
    mustBeAllowed(given, shell)
    const dir = existingCassette(given, shell, given.positionals[0])
    const { side, facts } = openSide(dir)
    if (side.manifest.match === 'strict')
      throw new UsageError(
        `${dir} was recorded with --match strict, and only its own client spells its requests; record it again with that client: ${commandName} record ${side.manifest.upstream} --cassette ${dir} --mode update -- CMD`,
      )
    const api = await findApi(given.text('upstream') ?? side.manifest.upstream, given, shell)
    const who = await credentialsOf(given, shell)
    const into = given.text('into') ?? dir
    const moved = given.on(movedFlag.name)
    // A target that cannot be written, or is another wiki's, is told before the wiki is asked.
    CassetteStore.openOrCreate(into, api.href, { moved })
    for (const fault of side.faults ?? [])
      shell.err(`wikitape: ${path.join(dir, fault)}; left out: mend it or record it again\n`)
    const plan = planOf(side.interactions, facts, { who: identityOf(who), withWrites: asksWrites(given) })
    if (plan.asks.length === 0) throw new UsageError(`${dir} holds nothing that could be asked again`)
    const fresh = temporaryCassette()
    const beside = { modules: [...side.modules.keys()], pages: 'named' } as const
    try {
      const asked = await askAgain(plan, fresh, beside, { api, who, given, shell })
      if (asked.lacks !== undefined) {
        shell.err(`wikitape: ${asked.lacks}\nwikitape: ${into} was left as it is\n`)
        return 3
      }
      const from = CassetteStore.open(fresh)
      const to = CassetteStore.openOrCreate(into, api.href, { moved })
      mustBeSameWiki(to, from.manifest, moved)
      const whole = into === dir && plan.skipped.size === 0 && (side.faults ?? []).length === 0
      const dating = !whole ? 'never' : given.on('confirm') ? 'always' : 'if-changed'
      const synced = syncCassette(from, to, plan.renewed, dating)
      if (given.on('confirm') && !whole)
        shell.err(`wikitape: ${into} was not dated: not all that it holds was asked again\n`)
      tell({ dir: into, wiki: api.href, plan, asked, synced }, given.on('json'), shell)
      return (side.faults ?? []).length > 0 ? 2 : 0
    } finally {
      rmSync(path.dirname(fresh), { recursive: true, force: true })
    }
  },
}

interface Result {
  readonly dir: string
  readonly wiki: string
  readonly plan: Plan
  readonly asked: Asked
  readonly synced: Synced
}

function tell({ dir, wiki, plan, asked, synced }: Result, asJson: boolean, shell: Shell): void {
  const { requests, liveRequests } = asked
  const skipped = plan.skipped.size
  if (asJson) {
    shell.out(
      `${JSON.stringify({ cassette: dir, upstream: wiki, requests, ...synced, skipped, liveRequests })}\n`,
    )
    return
  }
  const { changed, unchanged, dropped } = synced
  const left = skipped === 0 ? '' : `; not asked: ${skippedText(plan)}`
  shell.err(
    `wikitape: ${dir}: ${plural(requests, 'request')} asked of ${wiki}; changed ${changed}, unchanged ${unchanged}, dropped ${dropped}${left}; live requests: ${liveRequests}\n`,
  )
}
