/** The pages that recorded requests and answers name without telling their states. */
import type { Interaction } from '../../cassette/interaction.ts'
import { namesItems } from '../../drift/inputs/cassette-side.ts'
import { itemsOf, type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** Titles as requests and answers spell them, each once. */
export function namedPages(interactions: Iterable<Interaction>): readonly string[] {
  const named = new Set<string>()
  const withState = new Set<string>()
  for (const { request, responses } of interactions) {
    for (const title of requestedTitles(request)) named.add(title)
    for (const { body } of responses) {
      if (body.kind !== 'json') continue
      for (const page of pagesOf(body.tree, request)) {
        const title = textOf(memberOf(page, 'title'))
        if (title === undefined) continue
        named.add(title)
        // `prop=info` tells it by the newest revision.
        if (memberOf(page, 'lastrevid') !== undefined && memberOf(page, 'length') !== undefined)
          withState.add(title)
      }
    }
  }
  return [...named].filter((title) => !withState.has(title)).sort()
}

function requestedTitles(request: CanonicalRequest): readonly string[] {
  switch (request.get('action')) {
    case 'query':
      return splitValues(request.get('titles') ?? '')
    case 'parse':
      // With `text` the page is only a context.
      return request.has('text') ? [] : [request.get('page') ?? ''].filter((title) => title !== '')
    case 'compare':
      return ['fromtitle', 'totitle'].flatMap((name) => request.get(name) ?? [])
    default:
      return []
  }
}

/** Pages that an answer is about: named by title, id or revision, parsed, or a redirect's target. */
function pagesOf(tree: JsonTree, request: CanonicalRequest): readonly JsonTree[] {
  const parsed = request.has('text') ? undefined : memberOf(tree, 'parse')
  const listed = namesItems(request) ? itemsOf(memberAt(tree, 'query', 'pages')) : []
  return parsed === undefined ? listed : [...listed, parsed]
}
