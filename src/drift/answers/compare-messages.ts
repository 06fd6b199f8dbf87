/** Errors and warnings of both answers, in whichever envelope, compared. Source: API:Errors_and_warnings. */
import {
  hasMember,
  itemsOf,
  type JsonTree,
  memberOf,
  membersOf,
  objectOf,
  textAt
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { pathOf, turn } from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'
import { TreePosition, type TreeWalk } from '../members/tree-walk.ts'

/** The first error of an answer. */
interface AnsweredError {
  /** `errors`, `error` or the latter with the member that holds the help text. */
  readonly envelope: string
  readonly tree: JsonTree
  readonly code: string
  readonly text: string
  /** Further details of the error, e.g. of a block. */
  readonly rest: JsonTree
}

/** Which sides are errors: beside one error the rest of the answers cannot be compared, beside two there is none. */
type FailedSides = 'none' | 'one' | 'both'

export function compareErrors(a: JsonTree, b: JsonTree, walk: TreeWalk): FailedSides {
  const before = errorOf(a)
  const after = errorOf(b)
  const one = before ?? after
  if (!one) return 'none'
  const values = { before: before?.tree, after: after?.tree }
  const path = pathOf('error')
  if (!before || !after) {
    const kind = oneSidedKind(one.code, one.text, before === undefined)
    walk.emit(kind, path, { ...values, mark: one.code })
    return 'one'
  }
  const forms = [before.envelope, after.envelope]
  if (before.envelope !== after.envelope) {
    const note = turn(before.envelope, after.envelope)
    const isHelp = forms.includes('error') && !forms.includes('errors')
    if (isHelp) walk.emit('text.changed', pathOf('error', 'docref'), {})
    else walk.emit('error.envelope', path, { ...values, note })
  }
  if (before.code !== after.code)
    walk.emit('error.code-changed', path, {
      ...values,
      note: turn(before.code, after.code)
    })
  else if (before.text !== after.text)
    walk.emit(kindOfText(before.text, after.text), pathOf('error', 'info'), {
      before: before.text,
      after: after.text,
      mark: before.code
    })
  new TreePosition(path, walk).compare(before.rest, after.rest)
  return 'both'
}

function kindOfText(before: string, after: string) {
  if (after === '') return 'field.removed'
  return before === '' ? 'field.added' : 'text.changed'
}

const comparedMembers = wordSet('code info text html * docref key params module')

function errorOf(answer: JsonTree): AnsweredError | undefined {
  const single = memberOf(answer, 'error')
  const several = memberOf(answer, 'errors')
  const error = single ?? itemsOf(several)[0]
  if (!error) return undefined
  const help = ['*', 'docref'].find((name) => hasMember(single, name))
  const form = single ? 'error' : 'errors'
  return {
    envelope: help === undefined ? form : `${form} with ${help}`,
    tree: single ?? several ?? error,
    code: textAt(error, 'code') ?? '',
    // `*` of a single error is the help.
    text: (single ? textAt(error, 'info') : messageOf(error)) ?? '',
    rest: objectOf(membersOf(error).filter(({ key }) => !comparedMembers.has(key)))
  }
}

/** In the format that the request asks for. */
const messageOf = (tree: JsonTree) =>
  textAt(tree, 'text') ?? textAt(tree, 'html') ?? textAt(tree, '*')

/** The kind of an error on one side alone: it asks for a token, a right or POST, or is just an error. */
function oneSidedKind(code: string, text: string, appeared: boolean) {
  if (/^(?:mustbeposted|mustpostparams)$/.test(code))
    return appeared ? 'method.required' : 'method.dropped'
  const wantsToken =
    /^(?:missingparam|missingparam-.*|no.*)$/.test(code) &&
    /token/i.test(`${code} ${text}`)
  if (wantsToken || rightCodes.test(code))
    return appeared ? 'auth.required' : 'auth.dropped'
  return appeared ? 'error.appeared' : 'error.disappeared'
}

const rightCodes =
  /^(?:readapidenied|notoken|badtoken|permissiondenied|assertuserfailed|mustbeloggedin)/

/** How an answer carries its warnings: by module under `*`, by module under `warnings`, or as an array. */
type WarningForm = 'none' | 'by module, "*"' | 'by module' | 'array'

interface ApiWarning {
  readonly module: string
  readonly text: string
  readonly topic: WarningTopic
  /** The names and values in it, or its code: what stays when the wording changes. */
  readonly about: string
}

type WarningTopic = 'unrecognized' | 'deprecated' | 'announcement' | 'other'

/** Brings both sides into one form, and compares message by message. */
export function compareWarnings(
  a: JsonTree | undefined,
  b: JsonTree | undefined,
  walk: TreeWalk
): void {
  const formA = formOf(a)
  const formB = formOf(b)
  const note = turn(formA, formB)
  if (formA !== 'none' && formB !== 'none' && formA !== formB)
    walk.emit('warning.envelope', pathOf('warnings'), { before: a, after: b, note })
  const inA = warningsOf(a, formA)
  const inB = warningsOf(b, formB)
  const fresh = new Set(withoutEqual(inB, inA))
  for (const one of withoutEqual(inA, inB)) {
    const other = [...fresh].find((candidate) => isReworded(one, candidate))
    if (other) fresh.delete(other)
    const isText = other || one.topic === 'announcement'
    walk.emit(
      isText ? 'text.changed' : 'warning.removed',
      pathOf('warnings', (other ?? one).module),
      { before: one.text, after: other?.text, ...scopeOf(one) }
    )
  }
  for (const one of fresh)
    walk.emit(appearedKinds[one.topic], pathOf('warnings', one.module), {
      after: one.text,
      ...scopeOf(one),
      other: one.topic === 'unrecognized'
    })
}

function formOf(tree: JsonTree | undefined) {
  if (!tree) return 'none'
  if (tree.kind === 'array') return tree.items.length === 0 ? 'none' : 'array'
  const [first] = membersOf(tree)
  return memberOf(first?.value, '*') ? 'by module, "*"' : 'by module'
}

function warningsOf(tree: JsonTree | undefined, form: WarningForm) {
  if (form === 'none') return []
  if (form === 'array')
    return itemsOf(tree).map((one) =>
      warning(textAt(one, 'module') ?? '', messageOf(one) ?? '', textAt(one, 'code'))
    )
  return membersOf(tree).flatMap(({ key, value }) =>
    (textAt(value, '*') ?? textAt(value, 'warnings') ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => warning(key, line))
  )
}

function warning(module: string, text: string, code?: string): ApiWarning {
  const topic = topicOf(text, code ?? '')
  return { module, text, topic, about: code ?? `${topic} ${namesIn(text)}` }
}

function topicOf(text: string, code: string) {
  if (/^unrecognized|^badvalue/.test(code) || /unrecognized|not recognized/i.test(text))
    return 'unrecognized'
  if (text.includes('mediawiki-api-announce')) return 'announcement'
  if (
    /^deprecation/.test(code) ||
    /deprecat|legacy (?:format|output)|will be chang/i.test(text)
  )
    return 'deprecated'
  return 'other'
}

/** The names in a message, in any wording: quoted words, words after a colon. */
function namesIn(text: string) {
  const quoted = [...text.matchAll(/["'«“]([^"'«»“”]{1,80})["'»”]/g)].map(
    (match) => match[1] ?? ''
  )
  const listed = /: ([\w, ]+)\.?$/.exec(text)?.[1]?.split(/[, ]+/) ?? []
  const names = [...new Set([...quoted, ...listed])].sort()
  return names.length > 0 ? names.join() : text.replace(/\d+/g, 'N').slice(0, 60)
}

const withoutEqual = (warnings: readonly ApiWarning[], others: readonly ApiWarning[]) =>
  warnings.filter(
    ({ module, text }) =>
      !others.some((one) => one.module === module && one.text === text)
  )

/** True for one message in other words: about the same names, or sharing most of its words. */
function isReworded(a: ApiWarning, b: ApiWarning) {
  if (a.topic !== b.topic) return false
  if (a.module !== b.module && a.module !== '' && b.module !== '') return false
  if (a.topic === 'announcement' || a.about === b.about) return true
  // Two parameters that are not understood are two messages, however alike.
  if (a.topic === 'unrecognized') return namesIn(a.text) === namesIn(b.text)
  const wordsA = new Set(wordsOf(a.text))
  const wordsB = new Set(wordsOf(b.text))
  const common = [...wordsA].filter((word) => wordsB.has(word)).length
  return common * 2 > Math.max(wordsA.size, wordsB.size)
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** A deprecation of the main module concerns all requests; a warning about a parameter, the request that sends it. */
function scopeOf({ module, topic, about }: ApiWarning) {
  if (topic === 'announcement') return { mark: topic, scope: '*' }
  const isGeneral = topic === 'deprecated' && (module === 'main' || module === 'query')
  return isGeneral ? { mark: about, scope: '*' } : { mark: about }
}

const appearedKinds: Readonly<Record<WarningTopic, Kind>> = {
  unrecognized: 'warning.appeared',
  deprecated: 'deprecation.appeared',
  announcement: 'text.changed',
  other: 'warning.appeared'
}
