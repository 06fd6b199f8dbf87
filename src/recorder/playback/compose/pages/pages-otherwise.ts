/**
 * Recorded pages as the wiki shows them to another request: in the other version of the JSON format, which writes only
 * booleans and texts otherwise, and with fewer terms of an entity. Source: ApiResult::applyTransformations,
 * Wikibase's EntityTerms::addTermsToResult; compared on 1.35, 1.39, 1.43 and 1.45.
 */
import { type Interaction, sameTexts } from '../../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  mapMembers,
  membersAt,
  membersOf,
  objectOf,
  replaceMember
} from '../../../json/json-tree.ts'
import { singleAnswerOf } from '../../../paging/reading/batch.ts'
import type { Derivation } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { epochParam } from '../../../request/scoped-keys.ts'
import { wordSet } from '../../../text/words.ts'
import { valuesOf, withoutParams } from '../../../wiki/parameters/request-params.ts'
import { pageExists } from '../../reorder/page-order.ts'
import { inFormat1 } from '../paraminfo-module.ts'
import { recordingOfPage } from './generated-pages.ts'

const plainModules = wordSet('info pageprops revisions entityterms')
/** What a page shows without its text, and without messages. */
const plainInfo = wordSet(
  'protection talkid watched watchers visitingwatchers notificationtimestamp subjectid associatedpage url readable preload ' +
    'displaytitle linkclasses'
)
/** What a revision shows without its text. */
const plainProps = wordSet(
  'ids flags timestamp user userid size sha1 comment parsedcomment tags roles contentmodel'
)
const plainMembers = wordSet('batchcomplete query pages normalized')

const termsParam = 'wbetterms'

/** @returns a recording of each page by itself, where another version, or other terms were recorded */
export function pagesOtherwise(
  { canonical }: Derivation,
  recordings: Iterable<Interaction>
): readonly Interaction[] {
  const isPlain =
    canonical.has('titles') &&
    !canonical.has('intestactionsdetail') &&
    valuesOf(canonical, 'prop').every((one) => plainModules.has(one)) &&
    valuesOf(canonical, 'inprop').every((one) => plainInfo.has(one)) &&
    isPlainRevision(canonical)
  if (!isPlain) return []
  const wanted = withoutParams(canonical, ...others)
  return [...recordings].flatMap((from) => {
    const body = singleAnswerOf(from)
    if (!body || !sameTexts(withoutParams(from.request, ...others), wanted)) return []
    const show = conversionOf(from.request, canonical)
    const members = [...membersOf(body), ...membersAt(body, 'query')]
    if (!show || !members.every(({ key }) => plainMembers.has(key))) return []
    return itemsAt(body, 'query', 'pages')
      .filter(pageExists)
      .map((page) => recordingOfPage(from, show(page), canonical))
  })
}

/** Which pages are meant, how they are written, and when. */
const others: readonly string[] = ['titles', 'formatversion', epochParam, termsParam]

const versionOf = (request: CanonicalRequest) => request.get('formatversion') ?? '1'

/** Texts are in slots, if at all: beside them version 1 moves a text behind all that comes later. */
const isPlainRevision = (request: CanonicalRequest) =>
  valuesOf(request, 'rvprop').every(
    (one) => plainProps.has(one) || (one === 'content' && request.has('rvslots'))
  )

type Conversion = (page: JsonTree) => JsonTree

/** Undefined where both requests show pages alike, and where no page can be converted. */
function conversionOf(
  recorded: CanonicalRequest,
  wanted: CanonicalRequest
): Conversion | undefined {
  const terms = termsIn(recorded)
  const wantedTerms = termsIn(wanted)
  const isFewer = terms.length > wantedTerms.length
  const isAlike = versionOf(recorded) === versionOf(wanted)
  if (!wantedTerms.every((one) => terms.includes(one)) || (isAlike && !isFewer))
    return undefined
  const convert = isAlike ? (page: JsonTree) => page : toVersionOf(wanted)
  return convert && ((page) => convert(isFewer ? withTerms(page, wantedTerms) : page))
}

function toVersionOf(wanted: CanonicalRequest): Conversion | undefined {
  const version = versionOf(wanted)
  if (version === '1') return toFormat1
  return version === '2' ? toFormat2(wanted) : undefined
}

const allTerms = ['alias', 'label', 'description']
const termsIn = (request: CanonicalRequest) =>
  request.has(termsParam) ? valuesOf(request, termsParam) : allTerms

/** A page without any of these has no such member. */
const withTerms = (page: JsonTree, terms: readonly string[]) =>
  objectOf(
    membersOf(page).flatMap(({ key, value }) => {
      if (key !== 'entityterms') return [{ key, value }]
      const left = membersOf(value).filter((one) => terms.includes(one.key))
      return left.length > 0 ? [{ key, value: objectOf(left) }] : []
    })
  )

const toFormat1: Conversion = (page) =>
  inFormat1(mapSlots(page, (slot) => renameMember(slot, 'content', '*')))

/** What is true where it is there, and else is not written in version 2 either. */
const flags = wordSet(
  'new redirect cascade anon temp userhidden sha1hidden commenthidden suppressed texthidden ' +
    'textmissing badcontentformat nosuchsection'
)

/** Undefined where version 2 writes booleans that are false, of which version 1 does not show the place. */
function toFormat2(wanted: CanonicalRequest): Conversion | undefined {
  const hides = ['watched', 'readable'].some((one) =>
    valuesOf(wanted, 'inprop').includes(one)
  )
  if (hides || wanted.has('intestactions')) return undefined
  const isShowingFlags =
    !wanted.has('rvprop') || valuesOf(wanted, 'rvprop').includes('flags')
  const rowOf = (row: JsonTree) =>
    isShowingFlags ? withMinor(withFlags(row)) : withFlags(row)
  return (page) =>
    replaceMember(
      replaceMember(withFlags(mapSlots(page, slotInFormat2)), 'protection', (rows) =>
        mapRows(rows, withFlags)
      ),
      'revisions',
      (rows) => mapRows(rows, rowOf)
    )
}

const mapRows = (rows: JsonTree, map: (row: JsonTree) => JsonTree) =>
  jsonArray(itemsOf(rows).map(map))

const withFlags = (row: JsonTree) =>
  mapMembers(row, (value, key) => (flags.has(key) ? jsonLiteral(true) : value))

/** Behind the ids. Source: ApiQueryRevisionsBase::extractRevisionInfo */
function withMinor(row: JsonTree) {
  const members = membersOf(row).filter(({ key }) => key !== 'minor')
  const value = jsonLiteral(hasMember(row, 'minor'))
  const at = members.findLastIndex(({ key }) => /^(?:rev|parent)id$/.test(key)) + 1
  return objectOf(members.toSpliced(at, 0, { key: 'minor', value }))
}

const mapSlots = (page: JsonTree, map: (slot: JsonTree) => JsonTree) =>
  replaceMember(page, 'revisions', (rows) =>
    mapRows(rows, (row) => replaceMember(row, 'slots', (slots) => mapMembers(slots, map)))
  )

/** The text of a slot is its last member in both versions. */
const slotInFormat2 = (slot: JsonTree) => withFlags(renameMember(slot, '*', 'content'))

const renameMember = (tree: JsonTree, from: string, to: string) =>
  objectOf(
    membersOf(tree).map(({ key, value }) => ({ key: key === from ? to : key, value }))
  )
