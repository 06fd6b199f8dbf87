/** Parameters that a module reads only beside a value of another one: without them the request is the same. */
import type { Interaction } from '../../cassette/interaction.ts'
import { hasMember } from '../../json/json-tree.ts'
import { quirkText } from '../../knowledge/module-quirks.ts'
import { singleAnswerOf, withAnswer } from '../../paging/reading/batch.ts'
import { hasPages } from '../../paging/reading/driver.ts'
import { areOwn, takesPlain } from '../../paging/reading/module-doubts.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import { continuedParams } from '../../request/key-step.ts'
import { type CanonicalRequest, keyedRequest } from '../../request/request-key.ts'
import { mapAll } from '../../text/group-by.ts'
import { queryModulesOf } from '../../wiki/modules/active-modules.ts'
import { hasValue, withoutParams } from '../../wiki/parameters/request-params.ts'
import { isVersionSince } from '../../wiki/site/site-facts.ts'

/** Itself where it has none. */
export function withoutUnread(derivation: Derivation, facts: WikiFacts): Derivation {
  const names = unreadIn(derivation.canonical, facts)
  if (names.length === 0) return derivation
  return {
    ...derivation,
    ...keyedRequest(withoutParams(derivation.canonical, ...names)),
    sentValues: withoutParams(derivation.sentValues, ...names)
  }
}

/** A recording as it would be without them; itself where the wiki may have said something of them. */
export function unreadRecording(from: Interaction, facts: WikiFacts): Interaction {
  const { request, sentValues } = from
  const names = unreadIn(request, facts)
  const tree = names.length > 0 ? singleAnswerOf(from) : undefined
  if (!tree || ['warnings', 'error', 'errors'].some((name) => hasMember(tree, name)))
    return from
  const plain = {
    request: withoutParams(request, ...names),
    sentValues: withoutParams(sentValues, ...names)
  }
  return withAnswer(from, plain, tree)
}

/** Without pages they do nothing. */
const flagsOfPages = ['converttitles', 'indexpageids', 'iwurl', 'redirects']

/** Those that nobody reads, with values that the wiki takes; none where a module is not described. */
function unreadIn(request: CanonicalRequest, { lookup, site }: WikiFacts) {
  const isKnown = isVersionSince(site?.generator, 35) && areOwn(request, lookup)
  if (request.get('action') !== 'query' || !isKnown) return []
  const modules = mapAll(queryModulesOf(request), ([path, extra]) => {
    const description = lookup(path)
    const module = path.slice('query+'.length)
    return description && { module, prefix: extra + description.prefix, description }
  })
  const echoed = continuedParams(request)
  // Source: ApiPageSet::processTitlesArray, ApiQuery::outputGeneralPageInfo
  const isOfCore = modules?.every(({ description }) => description.isCore) === true
  const unread =
    isOfCore && !hasPages(request)
      ? flagsOfPages
      : ['converttitles'].filter(() => modules && site?.hasVariants === false)
  const ofPages = unread.filter((name) => request.has(name) && !echoed.includes(name))
  const own = (modules ?? []).flatMap(({ module, prefix, description }) => {
    const text = quirkText('unread-without', module)
    if (text === undefined || !description.isCore) return []
    const [param = '', value = '', ...names] = text.split(' ')
    const sent = request.get(prefix + param)
    if (value === '*' ? sent !== undefined : hasValue(sent, value)) return []
    return names.flatMap((name) => {
      const found = request.get(prefix + name)
      const described = description.parameters.get(name)
      const isAccepted =
        found !== undefined && described && takesPlain(described, found, site)
      return isAccepted && !echoed.includes(prefix + name) ? [prefix + name] : []
    })
  })
  return [...ofPages, ...own]
}
