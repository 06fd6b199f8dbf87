/** What to send so that everything in a cassette is recorded again: requests once, walks from their start; and which pages it names. */

import {
  classOf,
  isContinued,
  jsonBodies,
  namesItems
} from '../../drift/inputs/cassette-side.ts'
import type { Interaction } from '../../recorder/cassette/interaction.ts'
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberOf,
  textAt
} from '../../recorder/json/json-tree.ts'
import type { Identity } from '../../recorder/request/api-request.ts'
import type { WikiFacts } from '../../recorder/request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../recorder/request/request-key.ts'
import { secretHint } from '../../recorder/request/secret-params.ts'
import { groupBy } from '../../recorder/text/group-by.ts'
import {
  type Params,
  splitValues
} from '../../recorder/wiki/parameters/request-params.ts'
import { deriveAgain, RecordedAnswers, sentParams } from './recorded-answers.ts'

/** One request, or a walk of so many answers. `asUser`: it was recorded for a user, not for an anonymous client. */
export type RecaptureRequest =
  | { readonly kind: 'plain'; readonly target: string; readonly asUser: boolean }
  | {
      readonly kind: 'api'
      readonly params: Params
      readonly batches: number
      readonly asUser: boolean
    }

export interface RecapturePlan {
  readonly requests: readonly RecaptureRequest[]
  /** Interactions that the requests renew. */
  readonly renewed: ReadonlySet<RequestKey>
  /** Interactions that only their own client could renew (login, token, file), or that write; with their class. */
  readonly skipped: ReadonlyMap<RequestKey, string>
}

/**
 * Recorded continue values are not sent again: they belong to the content of that day. A walk recorded to its end is walked
 * to its end, another one as far as it was recorded. @param identity who sends; what others were answered is skipped
 */
export function planRecapture(
  interactions: readonly Interaction[],
  facts: WikiFacts,
  {
    identity,
    withWrites = false
  }: { readonly identity: Identity; readonly withWrites?: boolean }
): RecapturePlan {
  const isIncluded = (one: Interaction) =>
    canRecapture(one, identity) &&
    (withWrites ||
      one.request.has('plain target') ||
      deriveAgain(sentParams(one), 'anonymous', facts).effect !== 'write')
  const included = interactions.filter(isIncluded)
  const recorded = new RecordedAnswers(included, facts)
  const requests: RecaptureRequest[] = []
  const reached = new Set<RequestKey>()
  for (const one of included) {
    if (recorded.isContinuation(one)) continue
    const target = one.request.get('plain target')
    reached.add(one.key)
    const asUser = one.request.has('as user')
    if (target !== undefined)
      requests.push({
        kind: 'plain',
        target,
        asUser
      })
    else {
      const params = sentParams(one)
      const { keys, ended } = recorded.walkFrom(params, one)
      for (const key of keys) reached.add(key)
      requests.push({
        kind: 'api',
        params,
        batches: ended ? Number.POSITIVE_INFINITY : keys.length,
        asUser
      })
    }
  }
  const orphans = included.filter(({ key }) => !reached.has(key))
  const renewed = new Set(included.map(({ key }) => key))
  const skipped = interactions.filter(({ key }) => !renewed.has(key))
  return {
    requests: [...requests, ...walksWithoutStart(orphans, recorded)],
    renewed,
    skipped: new Map(skipped.map(({ key, request }) => [key, classOf(request)]))
  }
}

/** Batches whose walk has no recorded start, or changed its limit on the way: walked from the start all the same. */
function walksWithoutStart(
  orphans: readonly Interaction[],
  recorded: RecordedAnswers
): readonly RecaptureRequest[] {
  const isOfUser = ({ request }: Interaction) => request.has('as user')
  const groups = groupBy(orphans, (one) =>
    JSON.stringify([isOfUser(one), ...recorded.walkStart(one)])
  )
  return [...groups.values()].map((members) => {
    const [one] = members
    const ended = members.some((member) => !jsonBodies([member]).some(isContinued))
    const batches = ended ? Number.POSITIVE_INFINITY : members.length + 1
    return {
      kind: 'api',
      params: recorded.walkStart(one),
      batches,
      asUser: isOfUser(one)
    }
  })
}

/** False for what needs another user, earlier writes, a token or a file. */
export const canRecapture = (
  { request }: Interaction,
  identity: Identity = 'anonymous'
): boolean =>
  ![...request].some(
    ([name, value]) =>
      (name === 'as user' && value !== identity) ||
      /^(?:accept language|after writes|header .*|in session|plain body|no content type|not posted)$| file$/.test(
        name
      ) ||
      (secretHint(name) !== 'nothing' && /^\([a-z ]+\)$/.test(value))
  )

/** What is skipped, by name: `2 of its requests write, or need a login, a token or a file (action=edit ×2)`. */
export function skippedText({ skipped }: RecapturePlan): string {
  const groups = [...groupBy(skipped.values(), (name) => name)].sort()
  const names = groups.map(([name, { length }]) =>
    length === 1 ? name : `${name} ×${length}`
  )
  const shown =
    names.length > 8 ? [...names.slice(0, 8), `${names.length - 8} more kinds`] : names
  return `${skipped.size} of its requests write, or need a login, a token or a file (${shown.join(', ')})`
}

/** Titles as requests and answers spell them, each once. */
export function pagesNamedBy(interactions: Iterable<Interaction>): readonly string[] {
  const named = new Set<string>()
  const withState = new Set<string>()
  for (const { request, responses } of interactions) {
    for (const title of requestedTitles(request)) named.add(title)
    for (const { body } of responses) {
      if (body.kind !== 'json') continue
      for (const page of pagesOf(body.tree, request)) {
        const title = textAt(page, 'title')
        if (title === undefined) continue
        named.add(title)
        // `prop=info` tells it by the newest revision.
        const hasState = ['lastrevid', 'length'].every((name) => hasMember(page, name))
        if (hasState) withState.add(title)
      }
    }
  }
  return [...named].filter((title) => !withState.has(title)).sort()
}

function requestedTitles(request: CanonicalRequest) {
  const action = request.get('action')
  if (action === 'query') return splitValues(request.get('titles') ?? '')
  // If there is a `text`, the page is only a context.
  if (action === 'parse')
    return request.has('text') ? [] : [request.get('page') ?? ''].filter(Boolean)
  return action === 'compare'
    ? ['fromtitle', 'totitle'].flatMap((name) => request.get(name) ?? [])
    : []
}

/** Pages that an answer is about: named by title, id or revision, parsed, or a redirect's target. */
function pagesOf(tree: JsonTree, request: CanonicalRequest) {
  const parsed = request.has('text') ? undefined : memberOf(tree, 'parse')
  const listed = namesItems(request) ? itemsAt(tree, 'query', 'pages') : []
  return parsed ? [...listed, parsed] : listed
}
