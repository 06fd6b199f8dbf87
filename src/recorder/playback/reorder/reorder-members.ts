/**
 * Members of an answer in the order of this request's modules or values: `prop`, `list`, `meta`, `siprop`, kinds of tokens.
 * Source: ApiQuery::instantiateModules, ApiQuerySiteinfo::execute, ApiQueryTokens::execute, ApiTokens::execute; measured on
 * 1.35, 1.39 and 1.43 (test/live/props.test.ts, test/live/member-order.test.ts).
 */
import {
  hasMember,
  type JsonMember,
  type JsonTree,
  memberAt,
  membersAt,
  membersOf,
  objectOf,
  replaceAt
} from '../../json/json-tree.ts'
import { hasQuirk, quirkText } from '../../knowledge/module-quirks.ts'
import { basePageMembers } from '../../paging/reading/page-members.ts'
import { mapFramePages } from '../../paging/reading/row.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { splitValues, valuesOf } from '../../wiki/parameters/request-params.ts'
import { hasOnlyQuery, isPageMember } from './page-siblings.ts'

/** The values of one parameter, as sent. */
export interface SentValues {
  readonly recorded: string
  readonly requested: string
}

/** Each value once, in the order sent. */
const valuesIn = (sent: string) => [...new Set(splitValues(sent))]

export const haveSameOrder = ({ recorded, requested }: SentValues): boolean =>
  valuesIn(recorded).join() === valuesIn(requested).join()

/** @returns undefined where it is not certain who wrote a member, or where that order does not give the recorded one */
function arrange(
  members: readonly JsonMember[],
  from: readonly string[],
  to: readonly string[],
  writerOf: (key: string) => string | undefined
) {
  const inOrder = (writers: readonly string[]) =>
    writers.flatMap((writer) => members.filter(({ key }) => writerOf(key) === writer))
  const recorded = inOrder(from)
  const isAsRecorded =
    recorded.length === members.length && recorded.every((one, at) => one === members[at])
  return isAsRecorded ? inOrder(to) : undefined
}

/** The module that wrote a member of a page; undefined where that is not certain. */
export function writerOfPageMember(
  modules: readonly string[],
  key: string
): string | undefined {
  const own = (one: string) =>
    hasQuirk('page-member', one)
      ? [one]
      : splitValues(quirkText('page-members', one) ?? '')
  const [other, another] = modules.filter((one) => own(one).length === 0)
  return (
    modules.find((one) => own(one).includes(key)) ??
    (another === undefined ? other : undefined)
  )
}

/** A page has the members of each module in the request's order of modules. */
export function reorderProps(body: JsonTree, values: SentValues): JsonTree | undefined {
  const from = valuesIn(values.recorded)
  const to = valuesIn(values.requested)
  if (!hasOnlyQuery(body) || !hasMember(body, 'query', 'pages')) return undefined
  let certain = true
  const reorderPage = (page: JsonTree) => {
    const members = membersOf(page)
    const at = members.findLastIndex(({ key }) => basePageMembers.has(key)) + 1
    const others = members.slice(at)
    const base = members.slice(0, at)
    const arranged = arrange(others, from, to, (key) => writerOfPageMember(from, key))
    if (!arranged || !base.every(({ key }) => basePageMembers.has(key))) certain = false
    return objectOf([...base, ...(arranged ?? [])])
  }
  const rebuilt = mapFramePages(body, reorderPage)
  return certain ? rebuilt : undefined
}

/** Behind the pages come the members of the lists, then those of `meta`, each in the request's order. */
export function reorderSiblings(
  body: JsonTree,
  list: SentValues,
  meta: SentValues,
  siprop: string
): JsonTree | undefined {
  const from = [...valuesIn(list.recorded), ...valuesIn(meta.recorded)]
  const to = [...valuesIn(list.requested), ...valuesIn(meta.requested)]
  const siprops = splitValues(siprop)
  const membersOfModule = (module: string) =>
    module === 'siteinfo'
      ? siprops
      : splitValues(quirkText('query-members', module) ?? module)
  return rearranged(isPlainQuery(body) ? body : undefined, ['query'], (members) => {
    const behind = members.findIndex(({ key }) => !isPageMember(key))
    const at = behind < 0 ? members.length : behind
    const writerOf = (key: string) =>
      from.find((module) => membersOfModule(module).includes(key))
    const arranged = arrange(members.slice(at), from, to, writerOf)
    return arranged && [...members.slice(0, at), ...arranged]
  })
}

/** The kinds of facts that `meta=siteinfo` gives, each under its own name. */
export function reorderSiteinfo(
  body: JsonTree,
  { recorded, requested }: SentValues
): JsonTree | undefined {
  const named = valuesIn(recorded)
  const own = (key: string) => named.find((one) => one === key)
  return rearranged(isPlainQuery(body) ? body : undefined, ['query'], (members) => {
    const at = Math.max(
      0,
      members.findIndex(({ key }) => named.includes(key))
    )
    const end = members.findLastIndex(({ key }) => named.includes(key)) + 1
    const arranged = arrange(members.slice(at, end), named, valuesIn(requested), own)
    return arranged && [...members.slice(0, at), ...arranged, ...members.slice(end)]
  })
}

/** @param path of the object with the tokens: that of `meta=tokens` is inside of `query` */
export function reorderTokens(
  body: JsonTree,
  path: readonly string[],
  values: SentValues
): JsonTree | undefined {
  const writerOf = (key: string) => key.replace(/token$/, '')
  return rearranged(body, path, (members) =>
    arrange(members, valuesIn(values.recorded), valuesIn(values.requested), writerOf)
  )
}

/** The body with the members of one object arranged; undefined where they cannot be. */
function rearranged(
  body: JsonTree | undefined,
  path: readonly string[],
  arrangeMembers: (members: readonly JsonMember[]) => readonly JsonMember[] | undefined
) {
  const found = memberAt(body, ...path)
  const arranged = found?.kind === 'object' ? arrangeMembers(found.members) : undefined
  return body && arranged && replaceAt(body, path, objectOf(arranged))
}

/** True where the order of modules shows in `query` alone: one continue value has no order. */
const isPlainQuery = (body: JsonTree) =>
  membersOf(body).every(({ key }) =>
    ['query', 'batchcomplete', 'continue', 'query-continue'].includes(key)
  ) &&
  membersAt(body, 'query-continue').length <= 1 &&
  membersAt(body, 'continue').filter(({ key }) => key !== 'continue').length <= 1

/** How an answer comes in another order of the values of one parameter; undefined for parameters without a rule. */
export function memberOrder(
  name: string,
  request: CanonicalRequest
): 'prop' | 'siblings' | 'siteinfo' | 'tokens' | undefined {
  const action = request.get('action')
  const meta = valuesOf(request, 'meta')
  if (name === 'type' && (action === 'tokens' || meta.includes('tokens'))) return 'tokens'
  if (action !== 'query') return undefined
  if (name === 'prop') return 'prop'
  if (name === 'list' || name === 'meta') return 'siblings'
  return name === 'siprop' && meta.includes('siteinfo') ? 'siteinfo' : undefined
}
