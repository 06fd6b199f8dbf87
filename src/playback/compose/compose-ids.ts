/**
 * Pages asked for by `pageids` that were recorded in other sets. They stand by id, as the key of the wiki's table does;
 * measured on 1.35, 1.39 and 1.43 (test/live/page-sets.test.ts).
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  itemsOf,
  type JsonTree,
  jsonArray,
  jsonObject,
  jsonString,
  memberAt,
  memberOf,
  membersOf,
  replaceMember,
} from '../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import { existsAt, idOf, isRising } from '../reorder/database-order.ts'
import { membersBeside, sayTheSameBeside } from '../reorder/page-siblings.ts'
import { type Assembled, bodyOf, fits, recordedOtherwise, type Unassembled } from './composed-answer.ts'
import { isAlike, type Past, partHolds } from './page-validity.ts'

/** Parameters that make an answer more than the sum of its pages. */
const entangling = ['generator', 'list', 'titles', 'revids', 'redirects', 'converttitles', 'export']
/** Ids that one request of an ordinary caller may name. */
const mostIds = 50

interface Holder {
  readonly from: Interaction
  readonly body: JsonTree
  readonly page: JsonTree
}

/**
 * @param recordings those of the same modules, of any epoch; others are passed over
 * @param past after which writes each page is wanted
 */
export function assembleIds(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  past: Past,
): Assembled | Unassembled | undefined {
  const { canonical, effect } = derivation
  const wanted = [...new Set(splitValues(canonical.get('pageids') ?? ''))].map(Number)
  const plain =
    canonical.get('action') === 'query' &&
    effect === 'read' &&
    !entangling.some((name) => canonical.has(name))
  if (!plain || wanted.length === 0 || wanted.length > mostIds) return undefined
  const alike = [...recordings].filter((one) => isAlike(one.request, canonical, 'pageids'))
  const holders = alike.flatMap(holdersIn)
  const holds = (from: Interaction, id: number): boolean =>
    partHolds(from, canonical, 'pageids', String(id), past, facts.site)
  const used = [...wanted]
    .sort((a, b) => a - b)
    .flatMap((id) => holders.find(({ from, page }) => idOf(page) === id && holds(from, id)) ?? [])
  const [first] = used
  if (first === undefined || used.length < wanted.length) {
    const late = wanted.find((id) => !used.some(({ page }) => idOf(page) === id))
    const recorded = wanted.every((id) => holders.some(({ page }) => idOf(page) === id))
    const alone = alike.every(({ request }) => request.get('pageids') !== canonical.get('pageids'))
    return recorded && alone && late !== undefined ? recordedOtherwise(String(late)) : undefined
  }
  const pages = used.map(({ page }) => page)
  if (!fits(pages, derivation, facts)) return undefined
  if (!used.every(({ body }) => sayTheSameBeside(body, first.body))) return undefined
  return {
    kind: 'assembled',
    body: withPages(first.body, pages),
    from: [...new Set(used.map(({ from }) => from.key))],
  }
}

/** The pages of a whole answer that stand by id; none where it tells of more than pages that exist. */
function holdersIn(from: Interaction): readonly Holder[] {
  const body = bodyOf(from)
  const query = memberOf(body, 'query')
  const beside = membersBeside(body)
  if (body === undefined || beside === undefined) return []
  const top = membersOf(body).every(({ key }) => key === 'query' || key === 'batchcomplete')
  const known = new Set(['pages', 'pageids', ...beside.map(({ key }) => key)])
  const pages = itemsOf(memberOf(query, 'pages'))
  const whole = membersOf(query).every(({ key }) => known.has(key)) && pages.every(existsAt)
  return top && whole && isRising(pages.map(idOf)) ? pages.map((page) => ({ from, body, page })) : []
}

/** The answer with other pages, in the order given. */
function withPages(model: JsonTree, pages: readonly JsonTree[]): JsonTree {
  const numbers = pages.map((page) => String(idOf(page)))
  const held: JsonTree =
    memberAt(model, 'query', 'pages')?.kind === 'array'
      ? jsonArray(pages)
      : jsonObject(pages.map((page) => [String(idOf(page)), page]))
  return replaceMember(model, 'query', (query) => ({
    kind: 'object',
    members: membersOf(query).map(({ key, value }) => {
      if (key === 'pages') return { key, value: held }
      return { key, value: key === 'pageids' ? jsonArray(numbers.map(jsonString)) : value }
    }),
  }))
}
