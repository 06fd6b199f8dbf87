/** Detects walks without end: recordings of different days can lead in a circle, and so can a wiki (`alllinks&alunique` of 1.43). */
import { type JsonMember, type JsonTree, membersAt } from '../../json/json-tree.ts'
import {
  cursorPosition,
  cursorText,
  type ListingPosition,
  positionOf
} from '../../paging/reading/batch.ts'
import { readListingRequest } from '../../paging/reading/listing-request.ts'
import { continueMembers } from '../../paging/reading/split-answer.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { getOrAdd } from '../../text/group-by.ts'

/** One answer of a walk: the position that was requested, and the position that it continues at. */
export interface WalkStep {
  readonly listing: string
  readonly from: ListingPosition
  readonly next: ListingPosition
  /** `next` for messages: `apcontinue=Page_K`. */
  readonly nextText: string
}

/** The step of an answer; undefined where it does not continue, or is no part of a listing. */
export function walkStepOf(
  derivation: Derivation,
  body: JsonTree,
  facts: WikiFacts
): WalkStep | undefined {
  const names = new Set(continueMembers(body).map(({ key }) => key))
  if (names.size === 0) return undefined
  const reading = readListingRequest(
    derivation.canonical,
    derivation.sentValues,
    facts.lookup,
    names
  )
  if (typeof reading === 'string') return undefined
  const { cursor, inner, startName, identity, driver } = reading
  const at = new Map([...cursor, ...inner])
  // In the old dialect a generator stays where it is until its props are done.
  const isProp = ({ key }: JsonMember) =>
    driver.kind !== 'generator' || key !== driver.module
  const isInProps = membersAt(body, 'query-continue').some(isProp)
  const continued = continueMembers(body, isInProps ? isProp : undefined)
  const values = continued.map(({ key, value }) => [key, cursorText(value)] as const)
  const next = new Map([...(isInProps ? at : []), ...values])
  return {
    listing: identity,
    from: positionOf({ cursor: at, startName }),
    next: cursorPosition(next),
    nextText: [...next].map(([name, value]) => `${name}=${value}`).join(', ')
  }
}

/** Steps remembered of one session in one listing; at more, it forgets them. */
const maxSteps = 100_000

/** The steps of each session, one for each position. */
export class LoopGuard {
  #steps = new WeakMap<object, Map<string, Map<ListingPosition, ListingPosition>>>()

  /** Why the step must not be served, as a message for the client; undefined where it may. */
  circleReason(session: object, step: WalkStep | undefined): string | undefined {
    if (!step || !this.#closesCircle(session, step)) return undefined
    return `The walk would go in a circle: this answer continues at ${step.nextText}, which leads back to this request. Record the listing again.`
  }

  /** @param step one that closes no circle */
  note(session: object, step: WalkStep | undefined): void {
    if (!step) return
    const listings = getOrAdd(this.#steps, session, () => new Map())
    const steps = getOrAdd(
      listings,
      step.listing,
      () => new Map<ListingPosition, ListingPosition>()
    )
    if (steps.size > maxSteps) steps.clear()
    steps.set(step.from, step.next)
  }

  clear(): void {
    this.#steps = new WeakMap()
  }

  /** True where a client that follows this step comes back to the position that it requested. */
  #closesCircle(session: object, { listing, from, next }: WalkStep) {
    if (from === next) return true
    const steps = this.#steps.get(session)?.get(listing)
    // The same step again (a retry, a second walk) is no circle.
    if (!steps || steps.get(from) === next) return false
    // There was no circle before, so one that is closed now leads through `from`.
    for (let at: ListingPosition | undefined = next; at !== undefined; at = steps.get(at))
      if (at === from) return true
    return false
  }
}
