/** All listings of one folder of a cassette: grouped, and joined when first asked for. */

import type { Interaction } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { grouped } from '../../text/group-by.ts'
import { once } from '../get-or-create.ts'
import { assemble } from '../reading/answer-chain.ts'
import { answerOf, type Batch, namesIn, readBatch } from '../reading/batch.ts'
import type { ContinuationNames, ListingRequest } from '../reading/listing-request.ts'
import { type KnownListing, knownNames, knownOf } from '../rules/known-rules.ts'
import { filledFrom, isShared, PageIds, type Told, toldBy } from './inferred-values.ts'
import { joinListing, type Listing } from './listing.ts'

/** Recorded batches of the same modules, and what is known of how those modules go on. */
export class Listings {
  readonly names: ContinuationNames
  readonly #batches: ReadonlyMap<string, readonly [Batch, ...Batch[]]>
  readonly #facts: WikiFacts
  readonly #pages: PageIds
  readonly #joined = new Map<string, Listing | undefined>()
  readonly #alone = new Map<string, Listing | undefined>()
  readonly #told = new Map<string, Told>()

  constructor(names: ContinuationNames, batches: Iterable<Batch>, facts: WikiFacts, pages: PageIds) {
    this.names = names
    this.#pages = pages
    this.#facts = facts
    this.#batches = grouped(byListing(batches), ({ request }) => request.identity)
  }

  /** The listing that a request belongs to; undefined where nothing of it is recorded. */
  find(identity: string): Listing | undefined {
    return once(this.#joined, identity, () => {
      const alone = this.#aloneOf(identity)
      if (alone?.rule === undefined || !isShared(alone.rule)) return alone
      const filled = this.#join(identity, this.#toldOf(alone))
      return filled?.by === 'known' ? filled : alone
    })
  }

  /** All listings, in the order of their first recording. */
  all(): readonly Listing[] {
    return [...this.#batches.keys()].flatMap((identity) => this.find(identity) ?? [])
  }

  /** The listing by its own batches and what is known of the wiki's version. */
  #aloneOf(identity: string): Listing | undefined {
    return once(this.#alone, identity, () => this.#join(identity, new Map()))
  }

  #join(identity: string, told: Told): Listing | undefined {
    const batches = this.#batches.get(identity)
    return batches && joinListing(batches, this.#facts.site, (...asked) => this.#known(...asked, told))
  }

  #known(request: ListingRequest, pages: readonly JsonTree[], told: Told): KnownListing | undefined {
    const { driver, params, formatVersion } = request
    const known = knownOf({ ...driver, params, formatVersion, pages }, this.#facts)
    if (known === undefined || !isShared(known.rule)) return known
    const rule = filledFrom(filledFrom(known.rule, this.#pages.toldOf(request)), told)
    return { ...known, rule }
  }

  /** What the listings of one module tell of what no row shows. */
  #toldOf({ batches: [batch] }: Listing): Told {
    const kind = kindOf(batch)
    return once(this.#told, kind, () => {
      const alike = [...this.#batches].filter(([, [one]]) => kindOf(one) === kind)
      return toldBy(alike.flatMap(([identity]) => this.#aloneOf(identity)?.rule ?? []))
    })
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

const kindOf = ({ request: { driver, formatVersion } }: Batch): string =>
  JSON.stringify([driver.kind, driver.module, driver.prefix, formatVersion])

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
  const pages = new PageIds(others)
  const all = [...interactions]
  for (const interaction of all) for (const name of namesIn(answerOf(interaction))) names.add(name)
  const batches = all.flatMap((interaction) => {
    const batch = readBatch(interaction, facts, names)
    // The pages of long listings are many, and seldom those that another takes its rows from.
    if (batch?.request.driver.kind !== 'generator') pages.note(interaction)
    return batch ?? []
  })
  return new Listings(names, batches, facts, pages)
}
