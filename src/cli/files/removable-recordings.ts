/** Unused recordings that can be deleted without changing which answers the others give. */
import type { RequestKey } from '../../request/request-key.ts'
import type { CassetteStore } from '../../store/cassette-store.ts'

export interface RemovableRecordings {
  readonly removable: readonly { readonly key: RequestKey; readonly path: string }[]
  /** Unused as well, but kept, since they cannot be read. */
  readonly broken: readonly string[]
}

/** Reads every file. A recording is kept if, without it, a more general one would be served in its place. */
export function findRemovable(store: CassetteStore, unused: ReadonlySet<RequestKey>): RemovableRecordings {
  const usedRequests = new Set<string>()
  const candidates: { key: RequestKey; path: string; general: string; isNarrowed: boolean }[] = []
  const broken: string[] = []
  for (const [key, path] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'broken' && unused.has(key)) broken.push(path)
    if (found.kind !== 'found') continue
    const { request } = found.interaction
    const rest = [...request].filter(([name]) => !narrowingParams.test(name))
    const general = JSON.stringify(rest)
    if (unused.has(key)) candidates.push({ key, path, general, isNarrowed: rest.length < request.size })
    else usedRequests.add(general)
  }
  const removable = candidates.filter(({ isNarrowed, general }) => !isNarrowed || !usedRequests.has(general))
  return { removable: removable.map(({ key, path }) => ({ key, path })), broken }
}

/** Members of a canonical request for what else its answer depended on. */
const narrowingParams = /^(?:after writes|in session|refused origin)$| in order$/
