/** All listings of one folder of a cassette: grouped, and joined when first asked for. */

import type { Interaction } from '../../cassette/interaction.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { answerOf, type Batch, namesIn, readBatch } from '../reading/batch.ts'
import { assemble } from '../reading/chain.ts'
import type { ContinuationNames, ListingRequest } from '../reading/listing-request.ts'
import { knownNames, knownOf } from '../rules/known.ts'
import { learnRule } from '../rules/learn.ts'
import { boundariesOf } from './boundaries.ts'
import type { SharedRule } from './join.ts'
import { type Help, joinListing, type Listing } from './listing.ts'

/** Recorded batches of the same modules, and what is known of how those modules go on. */
export class Listings {
  readonly names: ContinuationNames
  readonly #batches: ReadonlyMap<string, readonly [Batch, ...Batch[]]>
  readonly #facts: WikiFacts
  readonly #joined = new Map<string, Listing>()
  #shared: ReadonlyMap<string, SharedRule> | undefined

  constructor(names: ContinuationNames, batches: Iterable<Batch>, facts: WikiFacts) {
    this.names = names
    this.#facts = facts
    const grouped = new Map<string, [Batch, ...Batch[]]>()
    for (const batch of byListing(batches)) {
      const held = grouped.get(batch.request.identity)
      if (held === undefined) grouped.set(batch.request.identity, [batch])
      else held.push(batch)
    }
    this.#batches = grouped
  }

  /** The listing that a request belongs to; undefined where nothing of it is recorded. */
  find(identity: string): Listing | undefined {
    const held = this.#joined.get(identity)
    if (held !== undefined) return held
    const batches = this.#batches.get(identity)
    if (batches === undefined) return undefined
    const known: Help['known'] = ({ driver, params, formatVersion }, pages) =>
      knownOf({ ...driver, params, formatVersion, pages }, this.#facts)
    const alone = joinListing(batches, { known })
    const shared = alone.rule === undefined || alone.by === 'known' ? this.#sharedRule(alone) : undefined
    const joined = shared === undefined ? alone : joinListing(batches, { shared, known })
    this.#joined.set(identity, joined)
    return joined
  }

  /** All listings, in the order of their first recording. */
  all(): readonly Listing[] {
    return [...this.#batches.keys()].flatMap((identity) => this.find(identity) ?? [])
  }

  #sharedRule(listing: Listing): SharedRule | undefined {
    this.#shared ??= learnShared([...this.#batches.values()].map((batches) => joinListing(batches)))
    return this.#shared.get(kindOf(listing))
  }
}

/** Batches of one listing side by side, those inside of a generator's batch put together. */
function* byListing(batches: Iterable<Batch>): Iterable<Batch> {
  const split = new Map<string, Batch[]>()
  for (const batch of batches) {
    if (batch.cut.inner === undefined && batch.request.inner.size === 0) yield batch
    else split.set(batch.request.identity, [...(split.get(batch.request.identity) ?? []), batch])
  }
  for (const parts of split.values()) yield* assemble(parts)
}

const kindOf = ({ driver, formatVersion }: Pick<ListingRequest, 'driver' | 'formatVersion'>): string =>
  JSON.stringify([driver.kind, driver.module, driver.prefix, formatVersion])

/** One rule a module, where one explains all boundaries of all its listings. */
function learnShared(listings: readonly Listing[]): ReadonlyMap<string, SharedRule> {
  const grouped = new Map<string, Listing[]>()
  for (const listing of listings) {
    const held = grouped.get(kindOf(listing))
    if (held === undefined) grouped.set(kindOf(listing), [listing])
    else held.push(listing)
  }
  const rules = new Map<string, SharedRule>()
  for (const [kind, members] of grouped) {
    const [param, second] = new Set(members.flatMap((one) => one.param ?? []))
    const rule = learnRule(members.flatMap((one) => boundariesOf(one, one.batches)))
    if (rule !== undefined && param !== undefined && second === undefined) rules.set(kind, { rule, param })
  }
  return rules
}

/** Reads the recorded interactions of one folder; those that are no parts of listings are passed over. */
export function readListings(interactions: Iterable<Interaction>, facts: WikiFacts): Listings {
  const names = new Set(knownNames(facts))
  const answered: Interaction[] = []
  for (const interaction of interactions) {
    const body = answerOf(interaction)
    if (body === undefined) continue
    answered.push(interaction)
    for (const name of namesIn(body)) names.add(name)
  }
  return new Listings(
    names,
    answered.flatMap((interaction) => readBatch(interaction, facts, names) ?? []),
    facts,
  )
}
