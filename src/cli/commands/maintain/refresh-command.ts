/** `wikitape refresh`: records everything in a cassette again. */
import path from 'node:path'
import { type LoadedSide, loadSide } from '../../../drift/inputs/load-side.ts'
import type { Manifest } from '../../../recorder/cassette/format/manifest.ts'
import {
  type Interaction,
  sameRecording,
  sameTexts,
  withNotesOf
} from '../../../recorder/cassette/interaction.ts'
import { textAt } from '../../../recorder/json/json-tree.ts'
import { readTree } from '../../../recorder/json/read-json.ts'
import type { RequestKey } from '../../../recorder/request/request-key.ts'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../../recorder/store/command-name.ts'
import { readText } from '../../../recorder/store/files/whole-files.ts'
import { requireSameWiki } from '../../../recorder/store/store-error.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Command, expectArgs, UsageError } from '../../args/command.ts'
import { includesWrites, type RecaptureJob, recapture } from '../../capture/recapture.ts'
import {
  planRecapture,
  type RecapturePlan,
  skippedText
} from '../../capture/recapture-plan.ts'
import { identityOf, readCredentials } from '../../capture/wiki-client.ts'
import { findApi } from '../../connect/find-api.ts'
import { withTemporaryCassette } from '../../files/temporary-cassette.ts'
import { existingCassette } from '../../flags/cassette-flags.ts'
import { assertLiveAllowed } from '../../flags/connection-flags.ts'
import { printLine, printNote } from '../../terminal/terminal-output.ts'

export const refreshCommand: Command = {
  name: 'refresh',
  async run(call) {
    const [named] = expectArgs(refreshCommand, call, 1, 0)
    assertLiveAllowed(call)
    const dir = existingCassette(call, named)
    const loaded = loadSide(dir)
    const { manifest, interactions, faults = [] } = loaded.side
    if (manifest.match === 'strict')
      throw new UsageError(
        `${dir} was recorded with --match strict, so only its client can send its requests; record it again with that client: ${commandName} record ${shellQuote(manifest.upstream)} --cassette ${shellQuote(dir)} --mode update -- CMD`
      )
    const api = await findApi(call.value('upstream') ?? manifest.upstream, call)
    const credentials = await readCredentials(call)
    const into = call.value('into') ?? dir
    // Checked before the wiki is asked: can it be written, and is it this wiki's?
    CassetteStore.openOrCreate(into, api.href, { moved: call.isOn('moved') })
    for (const fault of faults)
      printNote(call, `${path.join(dir, fault)}; skipped: fix it or record it again`)
    const who = {
      identity: identityOf(credentials, manifest),
      withWrites: includesWrites(call)
    }
    const plan = planRecapture(interactions, loaded.facts, who)
    if (plan.requests.length === 0)
      throw new UsageError(`${dir} has no request that can be sent again`)
    const refreshed = await refreshInto(into, loaded, plan, { api, credentials, call })
    if (!refreshed) return 3
    return faults.length > 0 ? 2 : 0
  }
}

/** @returns false if the wiki did not answer everything; the cassette is then unchanged */
function refreshInto(
  into: string,
  { side, dir }: LoadedSide,
  plan: RecapturePlan,
  job: RecaptureJob
) {
  const { api, call } = job
  return withTemporaryCassette(async (fresh) => {
    const extras = { modules: [...side.modules.keys()] }
    const { incompleteReason, liveRequests } = await recapture(plan, fresh, extras, job)
    if (incompleteReason !== undefined) {
      printNote(call, incompleteReason)
      printNote(call, `${into} is unchanged`)
      return false
    }
    const from = CassetteStore.open(fresh)
    const moved = call.isOn('moved')
    const to = CassetteStore.openOrCreate(into, api.href, { moved })
    requireSameWiki(to, from.manifest, moved)
    const isComplete =
      into === dir && plan.skipped.size === 0 && (side.faults ?? []).length === 0
    const usual = call.isOn('confirm') ? 'always' : 'if-changed'
    const dating = isComplete ? usual : 'never'
    // To an anonymous client the wiki describes lower limits.
    const lacksLogin = side.interactions.some(
      ({ key, request }) => request.has('as user') && plan.skipped.has(key)
    )
    if (lacksLogin)
      printNote(
        call,
        `${into} was recorded with a login, which this run lacks (--login NAME, WIKITAPE_BEARER): the descriptions of modules stay as they are`
      )
    const described = lacksLogin ? [] : from.descriptionFiles()
    const synced = syncCassette(from, to, plan.renewed, dating, described)
    if (call.isOn('confirm') && !isComplete)
      printNote(call, `${into} keeps its date: not everything in it was recorded again`)
    const { changed, unchanged, dropped } = synced
    const requests = plan.requests.length
    const skipped = plan.skipped.size
    const rest = skipped === 0 ? '' : `; skipped: ${skippedText(plan)}`
    const upstream = api.href
    const counts = { requests, ...synced, skipped, liveRequests }
    if (call.isOn('json'))
      printLine(call, JSON.stringify({ cassette: into, upstream, ...counts }))
    else
      printNote(
        call,
        `${into}: ${plural(requests, 'request')} sent to ${upstream}; changed ${changed}, unchanged ${unchanged}, dropped ${dropped}${rest}; live requests: ${liveRequests}`
      )
    return true
  })
}

/**
 * @param renewed interactions of `to` that are dropped if `from` lacks them
 * @param dating when `to` gets the new day, which must hold for everything in it (docs/decisions/0007-expiry.md)
 * @throws StoreError
 */
export function syncCassette(
  from: CassetteStore,
  to: CassetteStore,
  renewed: ReadonlySet<RequestKey>,
  dating: 'never' | 'if-changed' | 'always',
  described: Iterable<string> = from.descriptionFiles()
): Readonly<Record<'changed' | 'unchanged' | 'dropped', number>> {
  let changed = 0
  let unchanged = 0
  let dropped = 0
  const day = to.size === 0 ? from.manifest.recorded : to.manifest.recorded
  const known = withOldCallers(from.manifest, to.manifest)
  to.setManifest({ ...withOldCounts(known, to.manifest), recorded: day })
  for (const [key] of from.paths()) {
    const old = to.get(key).interaction
    const fresh = from.get(key).interaction
    if (!fresh) continue
    if (old && isSameInteraction(old, fresh)) unchanged += 1
    else {
      to.put(withNotesOf(old, fresh))
      changed += 1
    }
  }
  for (const key of renewed) {
    if (from.has(key) || !to.has(key)) continue
    to.delete(key)
    dropped += 1
  }
  for (const file of described) {
    const text = readText(file) ?? ''
    const tree = readTree(text)
    const module = textAt(tree, 'path')
    if (tree && module !== undefined && to.moduleText(module) !== text)
      to.putModule(module, tree)
  }
  to.putPageStates(from.pageStates())
  const hasChanged = changed + dropped > 0
  if (hasChanged) to.setManifest({ ...known, recorded: to.manifest.recorded })
  if (dating === 'always' || (dating === 'if-changed' && hasChanged))
    to.setManifest({ ...to.manifest, recorded: from.manifest.recorded })
  to.checkpoint()
  return { changed, unchanged, dropped }
}

/** Who asked, and by which cookies, is known of the recordings that stay. */
const withOldCallers = (fresh: Manifest, old: Manifest) => ({
  ...fresh,
  callers: fresh.callers ?? old.callers,
  sessionCookies: fresh.sessionCookies ?? old.sessionCookies
})

/** How many edits the wiki has had says nothing new if the answers are the same. */
function withOldCounts(manifest: Manifest, { site: old }: Manifest) {
  const { site } = manifest
  const statistics = old?.statistics ?? site?.statistics
  return site && statistics ? { ...manifest, site: { ...site, statistics } } : manifest
}

/** A request with several recorded answers was sent once: the first answers decide. */
const isSameInteraction = (old: Interaction, fresh: Interaction) =>
  fresh.responses.length <= old.responses.length &&
  sameTexts(old.sentValues, fresh.sentValues) &&
  fresh.responses.every((response, at) => {
    const other = old.responses[at]
    return other !== undefined && sameRecording(other, response)
  })
