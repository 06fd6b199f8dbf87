/** What is known of each kind of change, as data. `docs/drift.md` has it in prose. */

/** From what can break or silently lose data for a correct client, down to what varies by itself. */
export type Severity = 'breaking' | 'risky' | 'additive' | 'note' | 'cosmetic' | 'noise'

/** What of a change an acceptance depends on. */
type ExtentSource =
  /** Each value that came or went. */
  | 'values'
  /** The label of the item that came or went. */
  | 'item'
  /** Its note, which says what became what. */
  | 'note'
  /** The types of both sides; of two texts or numbers, how they differ. */
  | 'types'
  /** Nothing: the kind says it all. */
  | 'nothing'

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
  /** The condition of the other severity. */
  readonly when?: string
  readonly extent: ExtentSource
  /** Undefined if each finding is a cause of its own. */
  readonly reason?: ReasonName
  /** True if an edit, a move, a deletion or a block can cause it. */
  readonly canBeContent?: true
}

/** Changes of answers. */
const answerKinds = {
  'status.changed': {
    severity: 'breaking',
    words: 'HTTP status changed',
    extent: 'types',
    reason: 'transport',
  },
  'answer.slower': {
    severity: 'note',
    words: 'answer takes five times as long, or longer',
    extent: 'nothing',
    reason: 'slower',
  },
  'content-type.changed': {
    severity: 'breaking',
    words: 'another kind of body',
    extent: 'types',
    reason: 'transport',
  },
  'error.appeared': {
    severity: 'breaking',
    words: 'an error instead of a result',
    extent: 'nothing',
    reason: 'error',
  },
  'error.disappeared': {
    severity: 'risky',
    words: 'a result instead of an error',
    extent: 'nothing',
    reason: 'error',
  },
  'error.code-changed': {
    severity: 'breaking',
    words: 'error code changed',
    extent: 'nothing',
    reason: 'error codes',
  },
  'error.envelope': {
    severity: 'breaking',
    words: 'errors in another form',
    extent: 'note',
    reason: 'error codes',
  },
  'auth.required': {
    severity: 'breaking',
    words: 'now needs a token or a right',
    extent: 'nothing',
    reason: 'error',
  },
  'auth.dropped': {
    severity: 'risky',
    words: 'no longer needs a token or a right',
    extent: 'nothing',
    reason: 'error',
  },
  'method.required': {
    severity: 'breaking',
    words: 'now needs POST',
    extent: 'nothing',
    reason: 'error',
  },
  'method.dropped': {
    severity: 'risky',
    words: 'no longer needs POST',
    extent: 'nothing',
    reason: 'error',
  },
  'warning.appeared': {
    severity: 'risky',
    words: 'new warning',
    otherwise: 'breaking',
    when: 'it says that what was sent is not understood',
    extent: 'nothing',
    reason: 'warning',
  },
  'deprecation.appeared': {
    severity: 'risky',
    words: 'now deprecated',
    extent: 'nothing',
    reason: 'warning',
  },
  'warning.removed': {
    severity: 'cosmetic',
    words: 'warning gone',
    extent: 'nothing',
    reason: 'warning',
  },
  'warning.envelope': {
    severity: 'risky',
    words: 'warnings in another form',
    extent: 'nothing',
    reason: 'warning',
  },
  'continuation.format': {
    severity: 'breaking',
    words: 'continuation in another form',
    extent: 'note',
    reason: 'everywhere',
  },
  'continuation.param': {
    severity: 'breaking',
    words: 'continuation parameter changed',
    extent: 'note',
    reason: 'everywhere',
  },
  'continuation.value-shape': {
    severity: 'risky',
    words: 'continue values in another shape',
    extent: 'note',
    reason: 'continue values',
    canBeContent: true,
  },
  'continuation.batch': {
    severity: 'risky',
    words: 'batch boundaries changed',
    extent: 'types',
    reason: 'rows',
    canBeContent: true,
  },
  'field.removed': {
    severity: 'breaking',
    words: 'field removed',
    otherwise: 'risky',
    when: 'not every sample of A had it',
    extent: 'types',
    reason: 'field gone',
    canBeContent: true,
  },
  'field.added': {
    severity: 'additive',
    words: 'field added',
    extent: 'types',
    reason: 'field new',
    canBeContent: true,
  },
  'field.renamed': { severity: 'breaking', words: 'field renamed', extent: 'note', reason: 'name' },
  'field.moved': { severity: 'breaking', words: 'field moved', extent: 'note', reason: 'moved' },
  'field.became-optional': {
    severity: 'breaking',
    words: 'field no longer always there',
    extent: 'types',
    reason: 'field gone',
    canBeContent: true,
  },
  'field.became-present': {
    severity: 'additive',
    words: 'field now always there',
    extent: 'types',
    reason: 'field new',
    canBeContent: true,
  },
  'field.nullable': {
    severity: 'breaking',
    words: 'field may now be null',
    extent: 'types',
    reason: 'null',
    canBeContent: true,
  },
  'field.non-null': {
    severity: 'additive',
    words: 'field no longer null',
    extent: 'types',
    reason: 'null',
    canBeContent: true,
  },
  'type.changed': {
    severity: 'breaking',
    words: 'another type',
    extent: 'note',
    reason: 'form',
    canBeContent: true,
  },
  'encoding.flag': {
    severity: 'breaking',
    words: 'flags spelled differently ("" or true, absent or false)',
    extent: 'nothing',
    reason: 'everywhere',
  },
  'encoding.map-array': {
    severity: 'breaking',
    words: 'map became array, or the reverse',
    extent: 'nothing',
    reason: 'everywhere',
  },
  'encoding.star': {
    severity: 'breaking',
    words: '"*" became a plain or named value, or the reverse',
    extent: 'nothing',
    reason: 'everywhere',
  },
  'encoding.empty': {
    severity: 'risky',
    words: 'empty [] became {}, or the reverse',
    extent: 'nothing',
    reason: 'everywhere',
    canBeContent: true,
  },
  'enum.value-added': {
    severity: 'risky',
    words: 'new value in a closed set',
    extent: 'values',
    reason: 'closed set',
    canBeContent: true,
  },
  'enum.value-removed': {
    severity: 'breaking',
    words: 'value removed from a closed set',
    extent: 'values',
    reason: 'closed set',
    canBeContent: true,
  },
  'enum.value-changed': {
    severity: 'breaking',
    words: 'another status word',
    extent: 'types',
    reason: 'closed set',
  },
  'items.fewer': {
    severity: 'data',
    words: 'items gone',
    otherwise: 'risky',
    when: 'the request names them',
    extent: 'item',
    reason: 'rows',
    canBeContent: true,
  },
  'items.more': {
    severity: 'data',
    words: 'items new',
    otherwise: 'risky',
    when: 'the request names them',
    extent: 'item',
    reason: 'rows',
    canBeContent: true,
  },
  'order.changed': {
    severity: 'risky',
    words: 'order changed',
    otherwise: 'cosmetic',
    when: 'it is a set',
    extent: 'nothing',
    reason: 'order',
    canBeContent: true,
  },
  'order.by-id': {
    severity: 'data',
    words: 'order follows the page ids, which differ',
    extent: 'nothing',
  },
  'order.by-rank': {
    severity: 'data',
    words: 'order follows a rank that content decides',
    extent: 'nothing',
  },
  'value.format': {
    severity: 'breaking',
    words: 'value in another format',
    extent: 'note',
    reason: 'form',
    canBeContent: true,
  },
  'value.changed': {
    severity: 'risky',
    words: 'value changed',
    otherwise: 'data',
    when: 'the field holds content',
    extent: 'types',
    reason: 'value',
    canBeContent: true,
  },
  'text.changed': {
    severity: 'cosmetic',
    words: 'text for people changed',
    extent: 'nothing',
    reason: 'text',
  },
  'body.changed': {
    severity: 'risky',
    words: 'a body changed that could not be read as its format',
    extent: 'nothing',
  },
  'html.structure': {
    severity: 'risky',
    words: 'HTML markup changed',
    otherwise: 'data',
    when: 'the answer is about another page',
    extent: 'nothing',
    reason: 'markup',
    canBeContent: true,
  },
  'html.text': { severity: 'data', words: 'text inside HTML changed', extent: 'nothing' },
  'html.comment': { severity: 'noise', words: 'HTML comment changed', extent: 'nothing' },
  'header.removed': { severity: 'risky', words: 'header gone', extent: 'types', reason: 'header' },
  'header.added': { severity: 'additive', words: 'header new', extent: 'types', reason: 'header' },
  'header.changed': {
    severity: 'risky',
    words: 'header changed',
    extent: 'types',
    reason: 'header',
  },
  'cookie.changed': {
    severity: 'risky',
    words: 'cookies changed',
    extent: 'types',
    reason: 'cookies',
  },
  'interaction.missing': {
    severity: 'risky',
    words: 'recorded in A only: not compared',
    otherwise: 'data',
    when: 'it only continues a listing',
    extent: 'nothing',
    reason: 'everywhere',
  },
  'interaction.new': {
    severity: 'risky',
    words: 'recorded in B only: not compared',
    otherwise: 'data',
    when: 'it only continues a listing',
    extent: 'nothing',
    reason: 'everywhere',
  },
  'configuration.removed': {
    severity: 'risky',
    words: "the wiki's configuration: gone",
    extent: 'item',
    reason: 'configuration',
  },
  'configuration.added': {
    severity: 'risky',
    words: "the wiki's configuration: new",
    extent: 'item',
    reason: 'configuration',
  },
  'configuration.changed': {
    severity: 'risky',
    words: "the wiki's configuration: changed",
    extent: 'types',
    reason: 'configuration',
  },
  'stability.lost': { severity: 'risky', words: 'no longer the same each time', extent: 'nothing' },
  'stability.gained': { severity: 'note', words: 'now the same each time', extent: 'nothing' },
} as const

/** Changes of how the wiki describes its own modules. */
const contractKinds = {
  'engine.changed': { severity: 'note', words: 'another version of the engine', extent: 'types' },
  'extension.removed': {
    severity: 'risky',
    words: "the wiki's configuration: extension gone",
    extent: 'item',
    reason: 'configuration',
  },
  'extension.added': {
    severity: 'risky',
    words: "the wiki's configuration: extension new",
    extent: 'item',
    reason: 'configuration',
  },
  'module.removed': {
    severity: 'breaking',
    words: 'module removed',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'types',
  },
  'module.added': { severity: 'additive', words: 'module added', extent: 'types' },
  'module.deprecated': {
    severity: 'risky',
    words: 'module deprecated',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'types',
  },
  'module.undeprecated': {
    severity: 'additive',
    words: 'module no longer deprecated',
    extent: 'types',
  },
  'module.post-required': {
    severity: 'breaking',
    words: 'module now needs POST',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'types',
  },
  'module.post-dropped': {
    severity: 'additive',
    words: 'module no longer needs POST',
    extent: 'types',
  },
  'module.prefix-changed': {
    severity: 'breaking',
    words: 'parameters of the module have another prefix',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'types',
  },
  'module.right-needed': {
    severity: 'risky',
    words: 'module now needs the right to read or write',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'values',
    reason: 'right',
  },
  'module.right-dropped': {
    severity: 'additive',
    words: 'module no longer needs the right to read or write',
    extent: 'values',
    reason: 'right',
  },
  'param.removed': {
    severity: 'breaking',
    words: 'parameter removed',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.added': { severity: 'additive', words: 'parameter added', extent: 'note' },
  'param.deprecated': {
    severity: 'risky',
    words: 'parameter deprecated',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.undeprecated': {
    severity: 'additive',
    words: 'parameter no longer deprecated',
    extent: 'note',
  },
  'param.required': {
    severity: 'breaking',
    words: 'parameter now required',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.optional': { severity: 'additive', words: 'parameter no longer required', extent: 'note' },
  'param.type-changed': {
    severity: 'risky',
    words: 'parameter of another type',
    otherwise: 'note',
    when: 'unused, or it takes what the old one took',
    extent: 'note',
  },
  'param.single': {
    severity: 'breaking',
    words: 'parameter takes one value only',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.multi': { severity: 'additive', words: 'parameter takes several values', extent: 'note' },
  'param.value-removed': {
    severity: 'breaking',
    words: 'allowed value removed',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'values',
  },
  'param.value-added': { severity: 'additive', words: 'allowed value added', extent: 'values' },
  'param.value-deprecated': {
    severity: 'risky',
    words: 'allowed value deprecated',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.value-undeprecated': {
    severity: 'additive',
    words: 'allowed value no longer deprecated',
    extent: 'note',
  },
  'param.default-changed': {
    severity: 'risky',
    words: 'default changed',
    otherwise: 'note',
    when: 'unused, or it only asks for more members',
    extent: 'note',
  },
  'param.limit-lowered': {
    severity: 'risky',
    words: 'limit lowered',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.limit-raised': { severity: 'additive', words: 'limit raised', extent: 'note' },
  'param.min-raised': {
    severity: 'risky',
    words: 'minimum raised',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.min-lowered': { severity: 'additive', words: 'minimum lowered', extent: 'note' },
  'param.subtype-removed': {
    severity: 'risky',
    words: 'a way to name users is gone',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'values',
  },
  'param.subtype-added': {
    severity: 'additive',
    words: 'another way to name users',
    extent: 'values',
  },
  'param.sensitive': {
    severity: 'risky',
    words: 'parameter is now secret: only in the body of a POST',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
  'param.not-sensitive': {
    severity: 'additive',
    words: 'parameter is no longer secret',
    extent: 'note',
  },
  'param.token-changed': {
    severity: 'risky',
    words: 'another token required',
    otherwise: 'note',
    when: 'no recorded request uses it',
    extent: 'note',
  },
} as const

export type AnswerKind = keyof typeof answerKinds
export type ContractKind = keyof typeof contractKinds

export const answerKindRows: Readonly<Record<AnswerKind, KindRow>> = answerKinds
export const contractKindRows: Readonly<Record<ContractKind, KindRow>> = contractKinds
