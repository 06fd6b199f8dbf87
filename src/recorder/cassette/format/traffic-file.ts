/** `requests.json`: calls of each recorded request, counted from access logs, without addresses (docs/cassette-format.md). */
import { fromPlain, isPlainObject, tryParsePlain } from '../../json/plain-json.ts'
import { writePretty } from '../../json/write-json.ts'

/** Calls counted over some time; times in milliseconds since 1970. */
export interface CallCount {
  calls: number
  first: number
  last: number
  /** Calls by User-Agent. */
  readonly agents: Map<string, number>
}

export interface Traffic {
  /** All reads of the logs, also those that were not recorded. */
  readonly total: CallCount
  /** True where requests of the same form, that were not sent, are counted with those that were. */
  readonly sampled: boolean
  /** Calls that were not sent, by reason: `that write`. */
  readonly skipped: ReadonlyMap<string, CallCount>
  readonly requests: ReadonlyMap<string, CallCount>
}

export const requestsFile = 'requests.json'

export const newCount = (): CallCount => ({
  calls: 0,
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  agents: new Map()
})

export function addCalls(count: CallCount, more: CallCount): void {
  count.calls += more.calls
  count.first = Math.min(count.first, more.first)
  count.last = Math.max(count.last, more.last)
  for (const [name, calls] of more.agents)
    count.agents.set(name, (count.agents.get(name) ?? 0) + calls)
}

/** The calls of some requests together, over all the time that was counted. */
export function callsOf(
  requests: Iterable<{ readonly key: string }>,
  traffic: Traffic
): CallCount {
  const sum = newCount()
  for (const { key } of requests) addCalls(sum, traffic.requests.get(key) ?? newCount())
  return { ...traffic.total, calls: sum.calls, agents: sum.agents }
}

export const daysOf = ({ first, last }: CallCount): number => (last - first) / 86_400_000

/** User-Agents from the most calls to the fewest. */
export const byCalls = ({
  agents
}: Pick<CallCount, 'agents'>): readonly (readonly [string, number])[] =>
  [...agents].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))

export function encodeTraffic({ total, sampled, skipped, requests }: Traffic): string {
  const counts = { skipped: plainCounts(skipped), requests: plainCounts(requests) }
  return `${writePretty(fromPlain({ sampled, total: plainCount(total), ...counts }))}\n`
}

const plainCounts = (counts: ReadonlyMap<string, CallCount>) =>
  Object.fromEntries([...counts].sort().map(([name, one]) => [name, plainCount(one)]))

const plainCount = (one: CallCount) => ({
  calls: one.calls,
  first: new Date(one.first).toISOString(),
  last: new Date(one.last).toISOString(),
  agents: Object.fromEntries(byCalls(one))
})

/** Undefined if the text is no such file. */
export function decodeTraffic(text: string): Traffic | undefined {
  const value = tryParsePlain(text)
  if (!isPlainObject(value)) return undefined
  const [total] = decodeCounts({ total: value['total'] }).values()
  const [skipped, requests] = [value['skipped'], value['requests']].map(decodeCounts)
  return (
    total &&
    skipped &&
    requests && { total, sampled: value['sampled'] === true, skipped, requests }
  )
}

/** What is no count is left out. */
const decodeCounts = (value: unknown) =>
  new Map(
    entriesOf(value)
      .map(([name, one]) => [name, decodeCount(new Map(entriesOf(one)))] as const)
      .filter(([, { calls, first, last }]) => calls >= 0 && first <= last)
  )

const decodeCount = (one: ReadonlyMap<string, unknown>) => ({
  calls: Number(one.get('calls')),
  first: Date.parse(String(one.get('first'))),
  last: Date.parse(String(one.get('last'))),
  agents: new Map(
    entriesOf(one.get('agents')).map(([name, calls]) => [name, Number(calls) || 0])
  )
})

const entriesOf = (value: unknown) => Object.entries(isPlainObject(value) ? value : {})
