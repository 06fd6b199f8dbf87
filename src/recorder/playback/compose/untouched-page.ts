/**
 * What a recorded page itself proves: that other writes did not touch it. `info` shows when a page was last touched. An edit
 * touches the pages that include the edited one, and a new page those that link to it; categories and files also change with
 * their members. Source: WikiPage::onArticleCreate, ::onArticleEdit, Title::touchLinks, LinksUpdate::doIncrementalUpdate,
 * HTMLCacheUpdateJob, RestrictionStore::getCascadeProtectionSources, MediaWiki 1.35 to 1.43.
 */
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberAt,
  textAt
} from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import {
  type ReadSet,
  readSetOf,
  readsPages,
  whyAffected
} from '../../wiki/effects/read-set.ts'
import { editedPage } from '../../wiki/effects/write-order.ts'
import {
  isWithoutMarkup,
  namedTitles,
  type WriteSet
} from '../../wiki/effects/write-set.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { namespaceOf, titleIn } from '../reorder/page-order.ts'
import { type SessionWrite, sameWrites } from '../session/write-log.ts'

/** A page of a recorded answer, and the writes before that answer, and before the present request. */
interface RecordedPage {
  readonly page: JsonTree
  readonly requested: CanonicalRequest
  readonly recorded: readonly SessionWrite[]
  readonly made: readonly SessionWrite[]
  readonly site: SiteFacts
}

/** True if the page is the same after both, but for what no answer to this request shows. */
export function isUntouched({
  page,
  requested,
  recorded,
  made,
  site
}: RecordedPage): boolean {
  const own = ownReadSet(page, requested, site)
  if (!own) return false
  const touched = textAt(page, 'touched')
  if (isTouchedApart(touched, recorded, made)) return true
  const created = [...recorded, ...made].map(({ writeSet }) => createdPage(writeSet))
  const isCascading = valuesOf(requested, 'inprop').includes('protection')
  const isHarmless = (writeSet: WriteSet) => {
    if (writeSet.kind === 'purge' || writeSet.kind === 'news') return true
    if (writeSet.kind === 'pages' && writeSet.how === 'watched') return true
    const edited = editedPage(writeSet)
    // A page that was protected may protect what it includes.
    return edited !== undefined && (!isCascading || created.includes(edited))
  }
  const counts = ({ writeSet }: SessionWrite, by: ReadSet) =>
    whyAffected(writeSet, by) !== undefined || !isHarmless(writeSet)
  const counted = recorded.filter((one) => counts(one, own))
  if (!own.purged || isPlainPage(page, requested, own, counted.at(-1)))
    return sameWrites(
      counted,
      made.filter((one) => counts(one, own))
    )
  const mayMove =
    !isCascading || !itemsAt(page, 'protection').some((one) => hasMember(one, 'source'))
  const isUnrelated = (one: SessionWrite) =>
    one.writeSet.kind === 'content' ? mayMove : !counts(one, { ...own, purged: false })
  // An edit of a page whose edit or creation has not touched the page: it neither includes it nor, if it is created, links to it.
  const isHarmlessEdit = ({ writeSet }: SessionWrite) => {
    const edited = editedPage(writeSet)
    const writtenBy = createdPage(writeSet) === undefined ? editedPage : createdPage
    return (
      edited !== undefined && recorded.some((one) => writtenBy(one.writeSet) === edited)
    )
  }
  return (
    isTouchedBefore(touched, recorded) &&
    recorded.every(isUnrelated) &&
    made.every(
      (one) => recorded.some(({ key }) => key === one.key) || isHarmlessEdit(one)
    )
  )
}

/** What only its own writes change; undefined if the answer shows more, or the page shows its members. */
function ownReadSet(page: JsonTree, requested: CanonicalRequest, site: SiteFacts) {
  const title = titleIn(page)
  const isMissing = hasMember(page, 'missing')
  const inner = [6, 14].includes(namespaceOf(page) ?? 14) || (namespaceOf(page) ?? -1) < 0
  const shown = valuesOf(requested, 'inprop')
  if (inner || !shown.every((one) => one === 'protection' || one === 'url'))
    return undefined
  const rest = new Map([...requested, ['titles', title]])
  rest.delete('pageids')
  without(rest, 'prop', ['info', 'categoryinfo'])
  without(rest, 'uiprop', ['blockinfo', 'hasmsg'])
  const names = namedTitles([title], site)?.names
  if (!names || readSetOf(rest, 'read', site).kind !== 'pages') return undefined
  return { ...readsPages(names), purged: !isMissing }
}

function without(request: Map<string, string>, name: string, values: readonly string[]) {
  const left = valuesOf(request, name).filter((one) => !values.includes(one))
  if (left.length === 0) request.delete(name)
  else request.set(name, left.join('|'))
}

const createdPage = (writeSet: WriteSet) =>
  writeSet.kind === 'pages' && writeSet.how === 'created'
    ? editedPage(writeSet)
    : undefined

/** True of a page that links to nothing and includes nothing: its answer shows the text, or it was just written. */
function isPlainPage(
  page: JsonTree,
  requested: CanonicalRequest,
  own: ReadSet,
  last: SessionWrite | undefined
) {
  const [revision] = itemsAt(page, 'revisions')
  const main = memberAt(revision, 'slots', 'main') ?? revision
  const text = textAt(main, 'content') ?? textAt(main, '*')
  // Others choose an older revision, or a part of it.
  const isWhole = [...requested.keys()].every((name) => !/^rv(?!prop$|slots$)/.test(name))
  if (text !== undefined && isWhole) return isWithoutMarkup(text)
  const written = last && editedPage(last.writeSet)
  const isPlain = last?.writeSet.kind === 'pages' && last.writeSet.isPlain === true
  return isPlain && written !== undefined && own.titles.has(written)
}

/** True after the same edits in another order, if the page was last touched before or behind those that were exchanged. */
function isTouchedApart(
  touched: string | undefined,
  recorded: readonly SessionWrite[],
  made: readonly SessionWrite[]
) {
  if (!sameWrites(recorded, made, false)) return false
  const times = recorded.filter(({ key }, at) => made[at]?.key !== key).map(timeOf)
  return (
    times.every((one) => isBefore(touched, one)) ||
    times.every((one) => isBefore(one, touched))
  )
}

const timeOf = ({ writeSet }: SessionWrite) =>
  writeSet.kind === 'pages' ? writeSet.at : undefined

const isBefore = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one < other

/** True if the page was last touched before all of these writes, of which none has touched it therefore. */
const isTouchedBefore = (
  touched: string | undefined,
  recorded: readonly SessionWrite[]
) =>
  // The first of them tells when they began; only edits are exchanged with it.
  recorded.every((one, at) => {
    const time = timeOf(one)
    return (at > 0 && time === undefined) || isBefore(touched, time)
  }) && recorded.length > 0
