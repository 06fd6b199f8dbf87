/** Rules that recordings prove: listings cut short, deprecated names, warnings, logins, assert, formatversion. */

import { folderOf } from '../recorder/cassette/interaction-path.ts'
import {
  itemsOf,
  type JsonTree,
  memberOf,
  membersOf,
  scalarTextOf,
  textOf
} from '../recorder/json/json-tree.ts'
import { groupBy } from '../recorder/text/group-by.ts'
import { plural } from '../recorder/text/words.ts'
import { hasSucceeded } from '../recorder/wiki/effects/request-effect.ts'
import { findParamDescriptions } from '../recorder/wiki/modules/active-modules.ts'
import { splitValues } from '../recorder/wiki/parameters/request-params.ts'
import { type Observation, observe } from './rules.ts'
import type { Client, Exchange } from './traffic.ts'

export function deprecatedNames({ exchanges }: Client): readonly Observation[] {
  const uses = exchanges.flatMap((one) =>
    deprecatedIn(one).map((name) => ({ one, name }))
  )
  return [...groupBy(uses, (use) => use.name)].flatMap(([name, group]) => {
    const requests = group.map(({ one }) => one)
    const what = `${name} in ${plural(requests.length, 'request')}`
    return observe('deprecated', 'warning', requests, what)
  })
}

/** Modules, parameters and values that the wiki itself describes as deprecated. */
const deprecatedIn = ({ request, modules }: Exchange) => [
  ...modules.flatMap(({ path, description }) =>
    description?.deprecated ? [`module ${path}`] : []
  ),
  ...[...request].flatMap(([name, value]) => {
    const params = findParamDescriptions(name, modules)
    if (params.length === 0 || params.some(({ submodules }) => submodules.size > 0))
      return []
    if (params.every(({ deprecated }) => deprecated)) return [`parameter ${name}`]
    const isDeprecated = (one: string) =>
      params.every((param) => param.deprecatedValues.has(one))
    return splitValues(value).flatMap((one) =>
      isDeprecated(one) ? [`${name}=${one}`] : []
    )
  })
]

/** One for each text of a warning, whatever it quotes; those about deprecated names have a rule of their own. */
export function warningsInAnswers({ exchanges }: Client): readonly Observation[] {
  const shown = exchanges.flatMap((one) => {
    const names = deprecatedIn(one).map((name) => name.replace(/.*[ =+]/, ''))
    const texts = isMainLogin(one) ? [] : one.answers.flatMap(warningsOf)
    return texts
      .filter((text) => !names.some((name) => text.includes(name)))
      .map((text) => ({ one, text }))
  })
  return [
    ...groupBy(shown, ({ text }) => text.replace(/"[^"]*"|\d+/g, '…')).values()
  ].flatMap((group) => {
    const requests = [...new Set(group.map(({ one }) => one))]
    const what = `${group[0].text} (${plural(requests.length, 'request')})`
    return observe('warnings', 'warning', requests, what)
  })
}

/** Warnings in all formats of errors, without the invitation to a mailing list that follows some. */
const warningsOf = (answer: JsonTree) =>
  itemsOf(memberOf(answer, 'warnings')).flatMap((entry) =>
    ['*', 'warnings', 'text', 'html']
      .flatMap((name) => textOf(memberOf(entry, name))?.split('\n') ?? [])
      .filter((line) => !line.includes('mediawiki-api-announce'))
  )

/** A login with a bot password draws no warning, or has an @ in its user name. */
const isMainLogin = ({ request, answers }: Exchange) =>
  request.get('action') === 'login' &&
  request.get('lgname')?.includes('@') === false &&
  answers.some(
    (one) =>
      hasSucceeded('login', one) &&
      warningsOf(one).some((text) => text.includes('clientlogin'))
  )

export function mainLogins({ exchanges }: Client): readonly Observation[] {
  const requests = exchanges.filter(isMainLogin)
  const names = new Set(requests.map(({ request }) => request.get('lgname')))
  const what = `${[...names].join(', ')}: the password of the account itself`
  return observe('main-account-login', 'warning', requests, what)
}

export const isTokenWrite = ({ effect, request }: Exchange): boolean =>
  effect === 'write' && request.has('token')

export function unassertedWrites({ exchanges }: Client): readonly Observation[] {
  const writes = exchanges.filter(
    (one) => isTokenWrite(one) && one.request.has('as user')
  )
  const requests = writes.filter(
    ({ request }) => !request.has('assert') && !request.has('assertuser')
  )
  const what = `${requests.length} of ${plural(writes.length, 'recorded write')}`
  return observe('no-assert', 'note', requests, what)
}

export function oldFormat({ exchanges }: Client): readonly Observation[] {
  const isJson = ({ request }: Exchange) =>
    !request.has('format') && !request.has('no format')
  const queries = exchanges.filter(
    (one) => one.request.get('action') === 'query' && isJson(one)
  )
  const requests = queries.filter(
    ({ request }) => (request.get('formatversion') ?? '1') === '1'
  )
  const what = `${requests.length} of ${plural(queries.length, 'query', 'queries')}`
  return observe('no-formatversion', 'note', requests, what)
}

type ContinueParameters = ReadonlyMap<string, string>

/** Lists whose first rows are the best or the newest ones, which may be all that was wanted. */
const ranked =
  /[.+-](?:mostviewed|prefixsearch|recentchanges|search|usercontribs|logevents|watchlist)(?:\+|$)/
/** A client that asks for fewer rows than the wiki's default wants no more; from 500 on it wants all. */
const defaultLimit = 10
const maxLimit = 500

/** Finds answers with a `continue` that no other request of the client took up. */
export function cutListings({ exchanges, log, find }: Client): readonly Observation[] {
  const cut = exchanges.filter((one) => isCut(one, exchanges))
  // An answer synthesised from other recordings of the listing is not recorded: it may have followed.
  const maySynthesise = log?.some(({ outcome }) => outcome === 'synthesized') ?? true
  const proven = cut.filter(
    (one) => !(maySynthesise && exchanges.some((other) => isSameListing(other, one)))
  )
  // A limit that equals the default is not recorded.
  const unlimited = new Set(log?.filter(({ limit }) => limit === false).map(find))
  const byReason = groupBy(proven, (one) => reasonOf(one, exchanges, unlimited.has(one)))
  return [...byReason].flatMap(([why, requests]) => {
    if (why === undefined) return []
    const folders = new Set(requests.map(({ request }) => folderOf(request)))
    const what = `${plural(requests.length, 'answer')} with \`continue\` and no request for the rest, ${why}: ${[...folders].join(', ')}`
    return observe('continue-not-followed', severityOf(why), requests, what)
  })
}

function severityOf(why: string) {
  if (why === allWanted) return 'error'
  return why === noLimit ? 'warning' : 'note'
}

const isCut = (one: Exchange, others: readonly Exchange[]) =>
  one.answers.some((answer) => {
    const ways = waysOn(answer)
    return (
      ways.length > 0 &&
      !ways.some((values) => others.some((other) => follows(other, one, values)))
    )
  })

/** The values to go on with: one set, or with `rawcontinue` one for each module, of which following one is enough. */
const waysOn = (answer: JsonTree) =>
  [
    memberOf(answer, 'continue'),
    ...membersOf(memberOf(answer, 'query-continue')).map(({ value }) => value)
  ]
    // Random pages never end.
    .map((way) =>
      membersOf(way).filter(({ key }) => !/^(?:continue|g?rncontinue)$/.test(key))
    )
    .filter((members) => members.length > 0)
    .map(
      (members) =>
        new Map(members.map(({ key, value }) => [key, scalarTextOf(value) ?? '']))
    )

/** Whether it has the values, or one of them under another name (`apfrom`). */
function follows(other: Exchange, one: Exchange, values: ContinueParameters) {
  if (!isSameListing(other, one, values)) return false
  const sent = [other.request, other.sentValues]
  if (
    [...values].every(([name, value]) =>
      sent.some((params) => params.get(name) === value)
    )
  )
    return true
  const spellings = [...values.values()]
    .flatMap((value) => [value, ...value.split('|')])
    .map(withSpaces)
  const names = [...other.request].filter(
    ([name, value]) => !/limit$/.test(name) && one.request.get(name) !== value
  )
  return names.some(
    ([, value]) => value.length > 1 && spellings.includes(withSpaces(value))
  )
}

const withSpaces = (title: string) => title.replaceAll('_', ' ')

/** Parameters that may change on the way through a listing, and those that may not be missing. */
const changing = /limit$|continue$|offset$|^prop$|^meta$| /
const telling = /^(?:list|generator|titles|pageids|revids)$/

/** Whether it may be the same listing, as far as it says. */
const isSameListing = (
  other: Exchange,
  one: Exchange,
  values: ContinueParameters = new Map()
) =>
  other !== one &&
  [...one.request].every(([name, value]) => {
    const there = other.request.get(name)
    const isMissing = there === undefined && !telling.test(name)
    return isMissing || there === value || changing.test(name) || values.has(name)
  })

const allWanted = 'although all rows that the wiki gives were asked for'
const noLimit = 'with no limit sent'

/** Why an answer was not continued, as far as the requests show it; undefined if few rows were wanted. */
function reasonOf(one: Exchange, others: readonly Exchange[], isUnlimited: boolean) {
  const names = one.answers.flatMap((answer) =>
    waysOn(answer).flatMap((values) => [...values.keys()])
  )
  const isContinued = ({ request }: Exchange) => names.some((name) => request.has(name))
  const limits = [...one.request]
    .filter(
      ([name]) =>
        name.endsWith('limit') &&
        names.some((other) => other.startsWith(name.slice(0, -5)))
    )
    .map(([, limit]) => (limit === 'max' ? maxLimit : Number(limit)))
  const limit = Math.min(...limits)
  if (limit < defaultLimit) return undefined
  if (isContinued(one)) return 'after following it so far'
  if (ranked.test(folderOf(one.request)))
    return 'where the first rows may be all that was wanted'
  if (limit < maxLimit) return 'with a limit of its own'
  if (others.some(isContinued)) return 'which the client follows elsewhere'
  if (limits.length > 0) return allWanted
  return isUnlimited ? noLimit : 'with the default limit, sent or not'
}
