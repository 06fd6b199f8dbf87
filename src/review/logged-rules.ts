/** Rules that only the log of a run proves: who asked, when, and in which order. */

import { groupBy } from '../recorder/text/group-by.ts'
import { plural, wordSet } from '../recorder/text/words.ts'
import { splitValues } from '../recorder/wiki/parameters/request-params.ts'
import { isTokenWrite } from './recorded-rules.ts'
import { type Observation, observe } from './rules.ts'
import { type Client, type Exchange, type RunLogRequest, startOf } from './traffic.ts'

/** The recordings of logged requests, each once. */
const recordedOf = (logged: readonly RunLogRequest[], { find }: Client) => [
  ...new Set(logged.flatMap((one) => find(one) ?? []))
]

export function laglessWrites(client: Client): readonly Observation[] {
  const { log = [] } = client
  const writesIn = (some: typeof log) => recordedOf(some, client).filter(isTokenWrite)
  const requests = writesIn(log.filter(({ maxlag }) => maxlag === false))
  const isBot = requests.some(
    ({ request }) => request.has('bot') || request.get('assert') === 'bot'
  )
  return observe(
    'no-maxlag',
    isBot ? 'warning' : 'note',
    requests,
    `${requests.length} of ${plural(writesIn(log).length, 'recorded write')}${isBot ? ', of a bot' : ''}`
  )
}

/** An e-mail address, a page of the web or of the wiki; browsers send what they send. */
const hasContact = /@|https?:|\bwww\.|\bUser:|^Mozilla\//i
/** Pages of libraries, which their own User-Agents name: all that use them have these. */
const libraryPage =
  /https?:\/\/(?:www\.)?(?:npmjs\.com\/package|pypi\.org\/project|github\.com\/[\w-]+)\/(?:m3api|mwbot|mwclient|mwn|nodemw|pywikibot|wikijs|Wikipedia-API|wikipedia)(?![\w-])\S*/gi

export function contactlessAgent({ agent }: Client): readonly Observation[] {
  if (agent === undefined || hasContact.test(agent.replace(libraryPage, ''))) return []
  const what =
    agent === ''
      ? 'it was not sent'
      : 'it has neither an address nor a page of whoever runs the program'
  return [{ rule: 'no-contact', severity: 'warning', what, requests: [] }]
}

/** From so many requests at once on it is a warning. */
const manyAtOnce = 4

export function parallelRequests(client: Client): readonly Observation[] {
  const { log = [] } = client
  let running: readonly RunLogRequest[] = []
  let most = 1
  const overlapping = log.filter((one) => {
    // Times are rounded to a millisecond. A client may have given up what failed.
    const isRunning = (other: RunLogRequest) =>
      startOf(other) + other.ms > startOf(one) + 2 && other.outcome !== 'failed'
    running = [...running.filter(isRunning), one]
    most = Math.max(most, running.length)
    return running.length > 1
  })
  const what = `${overlapping.length} of ${plural(log.length, 'request')} before an earlier one was answered, up to ${most} at once`
  const severity = most < manyAtOnce ? 'note' : 'warning'
  return observe('parallel', severity, recordedOf(overlapping, client), what)
}

export function ignoredRetryAfter(client: Client): readonly Observation[] {
  const { log = [] } = client
  let first = ''
  const hasty = log.filter(({ key, retryAfter, ...one }, index) => {
    if (key === undefined || retryAfter === undefined) return false
    const answered = startOf(one) + one.ms
    const again = log
      .slice(index + 1)
      .find((other) => other.key === key && startOf(other) >= answered - 1)
    const waited = again ? Math.max(0, startOf(again) - answered) / 1000 : retryAfter
    // Clocks differ a little.
    if (waited >= retryAfter * 0.9) return false
    first ||= `${waited.toFixed(1)} of ${retryAfter} s`
    return true
  })
  if (hasty.length === 0) return []
  const what = `${plural(hasty.length, 'request')} sent again too early, the first after ${first}`
  const requests = recordedOf(hasty, client)
  return [{ rule: 'retry-after-ignored', severity: 'error', what, requests }]
}

/** Pages from which on they count, and milliseconds after which a reader may ask, and no loop. */
const manyPages = 10
const pause = 10_000

/** Pages that one request could have named: asked in one form, with neither a write nor a pause between. */
export function singlePages(client: Client): readonly Observation[] {
  let row = 0
  let end = 0
  const forms = groupBy(client.log ?? [], (one) => {
    const { effect, request } = client.find(one) ?? {}
    if (effect !== 'read' || startOf(one) > end + pause) row += 1
    end = startOf(one) + one.ms
    const form = formOf(request)
    return form && `${row} ${form}`
  })
  const requests = [...forms].flatMap(([form, group]) => {
    const pages = form === undefined ? [] : recordedOf(group, client)
    return pages.length < manyPages ? [] : pages
  })
  return observe(
    'one-by-one',
    'warning',
    requests,
    `${requests.length} requests for one page each, in rows of ${manyPages} and more`
  )
}

const pageParams = ['titles', 'pageids', 'revids']
/** Parameters that the wiki refuses for several pages, or that mean something else there. */
const forOnePage =
  /^(?:generator|list|.+continue)$|^d?rv(?!prop$|slots$|limit$)|(?<!^rv)limit$|offset$/

/** All but the page of a request for one page that could have named more; undefined for other requests. */
function formOf(request: Exchange['request'] = new Map()) {
  const page = pageParams.find((name) => request.has(name)) ?? ''
  const isOne = splitValues(request.get(page) ?? '').length === 1
  const props = splitValues(request.get('prop') ?? '')
  if (
    !isOne ||
    request.get('action') !== 'query' ||
    props.length === 0 ||
    props.includes('extracts')
  )
    return undefined
  const others = [...request].filter(([name]) => name !== page && !name.includes(' '))
  // One revision is what a request for several pages gets of each.
  const hasRevisions = others.some(([name, value]) => name === 'rvlimit' && value !== '1')
  return hasRevisions || others.some(([name]) => forOnePage.test(name))
    ? undefined
    : JSON.stringify([page, ...others])
}

const sessionModules = wordSet('login logout clientlogin createaccount')

/** Tokens fetched again from which on it is a habit. */
const manyTokens = 3

/** Counts tokens fetched after a write with the one before, and nothing between that makes a new one due. */
export function tokenPerWrite(client: Client): readonly Observation[] {
  let state: 'none' | 'token' | 'written' = 'none'
  const again = (client.log ?? []).filter((one) => {
    const exchange = client.find(one)
    const request = exchange?.request
    const isFetched =
      request?.get('meta') === 'tokens' && (request.get('type') ?? 'csrf') === 'csrf'
    const isAgain = isFetched && state === 'written'
    if (sessionModules.has(one.module) || one.why?.includes('badtoken')) state = 'none'
    else if (isFetched) state = 'token'
    else if (state === 'token' && exchange && isTokenWrite(exchange)) state = 'written'
    return isAgain
  })
  if (again.length < manyTokens) return []
  const what = `${again.length} tokens fetched again after a write, with no login and no badtoken between`
  return observe('token-per-write', 'note', recordedOf(again, client), what)
}
