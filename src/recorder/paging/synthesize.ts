/** Synthesized answers: each module with rows out of its own listing, and what modules without rows add. */
import { type JsonMember, type JsonTree, jsonLiteral } from '../json/json-tree.ts'
import type { SentRequest, WikiFacts } from '../request/derive.ts'
import { mapAll } from '../text/group-by.ts'
import { resultSize } from '../wiki/answers/result-size.ts'
import { withCallerLimit } from './answer-from.ts'
import type { Listings } from './joining/listings.ts'
import { joinAnswers } from './reading/join-answers.ts'
import { readListingRequest } from './reading/listing-request.ts'
import {
  type ModuleRequest,
  type ModulesApart,
  modulesApart
} from './reading/modules-apart.ts'
import {
  isSettled,
  refuse,
  type Synthesis,
  type SynthesizedListing,
  tooLarge
} from './synthesis.ts'
import { forCaller, synthesizeListing } from './synthesize-listing.ts'

export function synthesize(
  request: SentRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const found = fromRecorded(request, listings, facts)
  if (isSettled(found)) return found
  const both = listings.inBothVersions()
  const other = both && fromRecorded(request, both, facts)
  return other?.kind === 'synthesized' ? other : found
}

function fromRecorded(
  { canonical, sentValues }: SentRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const apart = modulesApart(canonical, sentValues, facts.lookup)
  return apart
    ? fromModules(apart, listings, facts)
    : synthesizeListing({ params: canonical, sentValues }, listings, facts)
}

/** The answers of several modules, each made of its own listing. */
function fromModules(
  apart: ModulesApart,
  listings: Listings,
  facts: WikiFacts
): Synthesis {
  const recorded = listings.apart()
  const alone = new Map<string, JsonTree>()
  const made: SynthesizedListing[] = []
  for (const part of apart.running) {
    const synthesis = synthesizeListing(part, recorded.listings, facts)
    if (synthesis.kind !== 'synthesized') return synthesis
    made.push(synthesis)
    alone.set(part.module, synthesis.body)
  }
  const rest = apart.rest === undefined ? undefined : recorded.rests.get(apart.rest)
  if (apart.rest !== undefined && !rest)
    return refuse('no recorded answer shows what its modules without rows add')
  const finishedLimits = mapAll(apart.finished, (part) =>
    limitOfFinished(part, recorded.listings, facts)
  )?.flat()
  if (!finishedLimits)
    return refuse('a module that has finished may warn of its parameters')
  const body = joinAnswers({ apart, alone, rest, finishedLimits })
  const [first] = made
  if (!body || !first)
    return refuse('the members around the rows differ between its modules')
  if (resultSize(body) > listings.maxSize()) return refuse(tooLarge)
  const by = (['own', 'known'] as const).find((basis) =>
    made.some((one) => one.by === basis)
  )
  const from = [...new Set(made.flatMap((one) => one.from))]
  return { ...first, body, from, by: by ?? 'learned' }
}

/** What `max` means to the module, if it was sent; undefined where no recorded answer shows that its parameters are right. */
function limitOfFinished(
  { module, params, sentValues }: ModuleRequest,
  listings: Listings,
  facts: WikiFacts
): readonly JsonMember[] | undefined {
  const sent = readListingRequest(params, sentValues, facts.lookup, listings.names)
  const listing = typeof sent === 'string' ? undefined : listings.find(sent.identity)
  if (typeof sent === 'string' || !listing) return undefined
  const { kind, rows } = withCallerLimit(forCaller(sent, listings), listing).limit
  if (kind === 'number') return []
  if (kind === 'over' || rows === undefined) return undefined
  return [{ key: module, value: jsonLiteral(rows) }]
}
