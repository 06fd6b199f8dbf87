/** Looks up requests in the store of a cassette, and reports recordings that cannot be read. */
import { findInSession, type SessionMatch } from '../../playback/lookup/find-in-session.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { InteractionReadResult, Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { EpochIndex } from './epoch-index.ts'

export interface LookupResult extends SessionMatch {
  /** The recordings that were read, or could not be; none where they are not known. */
  readonly dependsOn: readonly RequestKey[]
}

export const noMatch: LookupResult = { match: { kind: 'missing' }, fromEarlierEpoch: false, dependsOn: [] }

export class Lookup {
  readonly #store: Store
  /** Undefined while recording: the wiki is asked instead. */
  readonly #epochIndex: EpochIndex | undefined
  readonly #report: (line: string) => void

  constructor(store: Store, epochIndex: EpochIndex | undefined, report: (line: string) => void) {
    this.#store = store
    this.#epochIndex = epochIndex
    this.#report = report
  }

  /** @throws PendingRead */
  find({ parsed, derivation, session, dependency }: Call): LookupResult {
    const store = this.#store
    const read = new Set<RequestKey>()
    const found = findInSession(parsed.request, derivation, session, dependency, {
      find: (key, canonical) => {
        // A replay follows changes of the folder; while recording, another process may have written this one just now.
        const stored = this.#epochIndex === undefined ? store.getOrDiscover(key, canonical) : store.get(key)
        if (store.has(key)) read.add(key)
        if (stored.kind === 'broken') this.#report(brokenText(stored))
        return stored.kind === 'found' ? stored.interaction : undefined
      },
      has: (key) => store.has(key),
      site: store.manifest.site,
      epochsOf: (request) => this.#epochIndex?.recordingsOf(request) ?? [],
    })
    // A match of another epoch depends on all recordings of its folder.
    return { ...found, dependsOn: found.fromEarlierEpoch ? [] : [...read] }
  }
}

type BrokenRecording = Extract<InteractionReadResult, { kind: 'broken' }>

export const brokenText = ({ path, fault: { line, column, message } }: BrokenRecording): string =>
  `broken recording ${path}:${line}:${column}: ${message}; fix it or record it again`
