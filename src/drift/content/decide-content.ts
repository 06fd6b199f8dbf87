/**
 * What differs because people edited the wiki, not because its software answers otherwise: content is data. Told by
 * evidence in the answers, or asked for and kept beside them (`pages.json`): the page has another revision, is gone,
 * redirects, is protected otherwise; or by the software, where both sides run the same.
 */
import type { PageState } from '../../cassette/format/pages-file.ts'
import { type JsonTree, memberAt, memberOf, membersOf, sameTree, textOf } from '../../json/json-tree.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { canonicalTitle } from '../../wiki/site/titles.ts'
import type { Change } from '../changes/change.ts'
import { type Kind, ratingOf } from '../changes/kinds.ts'
import { type Path, templateOf } from '../changes/path.ts'
import type { AlignedPair } from '../inputs/align-requests.ts'
import type { CassetteSide } from '../inputs/cassette-side.ts'
import type { KnownChangeLookup } from '../releases/known-changes.ts'

/** What is known of both sides before any answer is compared. */
export interface ContentContext {
  readonly a: CassetteSide
  readonly b: CassetteSide
  /** Both sides run the same version with the same modules. */
  readonly sameSoftware: boolean
  /** What releases between the two changed on purpose. */
  readonly known: KnownChangeLookup
  /** The two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
}

/** Says of a change whether content explains it. */
export type ContentPredicate = (change: Change) => boolean

/** @param pairs all pairs of answers: what one of them shows of a page holds for the others */
export function contentPredicate(pairs: readonly AlignedPair[], sides: ContentContext): ContentPredicate {
  let editedPages: ReadonlySet<string> | undefined
  return (change) => {
    if (change.axis !== 'behaviour') return false
    if (isContentError(change)) return true
    if (!possibleContentKinds.has(change.kind)) return false
    const place = templateOf(change.path)
    if (change.kind.startsWith('field.') && permanentFields.test(place)) return false
    if (sides.sameSoftware) return !isSetting(change, place)
    // What a release did on purpose shows on edited pages, too.
    if (!pageDependentFields.test(place) || sides.known(change, place) !== undefined) return false
    editedPages ??= findEditedPages(pairs, sides)
    return pagesOf(change, sides.a.manifest.site).some((title) => editedPages?.has(title))
  }
}

/** The same change, told as content. */
export const rateAsContent = (change: Change): Change => ({ ...change, ...ratingOf('html.text') })

/** Errors that say what is on the wiki, not what the API takes. Source: API:Errors_and_warnings. */
const contentErrors: ReadonlySet<string> = new Set([
  ...['missingtitle', 'nosuchpageid', 'nosuchrevid', 'nosuchsection', 'pagedeleted', 'articleexists'],
  ...['protectedpage', 'protectedtitle', 'cascadeprotected', 'blocked', 'autoblocked', 'nosuchuser'],
  ...['nosuchlogid', 'missingcontent', 'cantundelete', 'missingrev', 'selfmove', 'alreadyblocked'],
])

function isContentError({ kind, mark }: Change): boolean {
  if (kind === 'error.appeared' || kind === 'error.disappeared') return contentErrors.has(mark)
  return kind === 'error.code-changed' && mark.split(' → ').every((code) => contentErrors.has(code))
}

/** Kinds that an edit, a move, a deletion or a block can cause. */
const possibleContentKinds: ReadonlySet<Kind> = new Set<Kind>([
  ...(['value.changed', 'field.removed', 'field.added', 'field.became-optional'] as const),
  ...(['field.became-present', 'field.nullable', 'field.non-null', 'encoding.empty', 'items.fewer'] as const),
  ...(['items.more', 'order.changed', 'html.structure', 'enum.value-added', 'enum.value-removed'] as const),
  ...(['continuation.batch', 'continuation.value-shape', 'type.changed', 'value.format'] as const),
])

/** What a wiki is set to rather than what stands on it. */
const settings =
  /^query\.(?:general|namespaces|namespacealiases|specialpagealiases|magicwords|usergroups|autocreatetempuser|libraries|extensions|fileextensions|rightsinfo|restrictions|languages|languagevariants|skins|extensiontags|functionhooks|protocols|defaultoptions|uploaddialog|allmessages|userinfo|tokens|authmanagerinfo|filerepoinfo|languageinfo|repos)\b|^(?:headers|cookies|status|paraminfo|tokens|login)\b/

const isSetting = ({ path }: Change, place: string): boolean =>
  place !== 'text' && (settings.test(place) || path.parent?.kind === 'root')

/** What every page has, whatever stands on it. */
const permanentFields = /^query\.pages\[\*\]\.(?:pageid|ns|title|touched|lastrevid|length|contentmodel)$/

/** Fields that follow a page's text, its revisions, whether it is there, what links to it and who may edit it. */
const pageDependentFields =
  /^query\.pages\[\*\]\.(?:extlinks|pageimage|thumbnail|original|pageprops|categories|categoryinfo|links|templates|images|langlinks|langlinkscount|iwlinks|fileusage|linkshere|redirects|transcludedin|contributors|anoncontributors|coordinates|extract|revisions|deletedrevisions|length|touched|new|redirect|missing|known|protection|displaytitle|varianttitles|lastrevid|contentmodel|imageinfo|imagerepository|duplicatefiles|watchers|description|tocdata|terms)\b|^query\.(?:users|allusers)\[\*\]\.(?:block|editcount|groups|implicitgroups|rights|groupmemberships)|^parse\.(?!$)\w|^compare\b|^query\.search\b/

/** The pages that a change is about: an item of `query.pages`, or what the request names alone. */
function pagesOf({ path, requests }: Change, site: SiteFacts | undefined): readonly string[] {
  for (let at: Path | undefined = path; at !== undefined; at = at.parent) {
    const named = at.kind === 'item' ? /^(?:title|name)=(.*)$/s.exec(at.step)?.[1] : undefined
    if (named !== undefined) return [named]
  }
  const request = requests[0]?.request
  const both = ['fromtitle', 'totitle'].flatMap((name) => request?.get(name) ?? [])
  const alone = ['page', 'title', 'titles'].flatMap((name) => request?.get(name) ?? [])
  const named = alone.length === 1 ? [...alone, ...both] : both
  return named.map((title) => (site === undefined ? title : (canonicalTitle(title, site) ?? title)))
}

/** Titles of pages that are in another state on the other side: two answers to one request show it, or it was asked for. */
function findEditedPages(
  pairs: readonly AlignedPair[],
  { a, b, renumbered }: ContentContext,
): ReadonlySet<string> {
  const edited = new Set<string>()
  const compare = (one: StatesByTitle, other: StatesByTitle): void => {
    for (const [title, state] of one) {
      const after = other.get(title)
      if (after !== undefined && isOtherState(state, after)) edited.add(title)
    }
  }
  compare(recordedStates(a, renumbered()), recordedStates(b, renumbered()))
  const redirects = new Map<string, string>()
  for (const pair of pairs) {
    const [one, other] = [pair.a, pair.b].map(({ responses: [first] }) =>
      first?.body.kind === 'json' ? first.body.tree : undefined,
    )
    if (one === undefined || other === undefined) continue
    const named = pair.a.request.get('page')
    if (named !== undefined && hasContentError(one) !== hasContentError(other)) edited.add(named)
    for (const title of titlesParsed(one, other)) if (named !== undefined) redirects.set(named, title)
    if (!sameTree(one, other)) compare(statesIn(one, renumbered()), statesIn(other, renumbered()))
  }
  for (const [named, title] of redirects) if (edited.has(title)) edited.add(named)
  return edited
}

type StatesByTitle = ReadonlyMap<string, PageState>

/** What both sides kept of their pages, less what counts in numbers of its own. */
function recordedStates({ pages = new Map() }: CassetteSide, renumbered: boolean): StatesByTitle {
  if (!renumbered) return pages
  const isOwnNumber = (name: string): boolean => numberedStateFields.some((own) => own === name)
  return new Map(
    [...pages].map(
      ([title, state]) => [title, new Map([...state].filter(([name]) => !isOwnNumber(name)))] as const,
    ),
  )
}

/** Of which page a parse is: where a redirect was followed it is another than the one named. */
const titlesParsed = (...answers: readonly JsonTree[]): readonly string[] =>
  answers.flatMap((tree) => textOf(memberAt(tree, 'parse', 'title')) ?? [])

const hasContentError = (tree: JsonTree): boolean =>
  contentErrors.has(textOf(memberAt(tree, 'error', 'code')) ?? '')

const stateFields = ['length', 'missing', 'redirect', 'protection', 'blockid', 'groups'] as const
/** Another number there says nothing where the wikis count differently. */
const numberedStateFields = ['lastrevid', 'revid'] as const
const revisionStateFields = ['timestamp', 'size', 'sha1', '*', 'content'] as const

function statesIn(tree: JsonTree, renumbered: boolean): StatesByTitle {
  const states = new Map<string, PageState>()
  const inQuery = ['pages', 'users', 'allusers'].flatMap((name) => {
    const list = memberAt(tree, 'query', name)
    return list?.kind === 'array' ? list.items : membersOf(list).map(({ value }) => value)
  })
  for (const one of [...inQuery, memberOf(tree, 'parse')]) {
    const title = textOf(memberOf(one, 'title') ?? memberOf(one, 'name'))
    if (one !== undefined && title !== undefined) states.set(title, stateOf(one, renumbered))
  }
  return states
}

function stateOf(page: JsonTree, renumbered: boolean): PageState {
  const state = new Map<string, JsonTree>()
  const names = renumbered ? stateFields : [...stateFields, ...numberedStateFields]
  for (const name of names) {
    const value = memberOf(page, name)
    if (value !== undefined) state.set(name, value)
  }
  const revisions = memberOf(page, 'revisions')
  const [newest] = revisions?.kind === 'array' ? revisions.items : []
  for (const name of renumbered ? revisionStateFields : ([...revisionStateFields, 'revid'] as const)) {
    const value = memberOf(newest, name)
    if (value !== undefined) state.set(`revision ${name}`, value)
  }
  return state
}

/** A flag says no by its absence; any other member that only one side has says nothing. */
function isOtherState(a: PageState, b: PageState): boolean {
  if (flags.some((flag) => isSet(a.get(flag)) !== isSet(b.get(flag)))) return true
  // The same text under another number was only protected, moved, or counted elsewhere.
  const ignored = a.has('sha1') && b.has('sha1') ? [...flags, ...numberedStateFields] : flags
  return [...a].some(([name, value]) => {
    const other = b.get(name)
    return !ignored.some((one) => one === name) && other !== undefined && !sameTree(value, other)
  })
}

const flags = ['missing', 'redirect', 'blockid'] as const

const isSet = (flag: JsonTree | undefined): boolean =>
  flag !== undefined && !(flag.kind === 'literal' && flag.text === 'false')
