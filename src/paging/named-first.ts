/**
 * The order of a generator's pages where no rule explains its continue values as a whole (category sort keys): a part of
 * each value may still be the id of the page to go on from. Where that is the first page written behind every recorded
 * boundary, though not the one with the least id, pages are written as the generator gives them. (Generators that find
 * ids and look their pages up get them by id; those that find titles have no page's id in their values.
 * Source: ApiPageSet::processDbRow, populateFromPageIDs, populateFromTitles)
 */
import { memberOf, numberOf } from '../json/tree.ts'
import { type Batch, sentBack } from './batch.ts'
import { rowsInOrder } from './row-order.ts'

/** How much rarer than one in this many a coincidence must be: the first of ten pages is the named one by chance in one of ten. */
const enough = 1000

/** True where the continue values prove that pages are written in the order of the generator. */
export function namesFirstPages(batches: readonly Batch[]): boolean {
  const boundaries = boundariesOf(batches)
  const width = Math.max(0, ...boundaries.map(({ parts }) => parts.length))
  return Array.from({ length: width }, (_, at) => at).some(
    (at) => boundaries.every(({ parts, first }) => parts[at] === first) && oddsOf(boundaries) >= enough,
  )
}

interface Boundary {
  /** The parts of the continue value. */
  readonly parts: readonly string[]
  /** Id of the first page written behind it. */
  readonly first: string
  /** Rows of that batch; 1 where they tell nothing, since by id the same page would come first. */
  readonly choices: number
}

/** Each continue value that a recorded batch begins at. */
function boundariesOf(batches: readonly Batch[]): readonly Boundary[] {
  const begun = new Map(batches.map((batch) => [batch.at, batch]))
  const found = new Map<string, Boundary>()
  for (const { to, cut } of batches) {
    const behind = to === undefined ? undefined : begun.get(to)
    const [value, second] = cut.next?.values.values() ?? []
    const first = numberOf(memberOf(behind?.cut.rows[0]?.item, 'pageid'))
    if (to === undefined || behind === undefined || value === undefined || second !== undefined) continue
    const parts = sentBack(value).split('|')
    found.set(to, { parts, first: first === undefined ? 'none' : String(first), choices: choicesIn(behind) })
  }
  return [...found.values()]
}

const choicesIn = (batch: Batch): number => {
  const { rows } = batch.cut
  return rowsInOrder(batch, 'id')?.[0] === rows[0] ? 1 : rows.length
}

const oddsOf = (boundaries: readonly Boundary[]): number =>
  boundaries.reduce((odds, { choices }) => odds * choices, 1)
