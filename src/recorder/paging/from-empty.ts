/**
 * Of no rows none is left out: the answer to a request that differs from one without rows only in its limit, its order, or in
 * wanting less. Sources: each use of `dir` and `namespace` in ApiQuery*.php of 1.35, 1.39 and 1.43; props of no pages return
 * before they read a limit.
 */
import { hasQuirk } from '../knowledge/module-quirks.ts'
import type { WikiFacts } from '../request/derive.ts'
import type { CanonicalRequest } from '../request/request-key.ts'
import { splitValues, valuesOf } from '../wiki/parameters/request-params.ts'
import { restOfListing } from './answer-from.ts'
import type { Listings } from './joining/listings.ts'
import { isAtStart } from './reading/batch.ts'
import { limitIn } from './reading/limits.ts'
import { identityParams, type ListingRequest } from './reading/listing-request.ts'
import { requestDoubt, takesValues } from './reading/module-doubts.ts'
import type { Synthesis } from './synthesis.ts'

export function fromEmpty(
  request: ListingRequest,
  listings: Listings,
  facts: WikiFacts
): Synthesis | undefined {
  const { module } = request.driver
  if (!isAtStart(request) || hasQuirk('fills-pages', module)) return undefined
  for (const { request: recorded } of listings.empty()) {
    const { identity, startName } = recorded
    const isCounted = requestDoubt(recorded.params, facts) === undefined
    if (startName !== request.startName || !isCounted) continue
    if (
      !differing(request, recorded).every((name) =>
        isFree(name, request, recorded, facts)
      )
    )
      continue
    const listing = listings.find(identity)
    const isCertain = listing && listing.conflicts.length === 0 && !listing.frames.clash
    const found = isCertain ? restOfListing({ ...request, identity }, listing) : undefined
    if (found) return found
  }
  return undefined
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
  const own = name.startsWith(prefix) ? name.slice(prefix.length) : ''
  const described = description.parameters.get(own)
  if (!described)
    return (
      kind === 'generator' &&
      [request, recorded].every((one) => isPropLimit(name, one.params, lookup))
    )
  const [ours, theirs] = [request, recorded].map(({ params }) => params.get(name))
  const isTaken = [ours, theirs].every(
    (value) => value === undefined || takesValues(described, value, site)
  )
  if (!isTaken) return false
  // From where to where a list goes depends on its direction.
  if (own === 'dir')
    return (
      !hasQuirk('newest-of-each', module) &&
      !bounds.some((one) => request.params.has(prefix + one))
    )
  if (own !== 'namespace' || ours === undefined) return false
  // With some parameters of a list the wiki refuses any namespace.
  const isFilter = description.group === 'prop' || hasQuirk('late-filters', module)
  if (theirs === undefined) return isFilter && described.default === undefined
  const all = splitValues(theirs)
  return splitValues(ours).every((one) => all.includes(one))
}

const bounds = ['start', 'end', 'from', 'to', 'startid', 'endid']

/** True for a limit that the wiki neither changes nor warns of. */
const isPropLimit = (
  name: string,
  params: CanonicalRequest,
  lookup: WikiFacts['lookup']
) =>
  valuesOf(params, 'prop').some((module) => {
    const description = lookup(`query+${module}`)
    if (
      name !== `${description?.prefix}limit` ||
      !description ||
      !hasQuirk('own-class', module)
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
