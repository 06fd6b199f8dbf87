/** Lists of all links, where wikis contradict themselves: what a batch holds depends on where the one before it was cut. */

import { isOdd, oddSince } from '../../knowledge/oddities.ts'
import type { WikiFacts } from '../../request/derive.ts'
import { isSince } from '../../wiki/version.ts'
import { type Batch, sentBack } from '../reading/batch.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import { isAllLinks } from '../reading/unusable.ts'

/** True where recorded batches, whatever they are, prove nothing of others. */
export function mayContradict(request: ListingRequest, { site }: WikiFacts): boolean {
  const old = site?.generator !== undefined && !isSince(site.generator, oddSince('by-target'))
  return isOdd('by-target', request.driver.module) && param(request, 'unique') !== undefined && !old
}

/** True where these batches show such an order. */
export function contradictsItself(batches: readonly Batch[]): boolean {
  const [first] = batches
  if (first === undefined || !isAllLinks(first.request.driver)) return false
  const descends = param(first.request, 'dir') === 'descending'
  return (descends || batches.some(({ request }) => request.from !== undefined)) && goesByTarget(batches)
}

const param = ({ params, driver }: ListingRequest, name: string): string | undefined =>
  params.get(driver.prefix + name)

/** Values of two numbers: ids of the target and of the page that links to it. */
function goesByTarget(batches: readonly Batch[]): boolean {
  const values = batches.flatMap(({ cut }) => [...(cut.next?.values.values() ?? [])].map(sentBack))
  return values.length > 0 && values.every((value) => /^\d+\|\d+$/.test(value))
}
