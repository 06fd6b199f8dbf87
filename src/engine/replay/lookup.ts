/** Looks requests up in the store of their cassette. */

import { type Found, findInSession } from '../../playback/lookup/find-in-session.ts'
import type { Match } from '../../playback/lookup/match.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import type { Call } from '../call.ts'
import type { Epochs } from './epoch-index.ts'

export interface FoundHere extends Found {
  /** The recordings that were looked into, also such as cannot be read; none where that is not known. */
  readonly rests: readonly RequestKey[]
}

export const nothingFound: FoundHere = {
  match: { kind: 'missing' } satisfies Match,
  earlier: false,
  rests: [],
}

export class Lookup {
  readonly #store: Store
  /** Undefined while recording: the wiki itself is asked. */
  readonly #epochs: Epochs | undefined
  readonly #report: (line: string) => void

  /** @param report told of a recording that cannot be read */
  constructor(store: Store, epochs: Epochs | undefined, report: (line: string) => void) {
    this.#store = store
    this.#epochs = epochs
    this.#report = report
  }

  /** @throws NotAtHand */
  find({ understood, derivation, session, standing }: Call): FoundHere {
    const store = this.#store
    const read = new Set<RequestKey>()
    const found = findInSession(understood.request, derivation, session, standing, {
      find: (key, canonical) => {
        const stored = store.refind(key, canonical)
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
      epochsOf: (request) => this.#epochs?.of(request) ?? [],
    })
    // What is found by comparing all recordings of a folder rests on all of them.
    return { ...found, rests: found.earlier ? [] : [...read] }
  }
}
