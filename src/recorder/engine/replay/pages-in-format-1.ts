/**
 * Pages recorded in formatversion 2, each by itself in formatversion 1, which writes only booleans otherwise, in modules that
 * show no text of a page. Source: ApiResult::applyTransformations; compared on 1.35, 1.39 and 1.43.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import {
  itemsAt,
  type JsonTree,
  jsonObject,
  jsonString,
  membersAt,
  membersOf,
  textAt
} from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import { inFormat1 } from '../../playback/compose/paraminfo-module.ts'
import { pageIdOf } from '../../playback/reorder/page-order.ts'
import type { Derivation } from '../../request/derive.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import { wordSet } from '../../text/words.ts'
import { valuesOf, withoutParams } from '../../wiki/parameters/request-params.ts'

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

export function pagesInFormat1(
  { canonical }: Derivation,
  recordings: Iterable<Interaction>
): readonly Interaction[] {
  const isPlain =
    canonical.has('titles') &&
    (canonical.get('formatversion') ?? '1') === '1' &&
    !canonical.has('rvslots') &&
    !canonical.has('intestactionsdetail') &&
    valuesOf(canonical, 'prop').every((one) => plainModules.has(one)) &&
    valuesOf(canonical, 'inprop').every((one) => plainInfo.has(one)) &&
    valuesOf(canonical, 'rvprop').every((one) => plainProps.has(one))
  if (!isPlain) return []
  const others = ['titles', 'formatversion', epochParam]
  const wanted = withoutParams(canonical, ...others)
  return [...recordings].flatMap((from) => {
    const { request } = from
    const body = request.get('formatversion') === '2' ? singleAnswerOf(from) : undefined
    if (!body || !sameTexts(withoutParams(request, ...others), wanted)) return []
    const members = [...membersOf(body), ...membersAt(body, 'query')]
    if (!members.every(({ key }) => plainMembers.has(key))) return []
    return itemsAt(body, 'query', 'pages')
      .filter((page) => pageIdOf(page) > 0)
      .map((page) => alone(from, page))
  })
}

function alone(from: Interaction, page: JsonTree): Interaction {
  const title = textAt(page, 'title') ?? ''
  const pages = jsonObject([[String(pageIdOf(page)), inFormat1(page)]])
  const tree = jsonObject([
    ['batchcomplete', jsonString('')],
    ['query', jsonObject([['pages', pages]])]
  ])
  const request = new Map(withoutParams(from.request, 'formatversion'))
  return {
    ...from,
    request: request.set('titles', title),
    sentValues: new Map(from.sentValues).set('titles', title),
    responses: [{ ...from.responses[0], body: { kind: 'json', tree, spelling: 'ascii' } }]
  }
}
