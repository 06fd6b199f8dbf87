/**
 * Pages that a generator chose: what props say of a page that is there does not depend on who named it.
 * Source: ApiQuery::execute, ApiPageSet::executeInternal, MediaWiki 1.35 to 1.45.
 */
import type { Interaction } from '../../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  jsonArray,
  jsonLiteral,
  jsonObject,
  jsonString,
  membersAt,
  membersOf,
  textAt
} from '../../../json/json-tree.ts'
import { hasQuirk } from '../../../knowledge/module-quirks.ts'
import { singleAnswerOf, withAnswer } from '../../../paging/reading/batch.ts'
import { type CanonicalRequest, keyedRequest } from '../../../request/request-key.ts'
import { epochParam } from '../../../request/scoped-keys.ts'
import { wordSet } from '../../../text/words.ts'
import type { ModuleLookup } from '../../../wiki/modules/module-descriptions.ts'
import { valuesOf, withoutParams } from '../../../wiki/parameters/request-params.ts'
import { pageExists, pageIdOf } from '../../reorder/page-order.ts'

const plainMembers = wordSet('batchcomplete continue limits query pages')

/** They say the same of a page in each batch. Among other files a file has fewer rows, for one. */
const plainProps = wordSet(
  'info pageprops entityterms categories links templates images iwlinks langlinks'
)

/** Each page by itself, as if its title had been sent; the recording itself where no generator only chose pages. */
export function pagesOfGenerator(
  from: Interaction,
  lookup: ModuleLookup
): readonly Interaction[] {
  const { request } = from
  const generator = request.get('generator')
  if (generator === undefined) return [from]
  const { prefix, parameters } = lookup(`query+${generator}`) ?? {}
  const body = singleAnswerOf(from)
  // Other generators may choose revisions, or say something of the pages.
  const isPlain =
    hasQuirk('own-class', generator) &&
    valuesOf(request, 'prop').every((one) => plainProps.has(one))
  // Modules that have finished say nothing of the pages.
  const isWhole = /^$|\|\|$/.test(request.get('continue') ?? '')
  if (!parameters || !body || !isPlain || !isWhole || !hasPlainPages(body)) return [from]
  const own = [...parameters.keys()].map((name) => `g${prefix}${name}`)
  const named = ['generator', 'continue', 'pageids', 'revids']
  const wanted = withoutParams(request, ...named, ...own)
  // What that of a prop means stands beside the pages.
  if ([...wanted.values()].includes('max')) return [from]
  return itemsAt(body, 'query', 'pages')
    .filter((page) => pageExists(page) && !hasMember(page, 'index'))
    .map((page) => recordingOfPage(from, page, wanted))
}

function hasPlainPages(body: JsonTree) {
  const members = [...membersOf(body), ...membersAt(body, 'query')]
  const isComplete = hasMember(body, 'batchcomplete')
  return isComplete && members.every(({ key }) => plainMembers.has(key))
}

/** The recording as if only this page had been asked for. @param wanted the request, but for its page and its epoch */
export function recordingOfPage(
  from: Interaction,
  page: JsonTree,
  wanted: CanonicalRequest
): Interaction {
  const title = textAt(page, 'title') ?? ''
  const isOld = (wanted.get('formatversion') ?? '1') === '1'
  const pages = isOld ? jsonObject([[String(pageIdOf(page)), page]]) : jsonArray([page])
  const tree = jsonObject([
    ['batchcomplete', isOld ? jsonString('') : jsonLiteral(true)],
    ['query', jsonObject([['pages', pages]])]
  ])
  const request = new Map([...wanted, ['titles', title]])
  const epoch = from.request.get(epochParam)
  if (epoch === undefined) request.delete(epochParam)
  else request.set(epochParam, epoch)
  const sentValues = new Map(from.sentValues).set('titles', title)
  return withAnswer(from, { request: keyedRequest(request).canonical, sentValues }, tree)
}
