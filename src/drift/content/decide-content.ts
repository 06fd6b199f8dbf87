/** Whether a change is content, which fails no job: people edited the wiki, its software answers as before. */
import {
  type JsonTree,
  scalarTextOf,
  textAt,
  textOf
} from '../../recorder/json/json-tree.ts'
import { splitValues } from '../../recorder/wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../recorder/wiki/site/site-facts.ts'
import {
  type Change,
  fieldOf,
  type Path,
  parentFieldOf,
  selfAndParents,
  templateOf,
  writePath
} from '../changes/change.ts'
import { familyOf, hasTrait, kinds } from '../changes/kinds.ts'
import { restRouteOf } from '../inputs/cassette-side.ts'
import type { KnownChangeLookup } from '../releases/known-changes.ts'
import { contentErrors, pagesOfChange } from './edited-pages.ts'
import { fields, holdsContent, isEnvironment, patterns } from './field-names.ts'
import { isFlag } from './same-state.ts'
import type { EditEvidence } from './wiki-evidence.ts'

/** The mark of a value that shows that something broke. */
export const broken = 'broken'

/** What is known of both sides before any answer is compared. */
export interface ContentFacts {
  /** Both sides run one release. */
  readonly sameRelease: boolean
  /** They do, and with the same modules. */
  readonly sameSoftware: boolean
  /** What releases between the two changed on purpose. */
  readonly known: KnownChangeLookup
  /** Titles of pages whose state differs between the sides; found on demand. */
  readonly editedPages: () => ReadonlySet<string>
  readonly editEvidence: () => EditEvidence
  /** The two wikis give the same pages other ids. */
  readonly renumbered: () => boolean
  /** More walks end elsewhere than edits explain. */
  readonly haveWalksOtherEnds: () => boolean
  /** No row was added to the log. */
  readonly isLogSame: () => boolean
  /** Names of users that were renamed on the wiki. */
  readonly renamedUsers: () => ReadonlySet<string>
  /** Extensions, magic words or the like differ. */
  readonly isConfiguredOtherwise: () => boolean
  readonly site: SiteFacts | undefined
  /** When B was recorded. */
  readonly recorded: string
}

export function isContent(change: Change, facts: ContentFacts): boolean {
  const { axis, kind, path, mark, severity } = change
  if (axis !== 'behaviour') return false
  if (isAboutContent(change) || isRename(change, facts)) return true
  if (kind === 'value.changed' && holdsContent(path)) return !isFixed(change, facts)
  if (mark === 'end')
    return !(
      facts.haveWalksOtherEnds() ||
      (facts.sameSoftware && facts.editEvidence() === 'unedited')
    )
  if (!kinds[kind].canBeContent) return false
  // What rest.php shows of another revision; not what it says of each.
  if (isRest(change) && touchedAt(path))
    return severity !== 'breaking' || fieldOf(path) === 'redirect_target'
  const place = templateOf(path)
  if (isGeneratorResult(change, place)) return facts.editEvidence() !== 'unedited'
  if (familyOf(kind) === 'field' && patterns.permanent.test(place)) return false
  // An extension may be there on one side alone; people edit both wikis.
  if (facts.sameRelease) {
    if (isSetting(path, place)) return false
    return (
      isValue(change, place, facts) ||
      (touchedAt(path) ?? isAboutEditedPage(change, facts))
    )
  }
  // Nothing but hiding it changes a row of the log.
  if (place.startsWith('query.logevents[') && touchedAt(path)) return true
  // A release's change shows on edited pages, too.
  const isReleased = facts.known(change, place) !== undefined
  return (
    !isReleased && patterns.pageDependent.test(place) && isAboutEditedPage(change, facts)
  )
}

/** True if a page that the change is about is in another state on the other side. */
export const isAboutEditedPage = (change: Change, facts: ContentFacts): boolean =>
  pagesOfChange(change, facts.site).some((title) => facts.editedPages().has(title))

/** Whether the page, revision or row that holds the place is in another state; undefined if nothing shows it. */
const touchedAt = (path: Path) =>
  selfAndParents(path).find(({ touched }) => touched !== undefined)?.touched

function isFixed(
  { path, before, after, requests }: Change,
  { renumbered }: ContentFacts
) {
  const field = fieldOf(path)
  const place = templateOf(path)
  // Behind another host is the same wiki, or a copy of it.
  if (fields.titles.has(field))
    return (
      selfAndParents(path).find(({ kind }) => kind === 'item')?.sameTitle === true &&
      withoutHost(before) !== withoutHost(after)
    )
  if (place === 'query.userinfo.id') return !renumbered()
  if (touchedAt(path) !== false) return false
  if (patterns.savedText.test(place))
    return ![...(requests[0]?.request.keys() ?? [])].some((name) =>
      patterns.textParams.test(name)
    )
  return (
    fields.fixed.has(field) ||
    patterns.imageSize.test(place) ||
    (field === 'userid' && !renumbered()) ||
    // Who hides a part of a revision hides it in its comparisons.
    (place.startsWith('compare.') && !place.endsWith('hidden'))
  )
}

/** All that rest.php and Wikibase say of a revision follows from it. */
const isOfOneRevision = (change: Change) =>
  touchedAt(change.path) === false &&
  (isRest(change) || selfAndParents(change.path).at(-2)?.step === 'entities')

const isRest = ({ requests: [first] }: Change) => first && restRouteOf(first.request)

const withoutHost = (value: JsonTree | undefined) =>
  (scalarTextOf(value) ?? '').replace(/^(?:https?:)?\/\/[^/]*/, '')

/** A user's new name is in every revision and row of a log that is theirs; nothing is found by the old one. */
function isRename({ kind, path, before, after, requests }: Change, facts: ContentFacts) {
  const isRenamed = (name: string | undefined) => facts.renamedUsers().has(name ?? '')
  if (kind === 'value.changed' && [fieldOf(path), parentFieldOf(path)].includes('user'))
    return [before, after].every((name) => isRenamed(textOf(name)))
  const isSent = ([name, value]: readonly [string, string]) =>
    /users?$/.test(name) && splitValues(value).some(isRenamed)
  return (
    /^(?:items|field)/.test(kind) &&
    requests.some(({ request }) => [...request].some(isSent))
  )
}

/** Where nothing generates a page any more, the answer has none. */
const isGeneratorResult = ({ kind, requests }: Change, place: string) =>
  familyOf(kind) === 'field' &&
  /^query(?:\.pages)?$/.test(place) &&
  requests[0]?.request.has('generator') === true

/** True for what would be content, if anything had happened on the wiki; and for rows that are there twice. */
export function isUnexplained(change: Change, facts: ContentFacts): boolean {
  const { kind, path, mark, requests } = change
  const place = templateOf(path)
  // Nobody gives the groups that all have.
  const isImplicit = /\.groups\[(?:\*|user)\]$/.test(writePath(path))
  if (mark === 'twice' || mark === broken || isImplicit) return true
  if (isOfOneRevision(change) && !isRename(change, facts)) return true
  if (facts.editEvidence() !== 'unedited') return false
  if (facts.sameSoftware && isStill(change, facts)) return true
  if (kind !== 'items.fewer') return false
  if (patterns.otherPages.test(place.replace(/\[\*\]$/, ''))) return true
  // A release may have another idea of the rows of a list.
  if (!facts.sameSoftware) return false
  if (place !== 'query.pages[*]') return patterns.lasting.test(place)
  const generator = requests[0]?.request.get('generator') ?? ''
  return fields.lasting.has(generator) || fields.lastingOfPages.has(generator)
}

/** True if no log, clock, cache or search index can explain it. */
function isStill(change: Change, facts: ContentFacts) {
  const { path, requests } = change
  if (touchedAt(path) || isRename(change, facts)) return false
  if (isAboutEditedPage(change, facts) || isEnvironment(path)) return false
  if (fieldOf(path) === 'editcount') return true
  const place = templateOf(path)
  if (patterns.logged.test(place))
    return (
      patterns.loggedAlone.test(place) && facts.isLogSame() && isLasting(change, facts)
    )
  const list = requests[0]?.request.get('list') ?? ''
  return !fields.volatile.has(list) || (fields.indexed.has(list) && !change.hasOtherRows)
}

/** False for what may end by itself: a block or a protection with a last day. */
function isLasting({ kind, path, before, after }: Change, { recorded }: ContentFacts) {
  if (familyOf(kind) === 'items') {
    const end = textAt(before ?? after, 'expiry') ?? ''
    return /^infinit/.test(end) || (recorded !== '' && end > recorded)
  }
  const isForever = [before, after].some((one) => /^infinit/.test(textOf(one) ?? ''))
  return isForever || fieldOf(path) !== 'expiry'
}

/** True for what the same software answers otherwise without an edit of the page or row itself. */
function isValue(change: Change, place: string, facts: ContentFacts) {
  const { kind, before, after, severity, mark } = change
  // The order of a set says nothing.
  if (kind === 'order.changed') return severity === 'cosmetic'
  if (kind === 'continuation.batch') return mark === 'pages'
  if (hasTrait(kind, 'form')) return false

  const family = familyOf(kind)
  if (family === 'items') return !patterns.named.test(place)
  // No links at all, or a flag that is off: such a member is left out.
  if (family === 'field' && !isFlag(before ?? after))
    return patterns.otherPages.test(place)
  return !isFixed(change, facts)
}

function isAboutContent({ kind, mark, note, requests }: Change) {
  // Only a revision by its number can be gone; `rvdiffto=prev` is understood or not.
  const namesRevision = ([name, value]: readonly [string, string]) =>
    /rev|oldid|diff|(?:start|end)id/.test(name) && /^\d[\d|]*$/.test(value)
  if (
    mark === 'nosuchrevid' &&
    !requests.every(({ request }) => [...request].some(namesRevision))
  )
    return false
  if (kind === 'error.appeared' || kind === 'error.disappeared')
    return contentErrors.has(mark)
  if (kind !== 'error.code-changed' || typeof note === 'string') return false
  return contentErrors.has(note.from) && contentErrors.has(note.to)
}

/** The wiki's configuration, as against its pages. */
const isSetting = ({ parent }: Path, place: string) =>
  !/^(?:text|html)$/.test(place) &&
  (patterns.settings.test(place) || parent?.kind === 'root')
