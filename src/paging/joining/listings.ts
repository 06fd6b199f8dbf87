/** All listings of one folder of a cassette: grouped, and joined when first asked for. */

import type { Interaction } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { grouped } from '../grouped.ts'
import { answerOf, type Batch, namesIn, readBatch } from '../reading/batch.ts'
import { assemble } from '../reading/chain.ts'
import type { ContinuationNames, ListingRequest } from '../reading/listing-request.ts'
import { knownNames, knownOf } from '../rules/known.ts'
import { learnRule } from '../rules/learn.ts'
import { boundariesOf } from './boundaries.ts'
import type { SharedRule } from './join.ts'
import { joinListing, type Listing } from './listing.ts'
import { filledFrom, isShared, PageIds, type Told, toldBy } from './told.ts'

/** Recorded batches of the same modules, and what is known of how those modules go on. */
export class Listings {
  readonly names: ContinuationNames
  readonly #batches: ReadonlyMap<string, readonly [Batch, ...Batch[]]>
  readonly #facts: WikiFacts
  readonly #pages: PageIds
  readonly #joined = new Map<string, Listing>()
  readonly #alone = new Map<string, Listing>()
  readonly #told = new Map<string, Told>()
  #shared: ReadonlyMap<string, SharedRule> | undefined

  constructor(names: ContinuationNames, batches: Iterable<Batch>, facts: WikiFacts, pages: PageIds) {
    this.names = names
    this.#pages = pages
    this.#facts = facts
    this.#batches = grouped(byListing(batches), ({ request }) => request.identity)
  }

  /** The listing that a request belongs to; undefined where nothing of it is recorded. */
  find(identity: string): Listing | undefined {
    const held = this.#joined.get(identity)
    if (held !== undefined) return held
    const batches = this.#batches.get(identity)
    if (batches === undefined) return undefined
    const joined = this.#withOthers(batches, this.#aloneOf(identity, batches))
    this.#joined.set(identity, joined)
    return joined
  }

  /** The listing by its own batches and what is known of the wiki's version. */
  #aloneOf(identity: string, batches: readonly [Batch, ...Batch[]]): Listing {
    const held = this.#alone.get(identity)
    if (held !== undefined) return held
    const alone = joinListing(batches, { known: (request, pages) => this.#known(request, pages) })
    this.#alone.set(identity, alone)
    return alone
  }

  /** The listing with what other recordings teach of its module, where its own leave something open. */
  #withOthers(batches: readonly [Batch, ...Batch[]], alone: Listing): Listing {
    if (alone.rule !== undefined && alone.by === 'learned') return alone
    if (alone.rule !== undefined && isShared(alone.rule)) {
      const told = this.#toldOf(alone)
      const filled = joinListing(batches, { known: (...asked) => this.#known(...asked, told) })
      return filled.by === 'known' ? filled : alone
    }
    const shared = this.#sharedRule(alone)
    return shared === undefined
      ? alone
      : joinListing(batches, { shared, known: (...asked) => this.#known(...asked) })
  }

  #known(
    request: ListingRequest,
    pages: readonly JsonTree[],
    told: Told = new Map(),
  ): ReturnType<typeof knownOf> {
    const { driver, params, formatVersion } = request
    const known = knownOf({ ...driver, params, formatVersion, pages }, this.#facts)
    if (known === undefined || !isShared(known.rule)) return known
    const rule = filledFrom(filledFrom(known.rule, this.#pages.toldOf(request)), told)
    return { ...known, rule }
  }

  #toldOf(listing: Listing): Told {
    const kind = kindOf(listing)
    const held = this.#told.get(kind)
    if (held !== undefined) return held
    const alike = [...this.#batches].filter(([, [{ request }]]) => kindOf(request) === kind)
    const told = toldBy(alike.flatMap(([identity, batches]) => this.#aloneOf(identity, batches).rule ?? []))
    this.#told.set(kind, told)
    return told
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
  const split: Batch[] = []
  for (const batch of batches) {
    if (batch.cut.inner === undefined && batch.request.inner.size === 0) yield batch
    else split.push(batch)
  }
  for (const parts of grouped(split, ({ request }) => request.identity).values()) yield* assemble(parts)
}

const kindOf = ({ driver, formatVersion }: Pick<ListingRequest, 'driver' | 'formatVersion'>): string =>
  JSON.stringify([driver.kind, driver.module, driver.prefix, formatVersion])

/** One rule a module, where one explains all boundaries of all its listings. */
function learnShared(listings: readonly Listing[]): ReadonlyMap<string, SharedRule> {
  const rules = new Map<string, SharedRule>()
  for (const [kind, members] of grouped(listings, kindOf)) {
    const [param, second] = new Set(members.flatMap((one) => one.param ?? []))
    const rule = learnRule(members.flatMap((one) => boundariesOf(one, one.batches)))
    if (rule !== undefined && param !== undefined && second === undefined) rules.set(kind, { rule, param })
  }
  return rules
}

/**
 * Reads the recorded interactions of one folder; those that are no parts of listings are passed over.
 * @param others of other folders, asked for only where they may tell which id a page has
 */
export function readListings(
  interactions: Iterable<Interaction>,
  facts: WikiFacts,
  others?: () => Iterable<Interaction>,
): Listings {
  const names = new Set(knownNames(facts))
  const answered: Interaction[] = []
  const pages = new PageIds(others)
  for (const interaction of interactions) {
    const body = answerOf(interaction)
    if (body === undefined) continue
    answered.push(interaction)
    for (const name of namesIn(body)) names.add(name)
  }
  return new Listings(
    names,
    answered.flatMap((interaction) => {
      const batch = readBatch(interaction, facts, names)
      // The pages of long listings are many, and seldom those that another takes its rows from.
      if (batch?.request.driver.kind !== 'generator') pages.note(interaction)
      return batch ?? []
    }),
    facts,
    pages,
  )
}
