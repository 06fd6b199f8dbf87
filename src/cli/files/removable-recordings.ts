/** Which unused recordings may go without changing what the others are served for. */
import type { RequestKey } from '../../request/request-key.ts'
import type { CassetteStore } from '../../store/cassette-store.ts'

/** What may go of what no run used, and what is left because nobody can see what it holds. */
export interface Dispensable {
  readonly going: readonly { readonly key: RequestKey; readonly path: string }[]
  readonly broken: readonly string[]
}

/** Reads every file. A recording that keeps a more general one from being served in its place is not dispensable. */
export function dispensable(store: CassetteStore, unused: ReadonlySet<RequestKey>): Dispensable {
  const kept = new Set<string>()
  const candidates: { key: RequestKey; path: string; general: string; narrowed: boolean }[] = []
  const broken: string[] = []
  for (const [key, file] of store.paths()) {
    const found = store.find(key)
    if (found.kind === 'broken' && unused.has(key)) broken.push(file)
    if (found.kind !== 'found') continue
    const { request } = found.interaction
    const rest = [...request].filter(([name]) => !narrowing.test(name))
    const general = JSON.stringify(rest)
    if (unused.has(key)) candidates.push({ key, path: file, general, narrowed: rest.length < request.size })
    else kept.add(general)
  }
  const going = candidates.filter(({ narrowed, general }) => !(narrowed && kept.has(general)))
  return { going: going.map(({ key, path: file }) => ({ key, path: file })), broken }
}

/** Names in a canonical request for what else its answer depended on (request/places.ts). */
const narrowing = /^(?:after writes|in session|refused origin)$| in order$/
