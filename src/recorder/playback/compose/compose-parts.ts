/**
 * Answers to a part of a recorded set: one title with `redirects`, some of the `revids`. What the wiki says of a page or a
 * revision does not depend on the others. Source: ApiPageSet::resolvePendingRedirects, ApiPageSet::initFromRevIDs,
 * ApiQuery::outputGeneralPageInfo; measured on 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../../cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  itemsOf,
  type JsonTree,
  jsonArray,
  memberAt,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  textAt
} from '../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { valuesOf } from '../../wiki/parameters/request-params.ts'
import { namespaceOf, pageExists, titleIn } from '../reorder/page-order.ts'
import { hasOnlyQuery, listMember, pageSiblings } from '../reorder/page-siblings.ts'
import {
  canonicalTitles,
  knownEntry,
  rebuildNormalized,
  reorderIds
} from '../reorder/reorder-pages.ts'
import {
  answerForOthers,
  type ComposedAnswer,
  composedOf,
  pagesIn,
  withPages
} from './composed-answer.ts'
import { isPageCurrent, type WriteHistory } from './page-validity.ts'

/** Parameters that take pages from elsewhere, or give more than pages. */
const otherSources: readonly string[] = [
  'generator',
  'list',
  'export',
  'converttitles',
  'pageids'
]

const isPartOf = (canonical: CanonicalRequest, others: readonly string[]) =>
  canonical.get('action') === 'query' &&
  ![...otherSources, ...others].some((name) => canonical.has(name))

/** A whole answer to the same request for more of `by`, in this request's order of modules. */
function wholeAnswer(
  from: Interaction,
  derivation: Derivation,
  by: 'titles' | 'revids',
  { site }: WikiFacts
) {
  const body = answerForOthers(from, derivation, by, { site })
  const isWhole =
    body !== undefined && hasOnlyQuery(body) && hasMember(body, 'batchcomplete')
  return isWhole && pageSiblings(body) ? body : undefined
}

/** One title out of a set that was recorded with `redirects`. @param history writes before this request */
export function composeRedirected(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts,
  history: WriteHistory
): ComposedAnswer | undefined {
  const { canonical, sentValues } = derivation
  const { site } = facts
  const [title, another] = valuesOf(canonical, 'titles')
  const isOfOne =
    title !== undefined && another === undefined && canonical.has('redirects')
  if (!isOfOne || !site || !isPartOf(canonical, ['revids'])) return undefined
  const named = canonicalTitles(sentValues.get('titles') ?? title, site)
  if (!named) return undefined
  for (const from of recordings) {
    if (!valuesOf(from.request, 'titles').includes(title)) continue
    const body = wholeAnswer(from, derivation, 'titles', facts)
    const found = body && followRedirects(body, title)
    if (!body || !found) continue
    const { chain, page } = found
    const isFormat2 = memberAt(body, 'query', 'pages')?.kind === 'array'
    const normalized = rebuildNormalized(
      memberAt(body, 'query', 'normalized'),
      named,
      knownEntry(isFormat2, site)
    )
    const titles = [title, titleIn(page)].join('|')
    if (
      !normalized ||
      !isPageCurrent(
        { from, requested: canonical, by: 'titles', page: titles },
        history,
        site
      )
    )
      continue
    const isThere = pageExists(page)
    const one = withPages(body, isThere ? [] : [page], isThere ? [page] : [], normalized)
    return composedOf(withRedirects(one, chain), [{ from, body }], derivation, facts)
  }
  return undefined
}

/** The redirects from a title on, and the page that they end at; undefined where that is not certain. */
function followRedirects(body: JsonTree, title: string) {
  const query = memberOf(body, 'query')
  if (['converted', 'interwiki', 'badrevids'].some((name) => hasMember(query, name)))
    return undefined
  const entries = itemsAt(query, 'redirects')
  const chain: JsonTree[] = []
  let at = title
  for (;;) {
    const next = entries.find((entry) => textAt(entry, 'from') === at)
    if (!next || chain.includes(next)) break
    chain.push(next)
    at = textAt(next, 'to') ?? ''
  }
  const page = pagesIn(body).find((one) => titleIn(one) === at)
  const isPlain = page !== undefined && (namespaceOf(page) ?? -1) >= 0
  return isPlain ? { chain, page } : undefined
}

const withRedirects = (body: JsonTree, chain: readonly JsonTree[]) =>
  replaceMember(body, 'query', (query) => {
    const members = membersOf(query)
    const at = members[0]?.key === 'normalized' ? 1 : 0
    return objectOf(members.toSpliced(at, 0, ...listMember('redirects', chain)))
  })

/** Some revisions out of a recorded set of them. */
export function composeRevisions(
  derivation: Derivation,
  recordings: Iterable<Interaction>,
  facts: WikiFacts
): ComposedAnswer | undefined {
  const { canonical, sentValues } = derivation
  const ids = valuesOf(canonical, 'revids')
  const showsRevisions = valuesOf(canonical, 'prop').includes('revisions')
  if (
    ids.length === 0 ||
    !showsRevisions ||
    !isPartOf(canonical, ['titles', 'redirects'])
  )
    return undefined
  for (const from of recordings) {
    // In the same epoch only.
    if (from.request.get('after writes') !== canonical.get('after writes')) continue
    const recorded = new Set(valuesOf(from.request, 'revids'))
    const body = ids.every((id) => recorded.has(id))
      ? wholeAnswer(from, derivation, 'revids', facts)
      : undefined
    const part = body && revisionsOf(body, new Set(ids))
    const ordered =
      part && reorderIds(part, 'revids', sentValues.get('revids') ?? ids.join('|'))
    if (body && ordered) return composedOf(ordered, [{ from, body }], derivation, facts)
  }
  return undefined
}

/** The answer without other revisions; undefined where it does not tell which is which. */
function revisionsOf(body: JsonTree, ids: ReadonlySet<string>) {
  const found = new Set<string>()
  let isCertain = !hasMember(body, 'query', 'pageids')
  const partOf = (page: JsonTree) => {
    const revisions = itemsAt(page, 'revisions')
    const own = revisions.filter((one) => ids.has(idIn(one)))
    if (revisions.length === 0 || revisions.some((one) => idIn(one) === ''))
      isCertain = false
    for (const one of own) found.add(idIn(one))
    return own.length === 0
      ? []
      : [replaceMember(page, 'revisions', () => jsonArray(own))]
  }
  const filter = (key: string, value: JsonTree) => {
    if (key === 'badrevids' && value.kind === 'object') {
      const bad = value.members.filter((member) => ids.has(member.key))
      for (const member of bad) found.add(member.key)
      return objectOf(bad)
    }
    if (key !== 'pages') return value
    if (value.kind === 'array') return jsonArray(value.items.flatMap(partOf))
    return objectOf(
      membersOf(value).flatMap((one) =>
        partOf(one.value).map((part) => ({ key: one.key, value: part }))
      )
    )
  }
  const part = replaceMember(body, 'query', (query) =>
    objectOf(
      membersOf(query)
        .map(({ key, value }) => ({ key, value: filter(key, value) }))
        // The wiki writes these only if there is something in them.
        .filter(
          ({ key, value }) =>
            !/^(?:badrevids|pages)$/.test(key) || itemsOf(value).length > 0
        )
    )
  )
  return isCertain && found.size === ids.size ? part : undefined
}

const idIn = (revision: JsonTree) => {
  const id = memberOf(revision, 'revid')
  return id?.kind === 'literal' ? id.text : ''
}
