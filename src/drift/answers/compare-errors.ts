/** Errors of both answers, in whichever envelope. Source: API:Errors_and_warnings. */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  jsonString,
  memberOf,
  membersOf,
  textOf,
} from '../../json/json-tree.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import { type TreeWalk, unsampledPosition } from '../members/tree-walk.ts'

interface ApiError {
  readonly code: string
  readonly text: string
  /** Further details of the error, e.g. of a block. */
  readonly rest: readonly JsonMember[]
}

interface AnswerErrors {
  /** `error`, `errors`; with the member that holds the help text. */
  readonly form: string
  readonly list: readonly ApiError[]
  readonly tree: JsonTree
}

/** Which sides are errors: of one alone the rest says nothing, of two the results are not there to compare. */
export type FailedSides = 'none' | 'one' | 'both'

export function compareErrors(a: JsonTree, b: JsonTree, walk: TreeWalk): FailedSides {
  const [before, after] = [errorsOf(a), errorsOf(b)]
  if (before === undefined && after === undefined) return 'none'
  if (before === undefined || after === undefined) {
    const one = before ?? after
    const code = one?.list[0]?.code ?? ''
    const kind = oneSidedKind(code, one?.list[0]?.text ?? '', before === undefined)
    walk.emit(kind, pathOf('error'), { before: before?.tree, after: after?.tree, mark: code })
    return 'one'
  }
  if (before.form !== after.form) {
    const note = `${before.form} → ${after.form}`
    walk.emit('error.envelope', pathOf('error'), { before: before.tree, after: after.tree, note, scope: '*' })
  }
  compareFirstErrors(before, after, walk)
  return 'both'
}

function errorsOf(tree: JsonTree): AnswerErrors | undefined {
  const error = memberOf(tree, 'error')
  if (error !== undefined) {
    const help = ['*', 'docref'].find((name) => memberOf(error, name) !== undefined)
    return {
      form: help === undefined ? 'error' : `error with ${help}`,
      list: [readError(error)],
      tree: error,
    }
  }
  const errors = memberOf(tree, 'errors')
  if (errors === undefined || itemsOf(errors).length === 0) return undefined
  return { form: 'errors', list: itemsOf(errors).map(readError), tree: errors }
}

const comparedMembers: ReadonlySet<string> = new Set([
  'code',
  'info',
  'text',
  'html',
  '*',
  'docref',
  'key',
  'params',
  'module',
])

function readError(tree: JsonTree): ApiError {
  const text = ['info', 'text', 'html', '*']
    .map((name) => textOf(memberOf(tree, name)))
    .find((one) => one !== undefined)
  return {
    code: textOf(memberOf(tree, 'code')) ?? '',
    text: text ?? '',
    rest: membersOf(tree).filter(({ key }) => !comparedMembers.has(key)),
  }
}

/** What an error on one side alone means: some ask for a token or for POST, the others just fail. */
function oneSidedKind(code: string, text: string, appeared: boolean): Kind {
  if (/^(?:mustbeposted|mustpostparams)$/.test(code)) return appeared ? 'method.required' : 'method.dropped'
  const wantsToken = /^(?:missingparam|missingparam-.*|no.*)$/.test(code) && /token/i.test(`${code} ${text}`)
  const wantsRight =
    /^(?:readapidenied|notoken|badtoken|permissiondenied|assertuserfailed|mustbeloggedin)/.test(code)
  if (wantsToken || wantsRight) return appeared ? 'auth.required' : 'auth.dropped'
  return appeared ? 'error.appeared' : 'error.disappeared'
}

function compareFirstErrors(before: AnswerErrors, after: AnswerErrors, walk: TreeWalk): void {
  const [a, b] = [before.list[0], after.list[0]]
  if (a === undefined || b === undefined) return
  const path = pathOf('error')
  if (a.code !== b.code) {
    const mark = `${a.code} → ${b.code}`
    walk.emit('error.code-changed', path, { before: before.tree, after: after.tree, note: mark, mark })
  } else if (a.text !== b.text) {
    const values = { before: jsonString(a.text), after: jsonString(b.text) }
    walk.emit('text.changed', pathOf('error', 'info'), { ...values, mark: a.code })
  }
  const [one, other]: readonly [JsonTree, JsonTree] = [
    { kind: 'object', members: a.rest },
    { kind: 'object', members: b.rest },
  ]
  walk.descend(one, other, unsampledPosition(path))
}
