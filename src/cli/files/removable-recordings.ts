/** Which unused recordings may go without changing what the others are served for. */
import type { RequestKey } from '../../request/request-key.ts'
import type { CassetteStore } from '../../store/cassette-store.ts'

/** What may go of what no run used, and what is left because nobody can see what it holds. */
export interface RemovableRecordings {
  readonly removable: readonly { readonly key: RequestKey; readonly path: string }[]
  readonly broken: readonly string[]
}

/** Reads every file. A recording that keeps a more general one from being served in its place is not dispensable. */
export function findRemovable(store: CassetteStore, unused: ReadonlySet<RequestKey>): RemovableRecordings {
  const usedRequests = new Set<string>()
  const candidates: { key: RequestKey; path: string; generalRequest: string; isNarrowed: boolean }[] = []
  const broken: string[] = []
  for (const [key, file] of store.paths()) {
    const found = store.get(key)
    if (found.kind === 'broken' && unused.has(key)) broken.push(file)
    if (found.kind !== 'found') continue
    const { request } = found.interaction
    const rest = [...request].filter(([name]) => !narrowingParams.test(name))
    const generalRequest = JSON.stringify(rest)
    if (unused.has(key))
      candidates.push({ key, path: file, generalRequest, isNarrowed: rest.length < request.size })
    else usedRequests.add(generalRequest)
  }
  const removable = candidates.filter(
    ({ isNarrowed: narrowed, generalRequest: general }) => !(narrowed && usedRequests.has(general)),
  )
  return { removable: removable.map(({ key, path: file }) => ({ key, path: file })), broken }
}

/** Names in a canonical request for what else its answer depended on (request/places.ts). */
const narrowingParams = /^(?:after writes|in session|refused origin)$| in order$/
