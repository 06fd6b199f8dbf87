/**
 * Answers out of a listing that differs in what does not matter to them. Of no rows none is left out, in whatever order they
 * would come; a prop's limit is of no account where it has room. Sources: each use of `dir` and `namespace` in ApiQuery*.php
 * of 1.35, 1.39 and 1.43.
 */
import { hasMember } from '../json/json-tree.ts'
import { checksOf, hasQuirk } from '../knowledge/module-quirks.ts'
import type { WikiFacts } from '../request/derive.ts'
import type { CanonicalRequest } from '../request/request-key.ts'
import { paramOf } from '../wiki/modules/active-modules.ts'
import { isPlainTitle, splitValues, valuesOf } from '../wiki/parameters/request-params.ts'
import { fromListing, restOfListing } from './answer-from.ts'
import type { Listing } from './joining/listing.ts'
import type { Listings } from './joining/listings.ts'
import { propsFit } from './reading/answer-chain.ts'
import { isAtStart, showsNothing } from './reading/batch.ts'
import { limitIn } from './reading/limits.ts'
import {
  identityParams,
  type ListingRequest,
  narrowing
} from './reading/listing-request.ts'
import { requestDoubt, takesPlain, takesValues } from './reading/module-doubts.ts'
import { splitAnswer } from './reading/split-answer.ts'
import { rearranged } from './rearranged.ts'
import type { Synthesis } from './synthesis.ts'

export function fromAlike(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  for (const batches of listings.alike(request)) {
    const [{ request: recorded }] = batches
    const isFreeOf = (name: string) => isFree(name, request, recorded, facts)
    const isCertain = requestDoubt(recorded.params, facts) === undefined
    const names = differing(request, recorded)
    const isSame = isCertain && names.every(isFreeOf)
    const isPart = (name: string) => isFreeOf(name) || isNarrower(name, request, recorded)
    const listing = listings.find(recorded.identity)
    if (!listing || isUncertain(listing)) continue
    const found =
      (isCertain && names.every(isPart) ? ofNothing(request, listing) : undefined) ??
      (isSame ? rearranged(request, listing, facts) : undefined) ??
      withOtherLimits(request, listing, facts)
    if (found) return found
  }
  return undefined
}

/** Recordings that contradict each other, or warnings, which may be of what differs. */
const isUncertain = ({ conflicts, frames }: Listing) =>
  conflicts.length > 0 ||
  frames.clash !== undefined ||
  [...frames.byShape.values()].some(({ frame }) => hasMember(frame, 'warnings'))

function ofNothing(request: ListingRequest, listing: Listing): Synthesis | undefined {
  const { startName, driver, params } = request
  const isFrom = params.get(`${driver.prefix}from`) === startName
  const mayBegin = isFrom && !isChecked(driver.module, 'from', startName)
  const empty = listing.batches.find((one) => {
    const from = one.request.startName
    return showsNothing(one) && (from === startName || (from === undefined && mayBegin))
  })
  if (!empty || !isAtStart(request) || hasQuirk('fills-pages', driver.module))
    return undefined
  const asRecorded = { identity: listing.identity, startName: empty.request.startName }
  return restOfListing({ ...request, ...asRecorded }, listing)
}

/** True where a request asks for fewer rows, or for other members of rows: of none there are none. */
function isNarrower(name: string, request: ListingRequest, recorded: ListingRequest) {
  const param = paramOf(request.driver, name)
  const own = param?.name ?? ''
  const [ours, theirs] = [request, recorded].map(({ params }) => params.get(name))
  if (!param || !narrowing.includes(own) || isChecked(request.driver.module, own, ours))
    return false
  const accepts = (value?: string) =>
    value === undefined || takesPlain(param, value, undefined)
  if (own === 'prop') return accepts(ours) && accepts(theirs)
  const isOfAll = theirs === undefined && [undefined, 'all'].includes(param.default)
  return isOfAll && accepts(ours)
}

/** True where the module may refuse the request for this parameter. */
const isChecked = (module: string, param: string, value = '') =>
  checksOf(module)?.every(
    ([code, ...names]) =>
      ![`${param}?`, '*'].some((name) => names.includes(name)) &&
      (!names.includes(param) || (code === 'invalidtitle' && isPlainTitle(value)))
  ) !== true

/** Of a generator's pages each prop says all in one answer, if its limit has room for what it says of them. */
function withOtherLimits(
  request: ListingRequest,
  listing: Listing,
  facts: WikiFacts
): Synthesis | undefined {
  const { driver, identity, inner } = request
  const [{ request: recorded }] = listing.batches
  const names = differing(request, recorded)
  const areLimits = names.every((name) =>
    [request, recorded].every(({ params }) =>
      isPropLimit(name, params, facts.lookup, true)
    )
  )
  const isOther = driver.kind === 'generator' && identity !== recorded.identity
  if (!isOther || !areLimits || inner.size > 0) return undefined
  if (requestDoubt(request.params, facts) !== undefined) return undefined
  const found = fromListing({ ...request, identity: recorded.identity }, listing, facts)
  const answer = found.kind === 'synthesized' && splitAnswer(found.body, driver)
  if (!answer || typeof answer === 'string' || answer.inner) return undefined
  return propsFit(request, answer.rows, [], facts.lookup) ? found : undefined
}

/** The parameters that two listings do not have alike. */
function differing(one: ListingRequest, other: ListingRequest): readonly string[] {
  const [ours, theirs] = [one, other].map(
    ({ identity }) => new Map(identityParams(identity))
  )
  const names = new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])
  return [...names].filter((name) => ours?.get(name) !== theirs?.get(name))
}

/** True where a listing without rows has none either if it differs in this parameter. */
function isFree(
  name: string,
  request: ListingRequest,
  recorded: ListingRequest,
  { lookup, site }: WikiFacts
): boolean {
  const { module, prefix, description, kind } = request.driver
  const described = paramOf(request.driver, name)
  if (!described)
    return (
      kind === 'generator' &&
      [request, recorded].every((one) => isPropLimit(name, one.params, lookup))
    )
  const [ours, theirs] = [request, recorded].map(({ params }) => params.get(name))
  const isAccepted = [ours, theirs].every(
    (value) => value === undefined || takesValues(described, value, site)
  )
  if (!isAccepted) return false
  // From where to where a list goes depends on its direction.
  if (described.name === 'dir')
    return (
      !hasQuirk('newest-of-each', module) &&
      ![...description.parameters.keys()].some(
        (one) => bounds.test(one) && request.params.has(prefix + one)
      )
    )
  if (described.name !== 'namespace' || ours === undefined) return false
  // With some parameters of a list the wiki refuses any namespace.
  const isFilter = description.group === 'prop' || hasQuirk('late-filters', module)
  if (theirs === undefined) return isFilter && described.default === undefined
  const all = splitValues(theirs)
  return splitValues(ours).every((one) => all.includes(one))
}

/** Props that leave out rows beyond their limit without a word. */
const cutting = ['newest-of-each', 'cuts-files'] as const

/** Also sort keys and ids (`startsortkeyprefix`, `endid`), and titles (`fromtitle`). */
const bounds = /^(?:start|end|from|to)/

/** True for a limit that the wiki neither changes nor warns of, and that changes nothing but how many rows there are. */
const isPropLimit = (
  name: string,
  params: CanonicalRequest,
  lookup: WikiFacts['lookup'],
  hasPages = false
) =>
  valuesOf(params, 'prop').some((module) => {
    const description = lookup(`query+${module}`)
    if (
      name !== `${description?.prefix}limit` ||
      !description ||
      !hasQuirk('own-class', module) ||
      (hasPages && cutting.some((quirk) => hasQuirk(quirk, module)))
    )
      return false
    const limit = limitIn(params, {
      kind: 'prop',
      module,
      prefix: description.prefix,
      description
    })
    return !params.has(name) || (typeof limit === 'object' && limit.kind === 'number')
  })
