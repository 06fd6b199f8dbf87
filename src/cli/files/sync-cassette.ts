/** Updates a cassette from a fresh recording, without touching files that say the same. */
import type { Manifest } from '../../cassette/format/manifest.ts'
import { type Interaction, sameRecording, sameTexts } from '../../cassette/interaction.ts'
import { memberOf, textOf } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { CassetteStore } from '../../store/cassette-store.ts'
import { readText } from '../../store/files/whole-files.ts'

export interface SyncResult {
  readonly changed: number
  readonly unchanged: number
  readonly dropped: number
}

/** When the old cassette gets the new day, which must hold for everything in it (docs/decisions/0007-expiry.md). */
export type DatingPolicy = 'never' | 'if-changed' | 'always'

/** @param renewed interactions of `to` that are dropped if `from` lacks them. @throws StoreError */
export function syncCassette(
  from: CassetteStore,
  to: CassetteStore,
  renewed: ReadonlySet<RequestKey>,
  dating: DatingPolicy,
): SyncResult {
  let [changed, unchanged, dropped] = [0, 0, 0]
  const day = to.size === 0 ? from.manifest.recorded : to.manifest.recorded
  to.setManifest({ ...withOldCounts(from.manifest, to.manifest), recorded: day })
  for (const [key] of from.paths()) {
    const fresh = from.get(key)
    if (fresh.kind !== 'found') continue
    const old = to.get(key)
    if (old.kind === 'found' && isSameInteraction(old.interaction, fresh.interaction)) unchanged += 1
    else {
      to.put(fresh.interaction)
      changed += 1
    }
  }
  for (const key of renewed) {
    if (from.has(key) || !to.has(key)) continue
    to.delete(key)
    dropped += 1
  }
  syncModules(from, to)
  to.putPageStates(from.pageStates())
  const hasChanged = changed + dropped > 0
  if (hasChanged) to.setManifest({ ...from.manifest, recorded: to.manifest.recorded })
  if (dating === 'always' || (dating === 'if-changed' && hasChanged))
    to.setManifest({ ...to.manifest, recorded: from.manifest.recorded })
  to.checkpoint()
  return { changed, unchanged, dropped }
}

/** How many edits the wiki has had says nothing new where the answers are the same. */
function withOldCounts(manifest: Manifest, { site: old }: Manifest): Manifest {
  const { site } = manifest
  const statistics = old?.statistics ?? site?.statistics
  return site && statistics ? { ...manifest, site: { ...site, statistics } } : manifest
}

/** A request with several recorded answers was sent once: the first answers decide. */
const isSameInteraction = (old: Interaction, fresh: Interaction): boolean =>
  fresh.responses.length <= old.responses.length &&
  sameTexts(old.sentValues, fresh.sentValues) &&
  fresh.responses.every((response, at) => {
    const other = old.responses[at]
    return other !== undefined && sameRecording(other, response)
  })

function syncModules(from: CassetteStore, to: CassetteStore): void {
  for (const file of from.descriptionFiles()) {
    const text = readText(file) ?? ''
    const tree = readTree(text)
    const module = textOf(memberOf(tree, 'path'))
    if (tree && module !== undefined && to.moduleText(module) !== text) to.putModule(module, tree)
  }
}
