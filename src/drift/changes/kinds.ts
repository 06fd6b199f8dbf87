/** The kinds of changes, and how bad each is for a correct client. */
import { dataFile } from '../../recorder/knowledge/data-file.ts'
import type { AnswerKind, ContractKind } from './kind-names.ts'
import type { KindRow, RatingName, Severity } from './kind-row.ts'

/** Worst first. `note`: a change of the contract that no recorded request uses, or a slower answer. */
export const severities: readonly Severity[] = [
  'breaking',
  'risky',
  'additive',
  'note',
  'cosmetic',
  'noise',
]

/** How the wiki answers, how it describes its own modules, and the wiki's content. */
export type Axis = 'behaviour' | 'contract' | 'data'

export interface Rating {
  readonly severity: Severity
  readonly axis: Axis
}

export type Kind = AnswerKind | ContractKind

/** What a kind is about: the part of its name before the dot. */
export type KindFamily = Kind extends `${infer Family}.${string}` ? Family : never

export interface KindRule extends Omit<KindRow, 'severity' | 'otherwise' | 'when'> {
  readonly rating: Rating
  /** The other rating that this kind can have, and its condition. */
  readonly other?: Rating & { readonly when: string }
  readonly family: KindFamily
}

/** The rating of content, which changes without any change of the software. */
export const contentRating: Rating = { severity: 'cosmetic', axis: 'data' }

type KindRows = Readonly<
  Record<'behaviour' | 'contract', Readonly<Record<string, KindRow>>>
>

function ruleOf(kind: string, axis: Axis, row: KindRow): KindRule {
  const { severity, otherwise, when = 'no recorded request uses it', ...rest } = row
  const ratingBy = (name: RatingName): Rating =>
    name === 'data' ? contentRating : { severity: name, axis }

  const family = kind.slice(0, kind.indexOf('.')) as KindFamily
  const rule = { ...rest, family, rating: ratingBy(severity) }
  return otherwise === undefined
    ? rule
    : { ...rule, other: { ...ratingBy(otherwise), when } }
}

function rulesOf(axis: keyof KindRows): readonly (readonly [string, KindRule])[] {
  const rows = (dataFile('kinds-of-changes') as KindRows)[axis]
  return Object.entries(rows).map(([kind, row]) => [kind, ruleOf(kind, axis, row)])
}

export const kinds: Readonly<Record<Kind, KindRule>> = Object.fromEntries([
  ...rulesOf('behaviour'),
  ...rulesOf('contract'),
]) as Record<Kind, KindRule>

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

export const familyOf = (kind: Kind): KindFamily => kinds[kind].family

export function ratingOf(kind: Kind, other = false): Rating {
  const rule = kinds[kind]
  const { severity, axis } = other ? (rule.other ?? rule.rating) : rule.rating
  return { severity, axis }
}

/** The rating of what no content explains; of some kinds all is content. */
export function behaviourRatingOf(kind: Kind): Rating {
  const rating = ratingOf(kind)
  return rating.axis === 'data' ? ratingOf(kind, true) : rating
}

/** Negative if `a` is worse. */
export const bySeverity = (a: Severity, b: Severity): number =>
  severities.indexOf(a) - severities.indexOf(b)
