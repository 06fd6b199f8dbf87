/** Finds answers with a `continue` that no other request of the client took up. */
import { folderOf } from '../cassette/interaction-path.ts'
import { type JsonTree, memberOf, membersOf, scalarTextOf } from '../json/json-tree.ts'
import { groupBy } from '../text/group-by.ts'
import { plural } from '../text/words.ts'
import { type Observation, observe } from './rules.ts'
import type { Client, Exchange } from './traffic.ts'

type ContinueParameters = ReadonlyMap<string, string>

/** Whose first rows are the best or the newest ones, which may be all that was wanted. */
const ranked =
  /[.+-](?:mostviewed|prefixsearch|recentchanges|search|usercontribs|logevents|watchlist)(?:\+|$)/
/** A client that asks for fewer rows than the wiki's default wants no more; from 500 on it wants all. */
const [defaultLimit, maxLimit] = [10, 500]

export function cutListings({ exchanges, log, find }: Client): readonly Observation[] {
  const cut = exchanges.filter((one) => isCut(one, exchanges))
  // An answer synthesised from other recordings of the listing is not recorded: it may have followed.
  const maySynthesise = log?.some(({ outcome }) => outcome === 'synthesized') ?? true
  const proven = cut.filter((one) => !(maySynthesise && exchanges.some((other) => isSameListing(other, one))))
  // A limit that equals the default is not recorded.
  const unlimited = new Set(log?.filter(({ limit }) => limit === false).map(find))
  const byReason = groupBy(proven, (one) => reasonOf(one, exchanges, unlimited.has(one)))
  return [...byReason].flatMap(([why, requests]) => {
    const folders = [...new Set(requests.map(({ request }) => folderOf(request)))].join(', ')
    const what = `${plural(requests.length, 'answer')} with \`continue\` and no request for the rest, ${why}: ${folders}`
    const severity = why === allWanted ? 'error' : why === noLimit ? 'warning' : 'note'
    return observe('continue-not-followed', severity, why === undefined ? [] : requests, what)
  })
}

const isCut = (one: Exchange, others: readonly Exchange[]): boolean =>
  one.answers.some((answer) => {
    const ways = waysOn(answer)
    return ways.length > 0 && !ways.some((values) => others.some((other) => follows(other, one, values)))
  })

/** The values to go on with: one set, or with `rawcontinue` one for each module, of which following one is enough. */
const waysOn = (answer: JsonTree): readonly ContinueParameters[] =>
  [memberOf(answer, 'continue'), ...membersOf(memberOf(answer, 'query-continue')).map(({ value }) => value)]
    // Random pages never end.
    .map((way) => membersOf(way).filter(({ key }) => !/^(?:continue|g?rncontinue)$/.test(key)))
    .filter((members) => members.length > 0)
    .map((members) => new Map(members.map(({ key, value }) => [key, scalarTextOf(value) ?? ''])))

/** Whether it has the values, or one of them under another name (`apfrom`). */
function follows(other: Exchange, one: Exchange, values: ContinueParameters): boolean {
  if (!isSameListing(other, one, values)) return false
  const sent = [other.request, other.sentValues]
  if ([...values].every(([name, value]) => sent.some((params) => params.get(name) === value))) return true
  const spellings = [...values.values()].flatMap((value) => [value, ...value.split('|')]).map(withSpaces)
  const names = [...other.request].filter(
    ([name, value]) => !/limit$/.test(name) && one.request.get(name) !== value,
  )
  return names.some(([, value]) => value.length > 1 && spellings.includes(withSpaces(value)))
}

const withSpaces = (title: string): string => title.replaceAll('_', ' ')

/** Parameters that may change on the way through a listing, and those that may not be missing. */
const [changing, telling] = [
  /limit$|continue$|offset$|^prop$|^meta$| /,
  /^(?:list|generator|titles|pageids|revids)$/,
]

/** Whether it may be the same listing, as far as it says. */
const isSameListing = (other: Exchange, one: Exchange, values: ContinueParameters = new Map()): boolean =>
  other !== one &&
  [...one.request].every(([name, value]) => {
    const there = other.request.get(name)
    const isMissing = there === undefined && !telling.test(name)
    return isMissing || there === value || changing.test(name) || values.has(name)
  })

const [allWanted, noLimit] = ['although all rows that the wiki gives were asked for', 'with no limit sent']

/** Why an answer was not continued, as far as the requests show it; undefined where few rows were wanted. */
function reasonOf(one: Exchange, others: readonly Exchange[], isUnlimited: boolean): string | undefined {
  const names = one.answers.flatMap((answer) => waysOn(answer).flatMap((values) => [...values.keys()]))
  const isContinued = ({ request }: Exchange): boolean => names.some((name) => request.has(name))
  const limits = [...one.request]
    .filter(([name]) => name.endsWith('limit') && names.some((other) => other.startsWith(name.slice(0, -5))))
    .map(([, limit]) => (limit === 'max' ? maxLimit : Number(limit)))
  const limit = Math.min(...limits)
  if (limit < defaultLimit) return undefined
  if (isContinued(one)) return 'after following it so far'
  if (ranked.test(folderOf(one.request))) return 'where the first rows may be all that was wanted'
  if (limit < maxLimit) return 'with a limit of its own'
  if (others.some(isContinued)) return 'which the client follows elsewhere'
  if (limits.length > 0) return allWanted
  return isUnlimited ? noLimit : 'with the default limit, sent or not'
}
