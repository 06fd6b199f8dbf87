/** Answers to `generator=templates` recorded in another epoch, which holds if no page of it was written. */

import { type Interaction, sameTexts } from '../../cassette/interaction.ts'
import { type JsonTree, memberOf, scalarTextOf, textAt } from '../../json/json-tree.ts'
import { singleAnswerOf } from '../../paging/reading/batch.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import {
  joinValues,
  splitValues,
  valuesOf
} from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import {
  type ComposedAnswer,
  composedFrom,
  onlyPagesDiffer,
  pagesIn
} from './composed-answer.ts'
import { isPageCurrent, type WriteHistory } from './page-validity.ts'

/** @param recordings in any epoch; those of other modules are ignored. @param history writes before this request */
export function composeTemplates(
  { canonical, sentValues }: Derivation,
  recordings: Iterable<Interaction>,
  site: SiteFacts | undefined,
  history: WriteHistory
): ComposedAnswer | undefined {
  const titles = canonical.get('titles')
  const isPlain = [...canonical.keys()].every((name) => !narrowingParams.test(name))
  if (canonical.get('generator') !== 'templates' || titles === undefined || !isPlain)
    return undefined
  // A request for the pages themselves depends on the same writes.
  const pagesRequest = new Map(
    [...canonical].filter(([name]) => !['generator', 'gtllimit', 'prop'].includes(name))
  )
  const props = valuesOf(canonical, 'prop').filter((one) => !isRecorded(one, canonical))
  if (props.length > 0) pagesRequest.set('prop', joinValues(props))
  for (const one of recordings) {
    const isSame =
      onlyPagesDiffer(one.request, canonical, 'titles') &&
      one.request.get('titles') === titles
    const body =
      isSame && sameTexts(one.sentValues, sentValues) ? singleAnswerOf(one) : undefined
    const templates = body && allTemplates(body)
    if (!body || !templates) continue
    const all = joinValues([...splitValues(titles), ...templates])
    const part = { from: one, requested: pagesRequest, by: 'titles', page: all } as const
    if (isPageCurrent(part, history, site)) return composedFrom(body, [{ from: one }])
  }
  return undefined
}

/** Of a page that is neither a file's nor a category's they show nothing that a write of another page changes, but `touched`. */
const isRecorded = (prop: string, canonical: CanonicalRequest) =>
  prop === 'imageinfo' ||
  prop === 'categoryinfo' ||
  (prop === 'info' &&
    splitValues(canonical.get('inprop') ?? 'url').every((one) =>
      /^(?:protection|url)$/.test(one)
    ))

/** Parameters that leave out templates, or add other pages. */
const narrowingParams =
  /^(?:gtl(?!limit$).*|.*continue|list|pageids|revids|redirects|converttitles|export.*)$/

/** Undefined where the answer may not be complete. */
function allTemplates(body: JsonTree) {
  const isCut = ['continue', 'query-continue', 'error', 'errors'].some((name) =>
    memberOf(body, name)
  )
  const entries = pagesIn(body)
  const titles = entries.flatMap((one) => textAt(one, 'title') ?? [])
  const countsOthers = entries.some((one) =>
    /^(?:6|14)$/.test(scalarTextOf(memberOf(one, 'ns')) ?? '')
  )
  return isCut || countsOthers || titles.length < entries.length ? undefined : titles
}
