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
import { wordSet } from '../../text/words.ts'
import type { Kind } from '../changes/kinds.ts'
import { pathOf } from '../changes/path.ts'
import { TreePosition, type TreeWalk } from '../members/tree-walk.ts'

/** The first error of an answer. */
interface AnsweredError {
  /** `error`, `errors`; with the member that holds the help text. */
  readonly form: string
  readonly tree: JsonTree
  readonly code: string
  readonly text: string
  /** Further details of the error, e.g. of a block. */
  readonly rest: readonly JsonMember[]
}

/** Which sides are errors: beside one error the rest of the answers cannot be compared, beside two there is none. */
export type FailedSides = 'none' | 'one' | 'both'

export function compareErrors(a: JsonTree, b: JsonTree, walk: TreeWalk): FailedSides {
  const [before, after] = [errorOf(a), errorOf(b)]
  const one = before ?? after
  if (one === undefined) return 'none'
  const values = { before: before?.tree, after: after?.tree }
  if (before === undefined || after === undefined) {
    const kind = oneSidedKind(one.code, one.text, before === undefined)
    walk.emit(kind, pathOf('error'), { ...values, mark: one.code })
    return 'one'
  }
  if (before.form !== after.form) {
    const note = `${before.form} → ${after.form}`
    walk.emit('error.envelope', pathOf('error'), { ...values, note, scope: '*' })
  }
  if (before.code !== after.code) {
    const mark = `${before.code} → ${after.code}`
    walk.emit('error.code-changed', pathOf('error'), { ...values, note: mark, mark })
  } else if (before.text !== after.text) {
    const texts = { before: before.text, after: after.text }
    walk.emit('text.changed', pathOf('error', 'info'), { ...texts, mark: before.code })
  }
  walk.descend(objectOf(before.rest), objectOf(after.rest), new TreePosition(pathOf('error')))
  return 'both'
}

const comparedMembers = wordSet('code info text html * docref key params module')

function errorOf(answer: JsonTree): AnsweredError | undefined {
  const [single, several] = [memberOf(answer, 'error'), memberOf(answer, 'errors')]
  const error = single ?? itemsOf(several)[0]
  if (error === undefined) return undefined
  const firstOf = (...names: readonly string[]): JsonTree | undefined =>
    names.map((name) => memberOf(error, name)).find((one) => one !== undefined)
  const help = ['*', 'docref'].find((name) => memberOf(single, name) !== undefined)
  const singleForm = help === undefined ? 'error' : `error with ${help}`
  return {
    form: single === undefined ? 'errors' : singleForm,
    tree: single ?? several ?? error,
    code: textOf(firstOf('code')) ?? '',
    text: textOf(firstOf('info', 'text', 'html', '*')) ?? '',
    rest: membersOf(error).filter(({ key }) => !comparedMembers.has(key)),
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
