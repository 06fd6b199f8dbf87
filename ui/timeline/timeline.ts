/** Live requests by client and session, on an axis of time without long pauses. */
import type { RequestView } from '../../src/pages/run-views.ts'

export interface TimedRequest {
  readonly request: RequestView
  /** Start and width, in percent of the axis. */
  readonly start: number
  readonly width: number
  /** Share of it that waited for its session. */
  readonly waited: number
  /** True for a request sent again after an answer that asked to wait or failed. */
  readonly isRetry: boolean
}

export interface Lane {
  readonly name: string
  readonly requests: readonly TimedRequest[]
}

/** A time without requests that is drawn narrow. */
export interface Pause {
  readonly start: number
  readonly width: number
  readonly ms: number
}

export interface Timeline {
  readonly lanes: readonly Lane[]
  readonly pauses: readonly Pause[]
  readonly from: number
  readonly to: number
}

/** Milliseconds without any request that are drawn as so many. */
const longPauseMs = 1_500
const shownPauseMs = 150

export function timelineOf(newestFirst: readonly RequestView[]): Timeline {
  const requests = newestFirst.toSorted((a, b) => a.at - b.at || a.id - b.id)
  const from = requests[0]?.at ?? 0
  const to = requests.reduce((last, { at, ms }) => Math.max(last, at + ms), 0)
  const pauses = pausesIn(requests)
  const folded = (at: number): number =>
    at -
    from -
    pauses.reduce(
      (sum, one) => sum + Math.max(0, Math.min(at, one.to) - one.from) * one.fold,
      0
    )
  const length = Math.max(1, folded(to))
  const percent = (at: number): number => (100 * folded(at)) / length
  const lanes = new Map<string, TimedRequest[]>()
  const laneOf = laneNames(requests)
  const last = new Map<string, RequestView>()
  for (const request of requests) {
    const name = laneOf(request)
    const { at, ms, waitedMs } = request
    const same = `${name}\n${request.method} ${request.words}`
    const before = last.get(same)
    last.set(same, request)
    const start = percent(at)
    const isRetry =
      before !== undefined &&
      (before.retryAfter > 0 || before.status >= 400 || before.error !== '')
    const timed = {
      request,
      start,
      width: percent(at + ms) - start,
      waited: ms === 0 ? 0 : waitedMs / ms,
      isRetry
    }
    const lane = lanes.get(name)
    if (lane) lane.push(timed)
    else lanes.set(name, [timed])
  }
  return {
    from,
    to,
    lanes: [...lanes].map(([name, all]) => ({ name, requests: all })),
    pauses: pauses.map((one) => ({
      start: percent(one.from),
      width: percent(one.to) - percent(one.from),
      ms: one.to - one.from
    }))
  }
}

interface LongPause {
  readonly from: number
  readonly to: number
  /** Share of it that is left out. */
  readonly fold: number
}

function pausesIn(requests: readonly RequestView[]): readonly LongPause[] {
  const pauses: LongPause[] = []
  let busyUntil = requests[0]?.at ?? 0
  for (const { at, ms } of requests) {
    if (at - busyUntil > longPauseMs)
      pauses.push({ from: busyUntil, to: at, fold: 1 - shownPauseMs / (at - busyUntil) })
    busyUntil = Math.max(busyUntil, at + ms)
  }
  return pauses
}

/** The test, where it is known; else client, session and user. What a client asks before it logs in is in the lane of its user, if it has but one. */
function laneNames(requests: readonly RequestView[]): (request: RequestView) => string {
  const users = new Map<string, Set<string>>()
  for (const request of requests) {
    const name = clientOf(request)
    const known = users.get(name) ?? new Set()
    if (request.user !== '') known.add(request.user)
    users.set(name, known)
  }
  return (request) => {
    const name = clientOf(request)
    const [first = '', ...others] = users.get(name) ?? []
    const user = others.length === 0 ? first : request.user
    return user === '' ? name : `${name} · ${user}`
  }
}

function clientOf({ agent, session, test }: RequestView): string {
  if (test !== '') return test
  const client =
    /^[\w.-]+(?:\/[\w.-]+)?/.exec(agent)?.[0] ??
    (agent === '' ? 'no User-Agent' : agent.slice(0, 30))
  return session === '' ? client : `${client} · session ${session}`
}
