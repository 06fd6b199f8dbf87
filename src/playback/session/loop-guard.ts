/**
 * Guards a client against a walk without end: recordings of different days can contradict each other in a circle, and
 * so can a wiki (`list=alllinks&alunique` of MediaWiki 1.43 does).
 */

import { type JsonTree, memberOf, membersOf } from '../../json/json-tree.ts'
import { getOrCreate } from '../../paging/get-or-create.ts'
import {
  continuationNamesIn,
  cursorPosition,
  cursorText,
  type ListingPosition,
  positionOf,
} from '../../paging/reading/batch.ts'
import { readListingRequest } from '../../paging/reading/listing-request.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'

/** From where an answer was asked, and where it says to go on. */
export interface WalkStep {
  readonly listing: string
  readonly from: ListingPosition
  readonly next: ListingPosition
  /** The next place for people: `apcontinue=Page_K`. */
  readonly nextText: string
}

/** The step that an answer leads to; undefined where nothing follows, or where it is no part of a listing. */
export function walkStepOf(
  derivation: Derivation,
  body: JsonTree,
  { lookup }: WikiFacts,
): WalkStep | undefined {
  const names = new Set(continuationNamesIn(body))
  if (names.size === 0) return undefined
  const reading = readListingRequest(derivation.canonical, derivation.sentValues, lookup, names)
  if (typeof reading === 'string') return undefined
  const { cursor, inner, startName: from, identity, driver } = reading
  const at = new Map([...cursor, ...inner])
  const modern = membersOf(memberOf(body, 'continue')).filter(({ key }) => key !== 'continue')
  const legacy = membersOf(memberOf(body, 'query-continue'))
  // In the old dialect a generator stays where it is until its props are done.
  const props = legacy.filter(({ key }) => driver.kind !== 'generator' || key !== driver.module)
  const carriedOver = props.length > 0 ? at : []
  const continued = [
    ...modern,
    ...(props.length > 0 ? props : legacy).flatMap(({ value }) => membersOf(value)),
  ]
  const next = new Map([
    ...carriedOver,
    ...continued.map(({ key, value }) => [key, cursorText(value)] as const),
  ])
  const nextText = [...next].map(([name, value]) => `${name}=${value}`).join(', ')
  return {
    listing: identity,
    from: positionOf({ cursor: at, startName: from }),
    next: cursorPosition(next),
    nextText,
  }
}

/** Steps that are remembered of one session; more begin anew. */
const maxSteps = 100_000

/** Follows the walks of one session; keeps one step a place. */
export class LoopGuard {
  readonly #steps = new Map<string, Map<ListingPosition, ListingPosition>>()
  #count = 0

  /** True where a client that follows this step comes back to the place it asked from. */
  closesCircle({ listing, from, next }: Omit<WalkStep, 'nextText'>): boolean {
    if (from === next) return true
    const steps = this.#steps.get(listing)
    // The same step again, in a retry or in a second walk, tells nothing new.
    if (steps === undefined || steps.get(from) === next) return false
    // No circle was there before: one that is closed now leads through this place.
    for (let at: ListingPosition | undefined = next; at !== undefined; at = steps.get(at))
      if (at === from) return true
    return false
  }

  /** An answer led from one place of a listing to the next; it closes no circle. */
  note({ listing, from, next }: Omit<WalkStep, 'nextText'>): void {
    if (this.#count > maxSteps) {
      this.#steps.clear()
      this.#count = 0
    }
    const steps = getOrCreate(this.#steps, listing, () => new Map<ListingPosition, ListingPosition>())
    if (!steps.has(from)) this.#count += 1
    steps.set(from, next)
  }
}

/** The guards of all sessions, each known by a value of its own. */
export class LoopGuards {
  #guards = new WeakMap<object, LoopGuard>()

  /** What to tell a client whose walk would come back to where it was; undefined where it gets on. */
  circleReason(session: object, step: WalkStep | undefined): string | undefined {
    if (step === undefined || !this.#guardFor(session).closesCircle(step)) return undefined
    return `The walk would go in a circle: this answer goes on at ${step.nextText}, from where this session has already come here. Record the listing again.`
  }

  note(session: object, step: WalkStep | undefined): void {
    if (step !== undefined) this.#guardFor(session).note(step)
  }

  /** The recordings have changed: a walk that has begun is not held against what they said. */
  clear(): void {
    this.#guards = new WeakMap()
  }

  #guardFor(session: object): LoopGuard {
    return getOrCreate(this.#guards, session, () => new LoopGuard())
  }
}
