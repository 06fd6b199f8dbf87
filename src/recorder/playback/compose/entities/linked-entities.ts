/**
 * Entities named by pages of other sites that link to them (`sites`, `titles`), as recordings show it. Source: Wikibase's
 * EntityByTitleHelper, GetEntities, ResultBuilder::addMissingEntity; missing ones as Wikidata answered them.
 */
import { itemsAt, type JsonTree, membersAt, textAt } from '../../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../../request/derive.ts'
import { readSetOf, readsPages } from '../../../wiki/effects/read-set.ts'
import { type Params, splitValues } from '../../../wiki/parameters/request-params.ts'
import { maxValues, type PageSource } from '../composed-answer.ts'
import { isCurrent, type WriteHistory } from '../page-validity.ts'

/** The id of the entity, or how the wiki says that there is none. */
type Linked = string | JsonTree

interface LinkedEntity {
  readonly entity: Linked
  readonly shownBy: PageSource
}

/** Undefined where a page is shown by no recording, or several sites and several titles are asked for. */
export function linkedEntities(
  { canonical, sentValues }: Derivation,
  sources: readonly PageSource[],
  { site }: WikiFacts,
  history: WriteHistory
): readonly LinkedEntity[] | undefined {
  const pages = pagesIn(canonical, sentValues)
  const isNormalized = canonical.has('normalize')
  const counts = ['sites', 'titles'].map(
    (name) => splitValues(canonical.get(name) ?? '').length
  )
  // Versions differ in what they refuse.
  if (Math.min(...counts) > 1 || (isNormalized && Math.max(...counts) > 1))
    return undefined
  if (pages.length > maxValues) return undefined
  const shown = pages.length === 0 ? [] : sources.map(linksIn)
  const everything = readSetOf(canonical, 'read', site)
  const found = pages.flatMap((page) => {
    const at = sources.findIndex(({ from: { request } }, index) => {
      const entity = shown[index]?.get(page)
      if (entity === undefined) return false
      const isMissing = typeof entity !== 'string'
      // Another spelling may be found.
      if (isMissing && isNormalized && !request.has('normalize')) return false
      const readSet = isMissing ? everything : readsPages(new Set([entity]))
      return isCurrent(request, canonical, readSet, history)
    })
    const entity = shown[at]?.get(page)
    const shownBy = sources[at]
    return entity === undefined || !shownBy ? [] : [{ entity, shownBy }]
  })
  return found.length === pages.length ? found : undefined
}

const pageName = (site: string, title: string) => `${site}|${title}`

/** In the wiki's order: all titles of the first site, then those of the next. */
function pagesIn(request: Params, sentValues: Params): readonly string[] {
  const [sites, titles] = ['sites', 'titles'].map((name) =>
    splitValues(sentValues.get(name) ?? request.get(name) ?? '')
  )
  return (sites ?? []).flatMap((site) =>
    (titles ?? []).map((title) => pageName(site, title))
  )
}

/** Links that an answer shows itself, and those that the request tells with it: entities come in the order of their pages. */
function linksIn({ from, body }: PageSource): ReadonlyMap<string, Linked> {
  const links = new Map<string, Linked>()
  const link = (page: JsonTree, linked: Linked) =>
    links.set(pageName(textAt(page, 'site') ?? '', textAt(page, 'title') ?? ''), linked)
  const shown = membersAt(body, 'entities')
  for (const { key, value } of shown) {
    if (key.startsWith('-')) link(value, value)
    const id = textAt(value, 'id') ?? key
    for (const page of itemsAt(value, 'sitelinks')) link(page, id)
  }
  const ids = shown.flatMap(({ key }) => (key.startsWith('-') ? [] : [key]))
  const pages = pagesIn(from.request, from.sentValues)
  const found = pages.filter((page) => typeof (links.get(page) ?? '') === 'string')
  const isSure =
    !from.request.has('ids') && found.length === pages.length - shown.length + ids.length
  if (isSure && (ids.length === 1 || ids.length === found.length))
    for (const [at, page] of found.entries())
      links.set(page, ids[ids.length === 1 ? 0 : at] ?? '')
  return links
}
