/** Pages and users in another state on the other side, by answers to one request and stored states (`pages.json`). */

import type { Interaction } from '../../recorder/cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonObject,
  memberAt,
  memberOf,
  membersOf,
  textAt,
  textOf
} from '../../recorder/json/json-tree.ts'
import { wordSet } from '../../recorder/text/words.ts'
import { splitValues } from '../../recorder/wiki/parameters/request-params.ts'
import { canonicalTitle, type SiteFacts } from '../../recorder/wiki/site/site-facts.ts'
import { type Change, selfAndParents } from '../changes/change.ts'
import type { AlignedPair } from '../inputs/align-requests.ts'
import { type CassetteSide, jsonIn } from '../inputs/cassette-side.ts'
import { isSet, newestOf, sameIn } from './same-state.ts'

/** Errors that say what is on the wiki, not what the API takes. Source: API:Errors_and_warnings. */
export const contentErrors: ReadonlySet<string> = wordSet(`
  missingtitle nosuchpageid nosuchrevid nosuchsection pagedeleted articleexists protectedpage
  protectedtitle cascadeprotected blocked autoblocked nosuchuser nosuchlogid missingcontent cantundelete
  missingrev selfmove alreadyblocked rest-nonexistent-title rest-nonexistent-revision
  rest-nonexistent-title-revision rest-cannot-load-file redirect resource-not-found redirected-item item-not-found
`)

/** What is known of pages and users, by title or name. */
type States = ReadonlyMap<string, JsonTree>

/**
 * @param renumbered the two wikis give the same pages other ids, so that another number proves nothing
 * @param isLogSame nobody protected a page or gave a group
 */
export function findEditedPages(
  pairs: readonly AlignedPair[],
  a: CassetteSide,
  b: CassetteSide,
  renumbered: boolean,
  isLogSame: boolean
): ReadonlySet<string> {
  const sameRevision = isLogSame ? /^/ : /^(?!protection$|groups$)/
  const edited = new Set<string>()
  const likely = new Set<string>()
  const unedited = new Set<string>()
  const compare = (statesA: States, statesB: States) => {
    for (const [title, before] of statesA) {
      const after = statesB.get(title)
      if (!after) continue
      const numbers = ['lastrevid', 'revision revid']
      const isSame = renumbered ? undefined : sameIn(before, after, numbers)
      if (isSame) unedited.add(title)
      const ignored = isSame ? sameRevision : ignoredIn(before, after)
      if (isOtherState(before, after, renumbered ? allNumbers : ignored))
        (isSame === undefined ? likely : edited).add(title)
    }
  }
  compare(storedStates(a), storedStates(b))
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

const firstTree = ({ responses: [first] }: Interaction) => jsonIn(first)

const parsedTitle = (tree: JsonTree) => textAt(tree, 'parse', 'title')

const hasContentError = (tree: JsonTree) =>
  contentErrors.has(textAt(tree, 'error', 'code') ?? '')

const storedStates = ({ pages = new Map() }: CassetteSide) =>
  new Map([...pages].map(([title, state]) => [title, jsonObject([...state])]))

const flags = ['missing', 'redirect', 'blockid']
const stateFields = [...flags, 'length', 'protection', 'groups', 'lastrevid', 'revid']
const revisionFields = ['timestamp', 'size', 'sha1', '*', 'content', 'revid']

function statesIn(tree: JsonTree) {
  const lists = ['pages', 'users', 'allusers'].map((name) =>
    memberAt(tree, 'query', name)
  )
  const found = [...lists.flatMap(itemsOf), memberOf(tree, 'parse')].flatMap((one) => {
    const title = textOf(memberOf(one, 'title') ?? memberOf(one, 'name'))
    return one && title !== undefined ? [[title, stateOf(one)] as const] : []
  })
  return new Map(found)
}

function stateOf(page: JsonTree) {
  const newest = newestOf(page)
  const values = [
    ...stateFields.map((name) => [name, memberOf(page, name)] as const),
    ...revisionFields.map((name) => [`revision ${name}`, memberOf(newest, name)] as const)
  ]
  return jsonObject(
    values.flatMap(([name, value]) => (value ? [[name, value] as const] : []))
  )
}

const allNumbers = /^(?:lastrevid|(?:revision )?revid)$/

/** A text under another number was only protected, moved, or imported. */
const ignoredIn = (a: JsonTree, b: JsonTree) =>
  memberOf(a, 'sha1') && memberOf(b, 'sha1') ? /^(?:lastrevid|revid)$/ : /^$/

/** A flag says no by its absence; any other member that only one side has says nothing. */
function isOtherState(a: JsonTree, b: JsonTree, ignored: RegExp) {
  if (flags.some((name) => isSet(memberOf(a, name)) !== isSet(memberOf(b, name))))
    return true
  const names = membersOf(a).map(({ key }) => key)
  const compared = names.filter((name) => !flags.includes(name) && !ignored.test(name))
  return sameIn(a, b, compared) === false
}

/** Titles that may lead to other pages. */
const redirectsIn = (requests: Change['requests']) =>
  requests.flatMap(({ request }) =>
    request.has('redirects') ? splitValues(request.get('titles') ?? '') : []
  )

/** The pages that a change is about: an item of `query.pages`, or what the request names alone. */
export function pagesOfChange(
  { path, requests }: Change,
  site: SiteFacts | undefined
): readonly string[] {
  for (const { kind, step } of selfAndParents(path)) {
    const named =
      kind === 'item' ? /^(?:title|name|from)=(.*)$/s.exec(step)?.[1] : undefined
    if (named !== undefined) return [named, ...redirectsIn(requests)]
  }
  const request = requests[0]?.request
  const namedBy = (...params: readonly string[]) =>
    params.flatMap((name) => request?.get(name) ?? [])
  const single = namedBy('page', 'title', 'titles')
  const named = [
    ...(single.length === 1 ? single : []),
    ...namedBy('fromtitle', 'totitle')
  ]
  return named.map((title) => (site ? (canonicalTitle(title, site) ?? title) : title))
}
