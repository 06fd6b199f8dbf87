/** What a review reads: recorded requests with their answers, and the log of a run; what of it belongs to one client. */
import type { Interaction } from '../recorder/cassette/interaction.ts'
import type { JsonTree } from '../recorder/json/json-tree.ts'
import { isPlainObject, tryParsePlain } from '../recorder/json/plain-json.ts'
import { groupBy } from '../recorder/text/group-by.ts'
import { effectOf, type RequestEffect } from '../recorder/wiki/effects/request-effect.ts'
import {
  type ActiveModule,
  activeModules
} from '../recorder/wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../recorder/wiki/modules/module-descriptions.ts'

/** A recorded request to the API, with its answers. */
export interface Exchange extends Pick<Interaction, 'key' | 'request' | 'sentValues'> {
  /** Its file inside of the cassette. */
  readonly file: string
  /** Its answers that are JSON. */
  readonly answers: readonly JsonTree[]
  readonly modules: readonly ActiveModule[]
  readonly effect: RequestEffect
}

/** A line of `--log`. Older versions did not write `agent`, `maxlag` (of a POST), `limit` and `retryAfter` (in seconds). */
export interface RunLogRequest {
  readonly time: string
  readonly ms: number
  readonly cassette: string
  readonly outcome: string
  readonly module: string
  readonly key?: string
  readonly why?: string
  readonly agent?: string
  readonly maxlag?: boolean
  readonly limit?: boolean
  readonly retryAfter?: number
}

/** Undefined if it is no such line. */
export function readLogLine(text: string): RunLogRequest | undefined {
  const line = tryParsePlain(text)
  const isRead =
    isPlainObject(line) &&
    typeof line['ms'] === 'number' &&
    typeof line['module'] === 'string'
  return isRead ? (line as unknown as RunLogRequest) : undefined
}

export const startOf = ({ time }: Pick<RunLogRequest, 'time'>): number => Date.parse(time)

/** What one client did, or all that a cassette was recorded from. */
export interface Client {
  readonly agent: string | undefined
  readonly exchanges: readonly Exchange[]
  /** In the order in which the requests came in; undefined if nothing is known of that. */
  readonly log: readonly RunLogRequest[] | undefined
  /** The recording of a logged request. */
  readonly find: (logged: RunLogRequest) => Exchange | undefined
}

/** Undefined for requests to other pages of the wiki. */
export function readExchange(
  { key, request, sentValues, responses }: Interaction,
  lookup: ModuleLookup,
  file: string
): Exchange | undefined {
  if (request.has('plain target')) return undefined
  const format = request.has('no format') ? undefined : (request.get('format') ?? 'json')
  const modules = activeModules(request, format, lookup)
  const answers = responses.flatMap(({ body }) =>
    body.kind === 'json' ? [body.tree] : []
  )
  const effect = effectOf(modules, request)
  return { key, request, sentValues, file, answers, modules, effect }
}

/** One client for each User-Agent of the log, with the recordings of its requests; without a log, one for all. */
export function clientsOf(
  exchanges: readonly Exchange[],
  log: Client['log']
): readonly Client[] {
  const byKey = new Map<string | undefined, Exchange>(
    exchanges.map((one) => [one.key, one])
  )
  const find: Client['find'] = ({ key }) => byKey.get(key)
  if (!log) return [{ agent: undefined, exchanges, log, find }]
  return [...groupBy(log, ({ agent }) => agent)].map(([agent, requests]) => {
    const own = [...new Set(requests.flatMap((one) => find(one) ?? []))]
    return {
      agent,
      exchanges: own,
      log: requests.toSorted((a, b) => startOf(a) - startOf(b)),
      find
    }
  })
}
