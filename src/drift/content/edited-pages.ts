/** Pages and users in another state on the other side, by answers to one request and stored states (`pages.json`). */

import type { PageState, PageStates } from '../../recorder/cassette/format/pages-file.ts'
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  memberAt,
  memberOf,
  textOf,
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import type { AlignedPair } from '../inputs/align-requests.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import { isNull, isSameValue, isSet, newestOf } from './same-state.ts'

/** Errors that say what is on the wiki, not what the API takes. Source: API:Errors_and_warnings. */
export const contentErrors: ReadonlySet<string> = wordSet(`
  missingtitle nosuchpageid nosuchrevid nosuchsection pagedeleted articleexists protectedpage
  protectedtitle cascadeprotected blocked autoblocked nosuchuser nosuchlogid missingcontent cantundelete
  missingrev selfmove alreadyblocked
`)

/** @param renumbered the two wikis give the same pages other ids, so that another number proves nothing */
export function findEditedPages(
  pairs: readonly AlignedPair[],
  a: CassetteSide,
  b: CassetteSide,
  renumbered: boolean,
): ReadonlySet<string> {
  const edited = new Set<string>()
  const likely = new Set<string>()
  const unedited = new Set<string>()
  const compare = (statesA: PageStates, statesB: PageStates): void => {
    for (const [title, before] of statesA) {
      const after = statesB.get(title)
      if (!after) continue
      const isSame = renumbered ? undefined : isSameRevision(before, after)
      if (isSame === true) unedited.add(title)
      const isOther =
        isSame === true
          ? hasOtherFlags(before, after)
          : isOtherState(before, after, renumbered)
      if (isOther) (isSame === undefined ? likely : edited).add(title)
    }
  }
  compare(a.pages ?? new Map(), b.pages ?? new Map())
  const redirects = new Map<string, string>()
  for (const pair of pairs) {
    const one = firstTree(pair.a)
    const other = firstTree(pair.b)
    if (!one || !other) continue
    const named = pair.a.request.get('page')
    if (named !== undefined) {
      if (hasContentError(one) !== hasContentError(other)) edited.add(named)
      // The page that a parse is of: behind a redirect it is another than the request names.
      const title = parsedTitle(other) ?? parsedTitle(one)
      if (title !== undefined) redirects.set(named, title)
    }
    compare(statesIn(one), statesIn(other))
  }
  // Where one answer shows another text, and the rest one revision, the answer is another.
  for (const title of likely) if (!unedited.has(title)) edited.add(title)
  for (const [named, title] of redirects) if (edited.has(title)) edited.add(named)
  return edited
}

const firstTree = ({ responses: [{ body }] }: Interaction): JsonTree | undefined =>
  body.kind === 'json' ? body.tree : undefined

const parsedTitle = (tree: JsonTree): string | undefined =>
  textOf(memberAt(tree, 'parse', 'title'))

const hasContentError = (tree: JsonTree): boolean =>
  contentErrors.has(textOf(memberAt(tree, 'error', 'code')) ?? '')

const flags = ['missing', 'redirect', 'blockid']
const stateFields = [...flags, 'length', 'protection', 'groups', 'lastrevid', 'revid']
const revisionFields = ['timestamp', 'size', 'sha1', '*', 'content', 'revid']

function statesIn(tree: JsonTree): PageStates {
  const states = new Map<string, PageState>()
  const inQuery = ['pages', 'users', 'allusers'].flatMap((name) =>
    itemsOf(memberAt(tree, 'query', name)),
  )
  for (const one of [...inQuery, memberOf(tree, 'parse')]) {
    const title = textOf(memberOf(one, 'title') ?? memberOf(one, 'name'))
    if (one && title !== undefined) states.set(title, stateOf(one))
  }
  return states
}

function stateOf(page: JsonTree): PageState {
  const newest = newestOf(page)
  const values = [
    ...stateFields.map((name) => [name, memberOf(page, name)] as const),
    ...revisionFields.map(
      (name) => [`revision ${name}`, memberOf(newest, name)] as const,
    ),
  ]
  return new Map(
    values.flatMap(([name, value]) => (value ? [[name, value] as const] : [])),
  )
}

/** Undefined where neither says its revision. */
function isSameRevision(a: PageState, b: PageState): boolean | undefined {
  const found = ['lastrevid', 'revision revid'].flatMap((name) => {
    const before = a.get(name)
    const after = b.get(name)
    return before && after && !isNull(before) && !isNull(after)
      ? [isSameValue(before, after)]
      : []
  })
  return found.length === 0 ? undefined : !found.includes(false)
}

/** What a log changes without another revision. */
const hasOtherFlags = (a: PageState, b: PageState): boolean =>
  isOtherState(withoutText(a), withoutText(b), false)
const withoutText = (state: PageState): PageState =>
  new Map(
    [...state].filter(
      ([name]) => flags.includes(name) || /^(?:protection|groups)$/.test(name),
    ),
  )

/** A flag says no by its absence; any other member that only one side has says nothing. */
function isOtherState(a: PageState, b: PageState, renumbered: boolean): boolean {
  if (flags.some((flag) => isSet(a.get(flag)) !== isSet(b.get(flag)))) return true
  // A text under another number was only protected, moved, or imported.
  const ignored = renumbered
    ? /^(?:lastrevid|(?:revision )?revid)$/
    : a.has('sha1') && b.has('sha1')
      ? /^(?:lastrevid|revid)$/
      : /^$/
  return [...a].some(([name, value]) => {
    const other = b.get(name)
    if (flags.includes(name) || ignored.test(name) || !other) return false
    return !isNull(value) && !isNull(other) && !isSameValue(value, other)
  })
}
