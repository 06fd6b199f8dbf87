/**
 * The answer to `generator=templates`, recorded in another epoch. It changes only by a write of one of the pages, or of a
 * template that they include, and the request and its answer name all of them. Pywikibot sends it before each save.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation } from '../../request/derive.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type ComposedAnswer, isPageCurrent, onlyPagesDiffer, type WriteHistory } from './composed-answer.ts'

/** @param recordings in any epoch; those of other modules are ignored. @param history writes before this request */
export function composeTemplates(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory,
): ComposedAnswer | undefined {
  const titles = canonical.get('titles')
  const isPlain = [...canonical.keys()].every((name) => !narrowingParams.test(name))
  if (canonical.get('generator') !== 'templates' || titles === undefined || !isPlain) return undefined
  // A request for the pages themselves depends on the same writes.
  const pagesRequest = new Map([...canonical].filter(([name]) => name !== 'generator' && name !== 'gtllimit'))
  for (const one of recordings) {
    const isSame = onlyPagesDiffer(one.request, canonical, 'titles') && one.request.get('titles') === titles
    const body = isSame && sameTexts(one.sentValues, sentValues) ? singleAnswerOf(one) : undefined
    const templates = body && allTemplates(body)
    if (body === undefined || templates === undefined) continue
    const all = [titles, ...templates].join('|')
    if (isPageCurrent(one, pagesRequest, 'titles', all, history, site))
      return { kind: 'composed', body, from: [one.key] }
  }
  return undefined
}

/** Parameters that leave out templates, or add other pages. */
const narrowingParams =
  /^(?:gtl(?!limit$).*|.*continue|list|pageids|revids|redirects|converttitles|export.*)$/

/** Undefined where the answer may not be complete. */
function allTemplates(body: JsonTree): readonly string[] | undefined {
  const isCut = ['continue', 'query-continue', 'error', 'errors'].some((name) => memberOf(body, name))
  const entries = itemsOf(memberAt(body, 'query', 'pages'))
  const titles = entries.flatMap((one) => textOf(memberOf(one, 'title')) ?? [])
  return isCut || titles.length < entries.length ? undefined : titles
}
