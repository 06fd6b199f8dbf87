/**
 * Lists of all links, where wikis contradict themselves. From 1.41 on some are sorted by an id of the target, always
 * ascending, and go on by title, or downwards: what their batches hold then depends on where they were cut.
 * Source: ApiQueryAllLinks::run
 */
import { memberOf, textOf } from '../json/tree.ts'
import { type Batch, sentBack } from './batch.ts'
import { isAllLinks, type ListingRequest } from './listing-request.ts'
import { compareUtf8 } from './row-order.ts'
import { dbKey } from './rule.ts'

/** True where recorded batches of such a list prove nothing of what others would hold. */
export function contradictsItself(batches: readonly Batch[]): boolean {
  const [first] = batches
  if (first === undefined || !isAllLinks(first.request.driver)) return false
  if (param(first.request, 'unique') !== undefined) return !batches.every(byTitle)
  const turned = param(first.request, 'dir') === 'descending' || batches.some(({ request }) => request.from)
  return turned && goesByTarget(batches)
}

const param = ({ params, driver }: ListingRequest, name: string): string | undefined =>
  params.get(driver.prefix + name)

/** Values of two numbers: ids of the target and of the page that links to it. */
function goesByTarget(batches: readonly Batch[]): boolean {
  const values = batches.flatMap(({ cut }) => [...(cut.next?.values.values() ?? [])].map(sentBack))
  return values.length > 0 && values.every((value) => /^\d+\|\d+$/.test(value))
}

function byTitle({ cut, request }: Batch): boolean {
  const sign = param(request, 'dir') === 'descending' ? -1 : 1
  const titles = cut.rows.map(({ item }) => dbKey(textOf(memberOf(item, 'title')) ?? ''))
  return titles.every((title, at) => sign * compareUtf8(titles[at - 1] ?? title, title) <= 0)
}
