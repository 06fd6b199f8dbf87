/**
 * What can drift, and how bad each is for a correct client: the one table kind → severity → words.
 * `docs/drift.md` is this table in prose.
 */

/** From what can break or silently lose data for a correct client, down to what varies by itself. */
export type Severity = 'breaking' | 'risky' | 'additive' | 'note' | 'cosmetic' | 'noise'

/** Worst first. `note`: a change of the contract that no recorded request touches. */
export const severities: readonly Severity[] = ['breaking', 'risky', 'additive', 'note', 'cosmetic', 'noise']

/** How the wiki answers, what it says of its own modules, and the wiki's content, which moves by nature. */
export type Axis = 'behaviour' | 'contract' | 'data'

/** A severity on an axis. */
export interface Rating {
  readonly severity: Severity
  readonly axis: Axis
}

/** How one kind is rated and worded. */
export interface KindRule {
  readonly rating: Rating
  /** The other rating that this kind can have, and when. */
  readonly other?: Rating & { readonly when: string }
  /** A few words for a heading: what happened, seen from A to B. */
  readonly words: string
}

const on =
  (axis: Axis) =>
  (severity: Severity): Rating => ({ severity, axis })
const answer: (severity: Severity) => Rating = on('behaviour')
const contract: (severity: Severity) => Rating = on('contract')
const data: Rating = { severity: 'cosmetic', axis: 'data' }

const rule = (rating: Rating, words: string): KindRule => ({ rating, words })
const twofold = (rating: Rating, other: Rating, when: string, words: string): KindRule => ({
  rating,
  other: { ...other, when },
  words,
})
/** A change of the contract: rated by whether a recorded request uses what changed. */
const used = (severity: Severity, words: string): KindRule =>
  twofold(contract(severity), contract('note'), 'no recorded request uses it', words)

/** What one change is, whatever it happened to: differences between answers. */
export type AnswerKind =
  | 'status.changed'
  | 'content-type.changed'
  | 'error.appeared'
  | 'error.disappeared'
  | 'error.code-changed'
  | 'error.envelope'
  | 'auth.required'
  | 'auth.dropped'
  | 'method.required'
  | 'method.dropped'
  | 'warning.appeared'
  | 'deprecation.appeared'
  | 'warning.removed'
  | 'warning.envelope'
  | 'continuation.format'
  | 'continuation.param'
  | 'continuation.value-shape'
  | 'continuation.batch'
  | 'field.removed'
  | 'field.added'
  | 'field.renamed'
  | 'field.moved'
  | 'field.became-optional'
  | 'field.became-present'
  | 'field.nullable'
  | 'field.non-null'
  | 'type.changed'
  | 'encoding.flag'
  | 'encoding.map-array'
  | 'encoding.star'
  | 'encoding.empty'
  | 'enum.value-added'
  | 'enum.value-removed'
  | 'enum.value-changed'
  | 'items.fewer'
  | 'items.more'
  | 'order.changed'
  | 'order.by-id'
  | 'order.by-rank'
  | 'value.format'
  | 'value.changed'
  | 'text.changed'
  | 'body.changed'
  | 'html.structure'
  | 'html.text'
  | 'html.comment'
  | 'header.removed'
  | 'header.added'
  | 'header.changed'
  | 'cookie.changed'
  | 'interaction.missing'
  | 'interaction.new'
  | 'stability.lost'
  | 'stability.gained'
  | 'number.within-tolerance'
  | 'key-order'

/** The same between two descriptions of modules. */
export type ContractKind =
  | 'engine.changed'
  | 'extension.removed'
  | 'extension.added'
  | 'module.removed'
  | 'module.added'
  | 'module.deprecated'
  | 'module.undeprecated'
  | 'module.post-required'
  | 'module.post-dropped'
  | 'module.prefix-changed'
  | 'module.right-needed'
  | 'module.right-dropped'
  | 'param.removed'
  | 'param.added'
  | 'param.deprecated'
  | 'param.undeprecated'
  | 'param.required'
  | 'param.optional'
  | 'param.type-changed'
  | 'param.single'
  | 'param.multi'
  | 'param.value-removed'
  | 'param.value-added'
  | 'param.value-deprecated'
  | 'param.value-undeprecated'
  | 'param.default-changed'
  | 'param.limit-lowered'
  | 'param.limit-raised'
  | 'param.min-raised'
  | 'param.min-lowered'
  | 'param.subtype-removed'
  | 'param.subtype-added'
  | 'param.sensitive'
  | 'param.not-sensitive'
  | 'param.token-changed'

export type Kind = AnswerKind | ContractKind

const answerKinds: Readonly<Record<AnswerKind, KindRule>> = {
  'status.changed': rule(answer('breaking'), 'HTTP status changed'),
  'content-type.changed': rule(answer('breaking'), 'another kind of body'),
  'error.appeared': rule(answer('breaking'), 'an error instead of a result'),
  'error.disappeared': rule(answer('risky'), 'a result instead of an error'),
  'error.code-changed': rule(answer('breaking'), 'error code changed'),
  'error.envelope': rule(answer('breaking'), 'errors in another form'),
  'auth.required': rule(answer('breaking'), 'now needs a token or a right'),
  'auth.dropped': rule(answer('risky'), 'no longer needs a token or a right'),
  'method.required': rule(answer('breaking'), 'now needs POST'),
  'method.dropped': rule(answer('risky'), 'no longer needs POST'),
  'warning.appeared': twofold(
    answer('risky'),
    answer('breaking'),
    'it says that something the request sent was not understood',
    'new warning',
  ),
  'deprecation.appeared': rule(answer('risky'), 'now deprecated'),
  'warning.removed': rule(answer('cosmetic'), 'warning gone'),
  'warning.envelope': rule(answer('risky'), 'warnings in another form'),
  'continuation.format': rule(answer('breaking'), 'continuation in another form'),
  'continuation.param': rule(answer('breaking'), 'continuation parameter changed'),
  'continuation.value-shape': rule(answer('risky'), 'continue values in another shape'),
  'continuation.batch': rule(answer('risky'), 'batches end elsewhere'),
  'field.removed': twofold(
    answer('breaking'),
    answer('risky'),
    'not every sample of A had it',
    'field removed',
  ),
  'field.added': rule(answer('additive'), 'field added'),
  'field.renamed': rule(answer('breaking'), 'field renamed'),
  'field.moved': rule(answer('breaking'), 'field moved'),
  'field.became-optional': rule(answer('breaking'), 'field no longer always there'),
  'field.became-present': rule(answer('additive'), 'field now always there'),
  'field.nullable': rule(answer('breaking'), 'field may now be null'),
  'field.non-null': rule(answer('additive'), 'field no longer null'),
  'type.changed': rule(answer('breaking'), 'another type'),
  'encoding.flag': rule(answer('breaking'), 'flags spelled otherwise ("" or true, absent or false)'),
  'encoding.map-array': rule(answer('breaking'), 'map became array, or the reverse'),
  'encoding.star': rule(answer('breaking'), '"*" became a plain or named value, or the reverse'),
  'encoding.empty': rule(answer('risky'), 'empty [] became {}, or the reverse'),
  'enum.value-added': rule(answer('risky'), 'new value in a closed set'),
  'enum.value-removed': rule(answer('breaking'), 'value gone from a closed set'),
  'enum.value-changed': rule(answer('breaking'), 'another status word'),
  'items.fewer': twofold(data, answer('risky'), 'the request names them', 'items gone'),
  'items.more': twofold(data, answer('risky'), 'the request names them', 'items new'),
  'order.changed': twofold(answer('risky'), answer('cosmetic'), 'it is a set', 'order changed'),
  'order.by-id': rule(data, 'order follows the page ids, which differ'),
  'order.by-rank': rule(data, 'order follows a rank that content decides'),
  'value.format': rule(answer('breaking'), 'value in another format'),
  'value.changed': twofold(answer('risky'), data, 'the field holds content', 'value changed'),
  'text.changed': rule(answer('cosmetic'), 'text for people changed'),
  'body.changed': rule(answer('risky'), 'a body changed that could not be read as its format'),
  'html.structure': twofold(answer('risky'), data, 'the answer is about another page', 'HTML markup changed'),
  'html.text': rule(data, 'text inside HTML changed'),
  'html.comment': rule(answer('noise'), 'HTML comment changed'),
  'header.removed': rule(answer('risky'), 'header gone'),
  'header.added': rule(answer('additive'), 'header new'),
  'header.changed': rule(answer('risky'), 'header changed'),
  'cookie.changed': rule(answer('risky'), 'cookies changed'),
  'interaction.missing': twofold(
    answer('risky'),
    data,
    'it goes on with a continue value of its own wiki',
    'recorded in A only: not compared',
  ),
  'interaction.new': twofold(
    answer('risky'),
    data,
    'it goes on with a continue value of its own wiki',
    'recorded in B only: not compared',
  ),
  'stability.lost': rule(answer('risky'), 'no longer the same each time'),
  'stability.gained': rule(answer('note'), 'now the same each time'),
  'number.within-tolerance': rule(answer('noise'), 'number within tolerance'),
  'key-order': rule(answer('noise'), 'members in another order'),
}

const contractKinds: Readonly<Record<ContractKind, KindRule>> = {
  'engine.changed': rule(contract('note'), 'another version of the engine'),
  'extension.removed': rule(contract('note'), 'extension gone'),
  'extension.added': rule(contract('additive'), 'extension new'),
  'module.removed': used('breaking', 'module removed'),
  'module.added': rule(contract('additive'), 'module added'),
  'module.deprecated': used('risky', 'module deprecated'),
  'module.undeprecated': rule(contract('additive'), 'module no longer deprecated'),
  'module.post-required': used('breaking', 'module now needs POST'),
  'module.post-dropped': rule(contract('additive'), 'module no longer needs POST'),
  'module.prefix-changed': used('breaking', 'parameters of the module have another prefix'),
  'module.right-needed': used('risky', 'module now needs the right to read or write'),
  'module.right-dropped': rule(contract('additive'), 'module no longer needs the right to read or write'),
  'param.removed': used('breaking', 'parameter removed'),
  'param.added': rule(contract('additive'), 'parameter added'),
  'param.deprecated': used('risky', 'parameter deprecated'),
  'param.undeprecated': rule(contract('additive'), 'parameter no longer deprecated'),
  'param.required': used('breaking', 'parameter now required'),
  'param.optional': rule(contract('additive'), 'parameter no longer required'),
  'param.type-changed': twofold(
    contract('risky'),
    contract('note'),
    'no recorded request uses it, or the new type takes what the old one took',
    'parameter of another type',
  ),
  'param.single': used('breaking', 'parameter takes one value only'),
  'param.multi': rule(contract('additive'), 'parameter takes several values'),
  'param.value-removed': used('breaking', 'allowed value removed'),
  'param.value-added': rule(contract('additive'), 'allowed value added'),
  'param.value-deprecated': used('risky', 'allowed value deprecated'),
  'param.value-undeprecated': rule(contract('additive'), 'allowed value no longer deprecated'),
  'param.default-changed': used('risky', 'default changed'),
  'param.limit-lowered': used('risky', 'limit lowered'),
  'param.limit-raised': rule(contract('additive'), 'limit raised'),
  'param.min-raised': used('risky', 'least number raised'),
  'param.min-lowered': rule(contract('additive'), 'least number lowered'),
  'param.subtype-removed': used('risky', 'a way to name users is gone'),
  'param.subtype-added': rule(contract('additive'), 'another way to name users'),
  'param.sensitive': used('risky', 'parameter is now secret: only in the body of a POST'),
  'param.not-sensitive': rule(contract('additive'), 'parameter is no longer secret'),
  'param.token-changed': used('risky', 'another token wanted'),
}

/** The table. */
export const kinds: Readonly<Record<Kind, KindRule>> = { ...answerKinds, ...contractKinds }

/** Rating of a kind, or its other rating where it has one. */
export function ratingOf(kind: Kind, other = false): Rating {
  const entry = kinds[kind]
  const { severity, axis } = other ? (entry.other ?? entry.rating) : entry.rating
  return { severity, axis }
}

/** Negative where `a` is worse. */
export const bySeverity = (a: Severity, b: Severity): number => severities.indexOf(a) - severities.indexOf(b)
