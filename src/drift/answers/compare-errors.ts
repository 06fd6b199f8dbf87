/** Errors of both answers, in whichever envelope. Source: API:Errors_and_warnings. */
import {
  itemsOf,
  type JsonMember,
  type JsonTree,
  memberOf,
  membersOf,
  objectOf,
  textOf,
} from '../../json/json-tree.ts'
import { wordSet } from '../../text/word-set.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import { type TreeWalk, unsampledPosition } from '../members/tree-walk.ts'

interface AnsweredError {
  readonly code: string
  readonly text: string
  /** Further details of the error, e.g. of a block. */
  readonly rest: readonly JsonMember[]
}

interface AnswerErrors {
  /** `error`, `errors`; with the member that holds the help text. */
  readonly form: string
  readonly list: readonly AnsweredError[]
  readonly tree: JsonTree
}

/** Which sides are errors: beside one error the rest of the answers cannot be compared, beside two there is none. */
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
    const form = help === undefined ? 'error' : `error with ${help}`
    return { form, list: [readError(error)], tree: error }
  }
  const errors = memberOf(tree, 'errors')
  if (errors === undefined || itemsOf(errors).length === 0) return undefined
  return { form: 'errors', list: itemsOf(errors).map(readError), tree: errors }
}

const comparedMembers = wordSet('code info text html * docref key params module')

function readError(tree: JsonTree): AnsweredError {
  const text = ['info', 'text', 'html', '*']
    .map((name) => textOf(memberOf(tree, name)))
    .find((one) => one !== undefined)
  return {
    code: textOf(memberOf(tree, 'code')) ?? '',
    text: text ?? '',
    rest: membersOf(tree).filter(({ key }) => !comparedMembers.has(key)),
  }
}

/** The kind of an error on one side alone: it asks for a token, a right or POST, or is just an error. */
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
    walk.emit('text.changed', pathOf('error', 'info'), { before: a.text, after: b.text, mark: a.code })
  }
  walk.descend(objectOf(a.rest), objectOf(b.rest), unsampledPosition(path))
}
