/** What became of each request, for whoever watches: at a terminal, in a log, in a browser. */
import { folderOf } from '../cassette/name.ts'
import type { RequestKey } from '../request/key.ts'
import { mergeParams, parseUrlencoded } from '../wiki/params.ts'
import type { CassetteStatus, Exchange, Reply } from './exchange.ts'
import { describeFailure } from './reply-head.ts'

export interface Told {
  /** When the request had come in, in milliseconds since 1970. */
  readonly at: number
  /** How long it took, in milliseconds. */
  readonly ms: number
  /** Folder of the cassette. */
  readonly cassette: string
  /** `failed` where the wiki, or the disk, gave no answer. */
  readonly outcome: CassetteStatus | 'failed'
  /** Of HTTP. */
  readonly status: number
  readonly method: string
  /** As the folders of a cassette are named, e.g. `query.allpages`; the path of what is no call of the API. */
  readonly module: string
  readonly key: RequestKey | undefined
  /** The recordings that an answer was synthesised from. */
  readonly from: readonly RequestKey[]
  readonly why: string | undefined
}

type When = Pick<Told, 'at' | 'ms' | 'cassette'>

export function toldReply(exchange: Exchange, reply: Reply, when: When): Told {
  const { cassetteStatus: outcome, status, key, from = [], notRecorded, missed, headers } = reply
  const failed = headers.find(([name]) => name === 'mediawiki-api-error')?.[1]
  const why = notRecorded ?? (missed === undefined ? failed : `${failed}: ${missed}`)
  return { ...when, outcome, status, method: exchange.method, module: moduleOf(exchange), key, from, why }
}

export function toldFailure(exchange: Exchange, error: unknown, when: When): Told {
  const { status, info: why } = describeFailure(error)
  const { method } = exchange
  return {
    ...when,
    outcome: 'failed',
    status,
    method,
    module: moduleOf(exchange),
    key: undefined,
    from: [],
    why,
  }
}

/** One line, e.g. `replayed 200 query.allpages 9f3a1c20d4e5 3 ms`; the reason behind it where there is one. */
export const toldLine = ({ outcome, status, module, key, ms, why }: Told): string =>
  [
    outcome,
    String(status),
    module,
    key ?? '-',
    `${Math.round(ms)} ms`,
    ...(why === undefined ? [] : [`(${why})`]),
  ].join(' ')

function moduleOf({ target, body, method }: Exchange): string {
  const cut = target.indexOf('?')
  const path = cut < 0 ? target : target.slice(0, cut)
  if (!path.endsWith('/api.php')) return path.slice(0, 100)
  const query = parseUrlencoded(cut < 0 ? '' : target.slice(cut + 1))
  const form = method === 'POST' ? Buffer.from(body.subarray(0, 10_000)).toString('latin1') : ''
  return folderOf(new Map(mergeParams(parseUrlencoded(form), query)))
}
