/** A row of the table of kinds, `src/recorder/knowledge/data/kinds-of-changes.json`. `docs/drift.md` has it in prose. */

/** From what can break or silently lose data for a correct client, down to what varies by itself. */
export type Severity = 'breaking' | 'risky' | 'additive' | 'note' | 'cosmetic' | 'noise'

/** What of a change an acceptance depends on. */
export type ExtentSource =
  /** Each value that came or went. */
  | 'values'
  /** The label of the item that came or went. */
  | 'item'
  /** Its note, which says what became what. */
  | 'note'
  /** The types of both sides; of two texts or numbers, how they differ. */
  | 'types'

/** What findings of one cause share, besides what `reason-by-kind.ts` adds by each of these names. */
export type ReasonName =
  | 'transport'
  | 'configuration'
  | 'slower'
  | 'cookies'
  | 'header'
  | 'error codes'
  | 'error'
  | 'warning'
  | 'continue values'
  | 'rows'
  | 'everywhere'
  | 'field gone'
  | 'field new'
  | 'null'
  | 'name'
  | 'moved'
  | 'form'
  | 'closed set'
  | 'order'
  | 'markup'
  | 'value'
  | 'text'
  | 'right'

/** `data` is content: cosmetic, and on an axis of its own. */
export type RatingName = Severity | 'data'

export interface KindRow {
  readonly severity: RatingName
  /** A few words for a heading: what happened, seen from A to B. */
  readonly words: string
  /** The other severity that a change of this kind can have. */
  readonly otherwise?: RatingName
  /** The condition of the other severity; unless given, that no recorded request uses it. */
  readonly when?: string
  /** Unless given, the kind says it all. */
  readonly extent?: ExtentSource
  /** Undefined if each finding is a cause of its own. */
  readonly reason?: ReasonName
  /** True if an edit, a move, a deletion or a block can cause it. */
  readonly canBeContent?: true
}
