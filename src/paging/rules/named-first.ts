/**
 * The order of a generator's pages where no rule explains its continue values as a whole (category sort keys): a part of
 * each value may still be the id of the page to go on from. Where that is the first page written behind every recorded
 * boundary, though not the one with the least id, pages are written as the generator gives them. (Generators that find
 * ids and look their pages up get them by id; those that find titles have no page's id in their values.
 * Source: ApiPageSet::processDbRow, populateFromPageIDs, populateFromTitles)
 */

import { memberOf, numberOf } from '../../json/tree.ts'
import type { Batch } from '../reading/batch.ts'
import { rowsInOrder } from './row-order.ts'

/** How much rarer than one in this many a coincidence must be: the first of ten pages is the named one by chance in one of ten. */
const enough = 1000

/** True where the continue values prove that pages are written in the order of the generator. */
export function namesFirstPages(batches: readonly Batch[]): boolean {
  const continued = continuedIn(batches)
  if (continued.reduce((odds, batch) => odds * choicesIn(batch), 1) < enough) return false
  const named = continued.map((batch) => [partsOf(batch), firstOf(batch)] as const)
  const width = Math.max(...named.map(([parts]) => parts.length))
  return Array.from({ length: width }, (_, at) => at).some((at) =>
    named.every(([parts, first]) => first !== undefined && parts[at] === first),
  )
}

/** Batches that begin at a continue value of a recorded one; a place counts once. */
function continuedIn(batches: readonly Batch[]): readonly Batch[] {
  const given = new Set(batches.map(({ to }) => to))
  const begun = batches.filter(({ at, request }) => given.has(at) && request.cursor.size === 1)
  return [...new Map(begun.map((batch) => [batch.at, batch])).values()]
}

const partsOf = ({ request }: Batch): readonly string[] => [...request.cursor.values()].join().split('|')

/** Id of the page written first, as a continue value holds it; undefined where that page does not exist. */
const firstOf = ({ cut }: Batch): string | undefined => {
  const id = numberOf(memberOf(cut.rows[0]?.item, 'pageid'))
  return id === undefined ? undefined : String(id)
}

/** How many pages could have come first by chance; 1 where that tells nothing, since by id the same one would. */
const choicesIn = (batch: Batch): number => {
  const { rows } = batch.cut
  return rowsInOrder(batch, 'id')?.[0] === rows[0] ? 1 : rows.length
}
