/**
 * All listings of one folder of a cassette, each joined when it is first needed. Hidden parts of continue values (ids of
 * actors, link targets, pages) are inferred from the others.
 */

import type { Interaction } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { getOrAdd, groupBy, lazy } from '../../text/group-by.ts'
import { maxResultSize } from '../../wiki/answers/result-size.ts'
import { equalIgnoringVolatile } from '../../wiki/answers/volatile.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { joinChains } from '../reading/answer-chain.ts'
import { answersApart } from '../reading/answers-apart.ts'
import {
  type Batch,
  type Batches,
  readBatch,
  recordedKeysOf,
  singleAnswerOf
} from '../reading/batch.ts'
import { exceedsMaximum, letsAllExceed } from '../reading/limits.ts'
import {
  alikeIdentity,
  type ContinuationNames,
  type ListingRequest
} from '../reading/listing-request.ts'
import { continueMembers } from '../reading/split-answer.ts'
import { knownListing, startsThatContinue } from '../rules/known-rules.ts'
import {
  type InferredValues,
  inferValues,
  isShared,
  PageIds,
  withInferred
} from './inferred-values.ts'
import { joinListing, type Listing } from './listing.ts'
import { inOtherVersion } from './other-version.ts'

interface ListingSources {
  readonly names: ContinuationNames
  readonly batches: Iterable<Batch>
  readonly facts: WikiFacts
  readonly pages: PageIds
  readonly bounds: ListingBounds
  readonly apart: Listings['apart']
  readonly inBothVersions: Listings['inBothVersions']
}

type ListingBounds = Pick<Listings, 'exceedMaximum' | 'maxSize'>

/** What the answers of several modules show of each of them. */
interface ModuleListings {
  readonly listings: Listings
  /** What modules without rows add, by the requests that get it; undefined where the recordings differ. */
  readonly rests: ReadonlyMap<string, JsonTree | undefined>
}

export class Listings {
  readonly names: ContinuationNames
  /** Whether recordings show that anonymous callers may have more than the general maximum. */
  readonly exceedMaximum: () => boolean
  /** The size in bytes up to which the wiki cuts no answer, as far as recordings show. */
  readonly maxSize: () => number
  readonly apart: () => ModuleListings
  /** The same with what was recorded in the other version of the format; undefined where nothing is alike in both. */
  readonly inBothVersions: () => Listings | undefined
  readonly #batches: ReadonlyMap<string, Batches>
  readonly #facts: WikiFacts
  readonly #pageIds: PageIds
  /** Identities of listings by what they have in common with parts of them. */
  readonly #byBroader = lazy(() =>
    groupBy(
      this.#batches.keys(),
      (identity) => this.#batches.get(identity)?.[0].request.broader ?? identity
    )
  )
  readonly #byAlike = lazy(() =>
    groupBy(this.#batches.values(), ([{ request }]) =>
      alikeIdentity(request, this.#facts.lookup)
    )
  )
  readonly #joined = new Map<string, Listing | undefined>()
  readonly #unfilled = new Map<string, Listing | undefined>()
  readonly #inferred = new Map<string, InferredValues>()

  constructor({ names, batches, facts, pages, bounds, ...later }: ListingSources) {
    this.names = names
    this.apart = later.apart
    this.inBothVersions = later.inBothVersions
    this.exceedMaximum = bounds.exceedMaximum
    this.maxSize = bounds.maxSize
    this.#pageIds = pages
    this.#facts = facts
    this.#batches = groupBy(
      batchesByListing(batches, facts.lookup),
      ({ request }) => request.identity
    )
  }

  /** The listing that a request belongs to; undefined where nothing of it is recorded. */
  find(identity: string): Listing | undefined {
    return getOrAdd(this.#joined, identity, () => {
      const unfilled = this.#unfilledOf(identity)
      if (!unfilled?.rule || !isShared(unfilled.rule)) return unfilled
      const filled = this.#join(identity, this.#inferFor(unfilled))
      return filled?.by === 'known' ? filled : unfilled
    })
  }

  /** True where other listings of the module may show what continue values of one of these hide. */
  hasHiddenParts(): boolean {
    return this.all().some(({ rule }) => rule !== undefined && isShared(rule))
  }

  /** The listings that may have the one of that identity as a part, or are one with it. */
  broader(identity: string): readonly Listing[] {
    return (this.#byBroader().get(identity) ?? []).flatMap((one) => this.find(one) ?? [])
  }

  /** The batches of each listing that differs from that request's in direction, namespaces, what narrows it, or limits of props at most. */
  alike(request: ListingRequest): readonly Batches[] {
    return this.#byAlike().get(alikeIdentity(request, this.#facts.lookup)) ?? []
  }

  all(): readonly Listing[] {
    return [...this.#batches.keys()].flatMap((identity) => this.find(identity) ?? [])
  }

  recordings(): readonly (readonly RequestKey[])[] {
    return [...this.#batches.values()].map((batches) => batches.flatMap(recordedKeysOf))
  }

  /** The listing without values inferred from other listings. */
  #unfilledOf(identity: string) {
    return getOrAdd(this.#unfilled, identity, () => this.#join(identity, new Map()))
  }

  #join(identity: string, inferred: InferredValues) {
    const batches = this.#batches.get(identity)
    return batches && this.#joinBatches(batches, inferred)
  }

  /** What one batch shows by itself. */
  joinAlone(batch: Batch): Listing {
    return this.#joinBatches([batch], new Map())
  }

  #joinBatches(batches: Batches, inferred: InferredValues) {
    return joinListing(batches, this.#facts.site, (...args) =>
      this.#known(...args, inferred)
    )
  }

  #known(request: ListingRequest, pages: readonly JsonTree[], inferred: InferredValues) {
    const { driver, params, formatVersion } = request
    const known = knownListing({ ...driver, params, formatVersion, pages }, this.#facts)
    if (!known || !isShared(known.rule)) return known
    const rule = withInferred(
      withInferred(known.rule, this.#pageIds.inferredFor(request)),
      inferred
    )
    return { ...known, rule }
  }

  /** The hidden parts that other listings of the same module show. */
  #inferFor({ batches: [batch] }: Listing) {
    const kind = kindOf(batch)
    return getOrAdd(this.#inferred, kind, () => {
      const similar = [...this.#batches].filter(([, [one]]) => kindOf(one) === kind)
      return inferValues(
        similar.flatMap(([identity]) => this.#unfilledOf(identity)?.rule ?? [])
      )
    })
  }
}

/** The batches, with the chains of answers of each listing joined. */
function* batchesByListing(batches: Iterable<Batch>, lookup: ModuleLookup) {
  const split: Batch[] = []
  for (const batch of batches) {
    if (!batch.answer.inner && batch.request.inner.size === 0) yield batch
    else split.push(batch)
  }
  for (const parts of groupBy(split, ({ request }) => request.identity).values())
    yield* joinChains(parts, lookup)
}

const kindOf = ({ request: { driver, formatVersion } }: Batch) =>
  JSON.stringify([driver.kind, driver.module, driver.prefix, formatVersion])

/** Reads the listings of one folder. @param others interactions of other folders, read only for the ids of pages */
export function readListings(
  interactions: Iterable<Interaction>,
  facts: WikiFacts,
  others?: () => Iterable<Interaction>
): Listings {
  const all = [...interactions]
  const exceeds = (one: Interaction) => exceedsMaximum(one, facts.lookup)
  const exceedMaximum = lazy(() => letsAllExceed(facts.site) || all.some(exceeds))
  const maxSize = lazy(() =>
    maxResultSize(all.flatMap((one) => singleAnswerOf(one) ?? []))
  )
  return listingsWithin({ exceedMaximum, maxSize }, all, facts, others)
}

function listingsWithin(
  bounds: ListingBounds,
  interactions: readonly Interaction[],
  facts: WikiFacts,
  sources?: () => Iterable<Interaction>
): Listings {
  const names = new Set(startsThatContinue(facts))
  const pages = new PageIds(sources)
  for (const interaction of interactions)
    for (const { key } of continueMembers(singleAnswerOf(interaction))) names.add(key)
  const batches = interactions.flatMap((interaction) => {
    const batch = readBatch(interaction, facts, names)
    // Generators have many pages, of which few are inputs of other listings.
    if (batch?.request.driver.kind !== 'generator') pages.note(interaction)
    return batch ?? []
  })
  const apart = lazy(() => {
    const found = interactions.flatMap((one) => answersApart(one, facts.lookup) ?? [])
    const alone = found.flatMap((one) => one.alone)
    return {
      listings: listingsWithin(bounds, alone, facts, sources),
      rests: restsOf(found.flatMap(({ rest }) => (rest ? [rest] : [])))
    }
  })
  const inBothVersions = lazy(() => {
    const others = interactions.flatMap((one) => inOtherVersion(one) ?? [])
    return others.length === 0
      ? undefined
      : listingsWithin(bounds, [...interactions, ...others], facts, sources)
  })
  return new Listings({ names, batches, facts, pages, bounds, apart, inBothVersions })
}

function restsOf(found: readonly (readonly [identity: string, body: JsonTree])[]) {
  const rests = new Map<string, JsonTree | undefined>()
  for (const [identity, body] of found) {
    const earlier = rests.has(identity) ? rests.get(identity) : body
    const isSame = earlier !== undefined && equalIgnoringVolatile(earlier, body)
    rests.set(identity, isSame ? earlier : undefined)
  }
  return rests
}
