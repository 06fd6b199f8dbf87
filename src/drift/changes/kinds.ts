/** The kinds of changes, and how bad each is for a correct client. `docs/drift.md` is this table in prose. */

/** From what can break or silently lose data for a correct client, down to what varies by itself. */
export type Severity = 'breaking' | 'risky' | 'additive' | 'note' | 'cosmetic' | 'noise'

/** Worst first. `note`: a change of the contract that no recorded request uses, or a slower answer. */
export const severities: readonly Severity[] = ['breaking', 'risky', 'additive', 'note', 'cosmetic', 'noise']

/** How the wiki answers, how it describes its own modules, and the wiki's content. */
export type Axis = 'behaviour' | 'contract' | 'data'

export interface Rating {
  readonly severity: Severity
  readonly axis: Axis
}

export interface KindRule {
  readonly rating: Rating
  /** The other rating that this kind can have, and when. */
  readonly other?: Rating & { readonly when: string }
  /** A few words for a heading: what happened, seen from A to B. */
  readonly words: string
}

/** `data` is cosmetic, and on an axis of its own. */
type RatingName = Severity | 'data'
/** How a kind is rated, and in words what happened; where it can be rated otherwise, how and when. */
type KindRow = readonly [rated: RatingName, words: string, otherwise?: RatingName, when?: string]

const answerKinds = {
  'status.changed': ['breaking', 'HTTP status changed'],
  'answer.slower': ['note', 'answer takes five times as long, or longer'],
  'content-type.changed': ['breaking', 'another kind of body'],
  'error.appeared': ['breaking', 'an error instead of a result'],
  'error.disappeared': ['risky', 'a result instead of an error'],
  'error.code-changed': ['breaking', 'error code changed'],
  'error.envelope': ['breaking', 'errors in another form'],
  'auth.required': ['breaking', 'now needs a token or a right'],
  'auth.dropped': ['risky', 'no longer needs a token or a right'],
  'method.required': ['breaking', 'now needs POST'],
  'method.dropped': ['risky', 'no longer needs POST'],
  'warning.appeared': ['risky', 'new warning', 'breaking', 'it says that what was sent is not understood'],
  'deprecation.appeared': ['risky', 'now deprecated'],
  'warning.removed': ['cosmetic', 'warning gone'],
  'warning.envelope': ['risky', 'warnings in another form'],
  'continuation.format': ['breaking', 'continuation in another form'],
  'continuation.param': ['breaking', 'continuation parameter changed'],
  'continuation.value-shape': ['risky', 'continue values in another shape'],
  'continuation.batch': ['risky', 'batch boundaries changed'],
  'field.removed': ['breaking', 'field removed', 'risky', 'not every sample of A had it'],
  'field.added': ['additive', 'field added'],
  'field.renamed': ['breaking', 'field renamed'],
  'field.moved': ['breaking', 'field moved'],
  'field.became-optional': ['breaking', 'field no longer always there'],
  'field.became-present': ['additive', 'field now always there'],
  'field.nullable': ['breaking', 'field may now be null'],
  'field.non-null': ['additive', 'field no longer null'],
  'type.changed': ['breaking', 'another type'],
  'encoding.flag': ['breaking', 'flags spelled differently ("" or true, absent or false)'],
  'encoding.map-array': ['breaking', 'map became array, or the reverse'],
  'encoding.star': ['breaking', '"*" became a plain or named value, or the reverse'],
  'encoding.empty': ['risky', 'empty [] became {}, or the reverse'],
  'enum.value-added': ['risky', 'new value in a closed set'],
  'enum.value-removed': ['breaking', 'value removed from a closed set'],
  'enum.value-changed': ['breaking', 'another status word'],
  'items.fewer': ['data', 'items gone', 'risky', 'the request names them'],
  'items.more': ['data', 'items new', 'risky', 'the request names them'],
  'order.changed': ['risky', 'order changed', 'cosmetic', 'it is a set'],
  'order.by-id': ['data', 'order follows the page ids, which differ'],
  'order.by-rank': ['data', 'order follows a rank that content decides'],
  'value.format': ['breaking', 'value in another format'],
  'value.changed': ['risky', 'value changed', 'data', 'the field holds content'],
  'text.changed': ['cosmetic', 'text for people changed'],
  'body.changed': ['risky', 'a body changed that could not be read as its format'],
  'html.structure': ['risky', 'HTML markup changed', 'data', 'the answer is about another page'],
  'html.text': ['data', 'text inside HTML changed'],
  'html.comment': ['noise', 'HTML comment changed'],
  'header.removed': ['risky', 'header gone'],
  'header.added': ['additive', 'header new'],
  'header.changed': ['risky', 'header changed'],
  'cookie.changed': ['risky', 'cookies changed'],
  'interaction.missing': ['risky', 'recorded in A only: not compared', 'data', 'it only continues a listing'],
  'interaction.new': ['risky', 'recorded in B only: not compared', 'data', 'it only continues a listing'],
  'configuration.removed': ['risky', "the wiki's configuration: gone"],
  'configuration.added': ['risky', "the wiki's configuration: new"],
  'configuration.changed': ['risky', "the wiki's configuration: changed"],
  'stability.lost': ['risky', 'no longer the same each time'],
  'stability.gained': ['note', 'now the same each time'],
} as const

const contractKinds = {
  'engine.changed': ['note', 'another version of the engine'],
  'extension.removed': ['risky', "the wiki's configuration: extension gone"],
  'extension.added': ['risky', "the wiki's configuration: extension new"],
  'module.removed': ['breaking', 'module removed', 'note'],
  'module.added': ['additive', 'module added'],
  'module.deprecated': ['risky', 'module deprecated', 'note'],
  'module.undeprecated': ['additive', 'module no longer deprecated'],
  'module.post-required': ['breaking', 'module now needs POST', 'note'],
  'module.post-dropped': ['additive', 'module no longer needs POST'],
  'module.prefix-changed': ['breaking', 'parameters of the module have another prefix', 'note'],
  'module.right-needed': ['risky', 'module now needs the right to read or write', 'note'],
  'module.right-dropped': ['additive', 'module no longer needs the right to read or write'],
  'param.removed': ['breaking', 'parameter removed', 'note'],
  'param.added': ['additive', 'parameter added'],
  'param.deprecated': ['risky', 'parameter deprecated', 'note'],
  'param.undeprecated': ['additive', 'parameter no longer deprecated'],
  'param.required': ['breaking', 'parameter now required', 'note'],
  'param.optional': ['additive', 'parameter no longer required'],
  'param.type-changed': [
    'risky',
    'parameter of another type',
    'note',
    'unused, or it takes what the old one took',
  ],
  'param.single': ['breaking', 'parameter takes one value only', 'note'],
  'param.multi': ['additive', 'parameter takes several values'],
  'param.value-removed': ['breaking', 'allowed value removed', 'note'],
  'param.value-added': ['additive', 'allowed value added'],
  'param.value-deprecated': ['risky', 'allowed value deprecated', 'note'],
  'param.value-undeprecated': ['additive', 'allowed value no longer deprecated'],
  'param.default-changed': ['risky', 'default changed', 'note', 'unused, or it only asks for more members'],
  'param.limit-lowered': ['risky', 'limit lowered', 'note'],
  'param.limit-raised': ['additive', 'limit raised'],
  'param.min-raised': ['risky', 'minimum raised', 'note'],
  'param.min-lowered': ['additive', 'minimum lowered'],
  'param.subtype-removed': ['risky', 'a way to name users is gone', 'note'],
  'param.subtype-added': ['additive', 'another way to name users'],
  'param.sensitive': ['risky', 'parameter is now secret: only in the body of a POST', 'note'],
  'param.not-sensitive': ['additive', 'parameter is no longer secret'],
  'param.token-changed': ['risky', 'another token required', 'note'],
} as const

export type Kind = keyof typeof answerKinds | keyof typeof contractKinds

/** The rating of content, which changes without any change of the software. */
export const contentRating: Rating = { severity: 'cosmetic', axis: 'data' }

function ruleOf([name, words, other, when = 'no recorded request uses it']: KindRow, axis: Axis): KindRule {
  const rating = (one: RatingName): Rating => (one === 'data' ? contentRating : { severity: one, axis })
  const rule = { rating: rating(name), words }
  return other === undefined ? rule : { ...rule, other: { ...rating(other), when } }
}

const rulesOf = (rows: Readonly<Record<string, KindRow>>, axis: Axis): readonly [string, KindRule][] =>
  Object.entries(rows).map(([kind, row]) => [kind, ruleOf(row, axis)])

export const kinds: Readonly<Record<Kind, KindRule>> = Object.fromEntries([
  ...rulesOf(answerKinds, 'behaviour'),
  ...rulesOf(contractKinds, 'contract'),
]) as Record<Kind, KindRule>

export const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name)

export function ratingOf(kind: Kind, other = false): Rating {
  const entry = kinds[kind]
  const { severity, axis } = other ? (entry.other ?? entry.rating) : entry.rating
  return { severity, axis }
}

/** Negative where `a` is worse. */
export const bySeverity = (a: Severity, b: Severity): number => severities.indexOf(a) - severities.indexOf(b)
