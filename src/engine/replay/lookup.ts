/** Looks requests up in the store of their cassette. */

import { findInSession, type SessionMatch } from '../../playback/lookup/find-in-session.ts'
import type { Match } from '../../playback/lookup/match.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { EpochIndex } from './epoch-index.ts'

export interface LookupResult extends SessionMatch {
  /** The recordings that were looked into, also such as cannot be read; none where that is not known. */
  readonly dependsOn: readonly RequestKey[]
}

export const noMatch: LookupResult = {
  match: { kind: 'missing' } satisfies Match,
  fromEarlierEpoch: false,
  dependsOn: [],
}

export class Lookup {
  readonly #store: Store
  /** Undefined while recording: the wiki itself is asked. */
  readonly #epochIndex: EpochIndex | undefined
  readonly #report: (line: string) => void

  /** @param report told of a recording that cannot be read */
  constructor(store: Store, epochIndex: EpochIndex | undefined, report: (line: string) => void) {
    this.#store = store
    this.#epochIndex = epochIndex
    this.#report = report
  }

  /** @throws NotAtHand */
  find({ parsed, derivation, session, dependency }: Call): LookupResult {
    const store = this.#store
    const read = new Set<RequestKey>()
    const found = findInSession(parsed.request, derivation, session, dependency, {
      find: (key, canonical) => {
        const stored = store.getFresh(key, canonical)
        if (store.has(key)) read.add(key)
        if (stored.kind === 'broken') {
          const { line, column, message } = stored.fault
          this.#report(
            `broken recording ${stored.path}:${line}:${column}: ${message}; mend it or record it again`,
          )
        }
        return stored.kind === 'found' ? stored.interaction : undefined
      },
      has: (key) => store.has(key),
      site: store.manifest.site,
      epochsOf: (request) => this.#epochIndex?.recordingsOf(request) ?? [],
    })
    // What is found by comparing all recordings of a folder rests on all of them.
    return { ...found, dependsOn: found.fromEarlierEpoch ? [] : [...read] }
  }
}
