/** A question looked up in the store of its cassette. */
import type { Interaction } from '../cassette/interaction.ts'
import { type Found, findInSession } from '../playback/find.ts'
import type { CanonicalRequest, RequestKey } from '../request/key.ts'
import type { Store, Found as Stored } from '../store/store.ts'
import type { Question } from './question.ts'

export interface FoundHere extends Found {
  /** The recordings that were looked into, also such as cannot be read; none where that is not known. */
  readonly rests: readonly RequestKey[]
}

export interface LookUpOptions {
  /** Told of a recording that cannot be read. */
  readonly broken?: (stored: Extract<Stored, { kind: 'broken' }>) => void
  /** The recordings of one request in all epochs; none unless given. */
  readonly epochsOf?: ((request: CanonicalRequest) => readonly Interaction[]) | undefined
  /** One that was just read. */
  readonly known?: Extract<Stored, { kind: 'found' }> | undefined
}

/** @throws NotAtHand */
export function lookUp(
  { understood, derivation, session, standing }: Question,
  store: Store,
  { broken, epochsOf = () => [], known }: LookUpOptions = {},
): FoundHere {
  const read = new Set<RequestKey>()
  const found = findInSession(understood.request, derivation, session, standing, {
    find: (key, canonical) => {
      const stored = known?.interaction.key === key ? known : store.refind(key, canonical)
      if (store.has(key)) read.add(key)
      if (stored.kind === 'broken') broken?.(stored)
      return stored.kind === 'found' ? stored.interaction : undefined
    },
    has: (key) => store.has(key),
    site: store.manifest.site,
    epochsOf,
  })
  // What is found by comparing all recordings of a folder rests on all of them.
  return { ...found, rests: found.earlier ? [] : [...read] }
}
