/**
 * The templates of pages, recorded after other writes than the session has made. Which they are the wiki keeps in a
 * table, and only a write of one of the pages, or of what they include, changes what stands there for them: all of that
 * is named by the request and its answer. Pywikibot asks so before each save.
 */
import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { Derivation } from '../../request/derive.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type ComposedAnswer, onlyJsonBody } from './composed-answer.ts'
import { differsOnlyInPages, isPageCurrent, type WriteHistory } from './page-validity.ts'

/** @param recordings those of the same modules, of any epoch. @param history after which writes the answer is wanted */
export function composeTemplates(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory,
): ComposedAnswer | undefined {
  const titles = canonical.get('titles')
  const isPlain = [...canonical.keys()].every((name) => !narrowingParams.test(name))
  if (canonical.get('generator') !== 'templates' || titles === undefined || !isPlain) return undefined
  // As a request for these very pages, of which it is known on which writes it depends.
  const pagesRequest = new Map([...canonical].filter(([name]) => name !== 'generator' && name !== 'gtllimit'))
  for (const one of recordings) {
    const isSame =
      differsOnlyInPages(one.request, canonical, 'titles') && one.request.get('titles') === titles
    const body = isSame && sameTexts(one.sentValues, sentValues) ? onlyJsonBody(one) : undefined
    const templates = body && allTemplates(body)
    if (body === undefined || templates === undefined) continue
    const all = [titles, ...templates].join('|')
    if (isPageCurrent(one, pagesRequest, 'titles', all, history, site))
      return { kind: 'assembled', body, from: [one.key] }
  }
  return undefined
}

/** What leaves templates out, or brings other pages in. */
const narrowingParams =
  /^(?:gtl(?!limit$).*|.*continue|list|pageids|revids|redirects|converttitles|export.*)$/

/** Undefined where there may be more. */
function allTemplates(body: JsonTree): readonly string[] | undefined {
  const isCut = ['continue', 'query-continue', 'error', 'errors'].some((name) => memberOf(body, name))
  const entries = itemsOf(memberAt(body, 'query', 'pages'))
  const titles = entries.flatMap((one) => textOf(memberOf(one, 'title')) ?? [])
  return isCut || titles.length < entries.length ? undefined : titles
}
