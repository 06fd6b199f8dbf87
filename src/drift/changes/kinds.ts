/** The kinds of changes, and how bad each is for a correct client. `docs/drift.md` has their table in prose. */
import type data from '../../recorder/knowledge/data/kinds-of-changes.json'
import { dataFile } from '../../recorder/knowledge/data-file.ts'

/** From what can break or silently lose data for a correct client, down to what varies by itself. */
export const severities = [
  'breaking',
  'risky',
  'additive',
  // A change of the contract that no recorded request uses, or a slower answer.
  'note',
  'cosmetic',
  'noise'
] as const
export type Severity = (typeof severities)[number]

/** How the wiki answers, how it describes its own modules, and the wiki's content. */
export type Axis = 'behaviour' | 'contract' | 'data'

export interface Rating {
  readonly severity: Severity
  readonly axis: Axis
}

/** Changes of answers, and of how the wiki describes its own modules: each has a row in `kinds-of-changes.json`. */
export type Kind = keyof (typeof data)['behaviour'] | keyof (typeof data)['contract']

/** What a kind is about: the part of its name before the dot. */
type KindFamily = Kind extends `${infer Family}.${string}` ? Family : never

type Trait =
  /** Another form, not another value. */
  | 'form'
  /** Nothing but another value. */
  | 'value'
  /** A list of settings, or a setting, is another. */
  | 'setting'
  /** Another parser can cause it. */
  | 'parser'
  /** A limit, or the default of one, is another. */
  | 'limit'
  /** Of values that may be the wiki's settings. */
  | 'configurable'
  /** An answer has it no more if it is another one. */
  | 'answer'
  /** Of one member, whose name and place stay. */
  | 'member'
  /** Of texts for people. */
  | 'prose'
  /** About an answer or a wiki as a whole, or with words that name what it is about. */
  | 'whole'
  /** One decision for all requests. */
  | 'everywhere'
  /** Another note is another finding. */
  | 'marked'

/** A row of the table of kinds, `src/recorder/knowledge/data/kinds-of-changes.json`; `data` is content: cosmetic, and on an axis of its own. */
export interface KindRow {
  readonly severity: Severity | 'data'
  /** A few words for a heading: what happened, seen from A to B. */
  readonly words: string
  /** The other severity that a change of this kind can have. */
  readonly otherwise?: Severity | 'data'
  /** The condition of the other severity; unless given, that no recorded request uses it. */
  readonly when?: string
  /**
   * What of a change an acceptance depends on: each value that came or went; the label of the item that did; its note; or
   * the types of both sides, of two texts or numbers how they differ. Unless given, the kind says it all.
   */
  readonly extent?: 'values' | 'item' | 'note' | 'types'
  /** What findings of one cause share; undefined if each finding is a cause of its own. */
  readonly reason?: string
  /** What distinguishes findings of this reason: names in braces are those of `reason-by-kind.ts`. */
  readonly detail?: string
  /** True if an edit, a move, a deletion or a block can cause it. */
  readonly canBeContent?: true
  /** Of `Trait`. */
  readonly traits?: string
}

/** The rating of content, which changes without any change of the software. */
export const contentRating: Rating = { severity: 'cosmetic', axis: 'data' }

const table = dataFile('kinds-of-changes') as Record<Axis, Record<string, KindRow>>

export const kinds: Readonly<Record<Kind, KindRow>> = {
  ...table.behaviour,
  ...table.contract
} as Record<Kind, KindRow>

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

export const familyOf = (kind: Kind): KindFamily =>
  kind.slice(0, kind.indexOf('.')) as KindFamily

export const hasTrait = (kind: Kind, trait: Trait): boolean =>
  kinds[kind].traits?.split(' ').includes(trait) === true

export function ratingOf(kind: Kind, other = false): Rating {
  const { severity: usual, otherwise = usual } = kinds[kind]
  const severity = other ? otherwise : usual
  const axis = kind in table.contract ? 'contract' : 'behaviour'
  return severity === 'data' ? contentRating : { severity, axis }
}

/** The rating of what no content explains; of some kinds all is content. */
export function behaviourRatingOf(kind: Kind): Rating {
  const rating = ratingOf(kind)
  return rating.axis === 'data' ? ratingOf(kind, true) : rating
}

/** Negative if `a` is worse. */
export const bySeverity = (a: Severity, b: Severity): number =>
  severities.indexOf(a) - severities.indexOf(b)
