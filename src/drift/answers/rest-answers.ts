/** Answers of rest.php: their errors, and what they say of the revision that they show. Sources: API:REST_API/Status_codes; Wikibase REST API. */
import type { RecordedResponse } from '../../recorder/cassette/interaction.ts'
import {
  hasMember,
  jsonLiteral,
  memberAt,
  memberOf,
  scalarTextOf,
  textAt
} from '../../recorder/json/json-tree.ts'
import { pathOf, turn } from '../changes/change.ts'
import { jsonIn } from '../inputs/cassette-side.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** @returns true if one of the answers is an error, beside which the rest cannot be compared, or both are and for other reasons */
export function compareRestFailures(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk
): boolean {
  if (!walk.isRest) return false
  const before = errorOf(a)
  const after = errorOf(b)
  const values = { before: jsonIn(a), after: jsonIn(b) }
  // Whatever else was wrong with the request.
  if (a.status >= 500 !== b.status >= 500)
    walk.emit('status.changed', pathOf('status'), {
      before: jsonLiteral(a.status),
      after: jsonLiteral(b.status),
      mark: 'fails'
    })
  else if (before === undefined && after !== undefined)
    walk.emit('error.appeared', pathOf('error'), { ...values, mark: after })
  else if (before !== undefined && after === undefined)
    walk.emit('error.disappeared', pathOf('error'), { ...values, mark: before })
  else if (a.status !== b.status && before !== after)
    walk.emit('error.code-changed', pathOf('error'), {
      ...values,
      note: turn(before ?? '', after ?? '')
    })
  else return false
  return true
}

/** Its code; undefined for a result. */
function errorOf(response: RecordedResponse) {
  const tree = jsonIn(response)
  const key = textAt(tree, 'errorKey')
  const code = memberOf(tree, 'message') ? textAt(tree, 'code') : undefined
  // A page that became a redirect leads on.
  if (response.status >= 300 && response.status < 400) return 'redirect'
  const isError = response.status >= 400 || hasMember(tree, 'httpReason')
  return key ?? code ?? (isError ? String(response.status) : undefined)
}

/** False if both say that they show one revision, true if they say another, undefined if they say nothing. */
export function isTouchedByTag(
  a: RecordedResponse,
  b: RecordedResponse
): boolean | undefined {
  const tags = ['etag', 'last-modified'].map((name) => {
    const one = a.headers.get(name)
    const other = b.headers.get(name)
    if (one === undefined || other === undefined) return undefined
    if (one === other) return false
    return revisionIn(one) === revisionIn(other) ? undefined : true
  })
  const latestIn = (each: RecordedResponse) =>
    scalarTextOf(memberAt(jsonIn(each), 'latest', 'id'))
  const one = latestIn(a)
  const other = latestIn(b)
  const isOther = one !== undefined && other !== undefined && one !== other
  return tags.find((each) => each !== undefined) ?? (isOther || undefined)
}

/** `"13/9c0443dd/view/html"`: of revision 13, however often it was rendered, and whatever changed in its templates. */
const revisionIn = (tag: string) => tag.replace(/^(?:W\/)?"?/, '').replace(/["/@].*$/, '')
