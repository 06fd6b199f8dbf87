/** What became of each request, for whoever watches: at a terminal, in a log, in a browser. */
import { folderOf } from '../cassette/name.ts'
import { cleanPath } from '../request/inner-secrets.ts'
import { asRequestKey, type RequestKey } from '../request/key.ts'
import { mergeParams, parseUrlencoded } from '../wiki/params.ts'
import { type CassetteStatus, type Exchange, type Reply, targetParts } from './exchange.ts'
import { describeFailure } from './reply-head.ts'

/** When a request had come in (milliseconds since 1970), how many milliseconds it took, and the cassette's folder. */
interface When {
  readonly at: number
  readonly ms: number
  readonly cassette: string
}

export interface Told extends When {
  /** `failed` where the wiki, or the disk, gave no answer. */
  readonly outcome: CassetteStatus | 'failed'
  /** Of HTTP. */
  readonly status: number
  readonly method: string
  /** Path and query as sent. */
  readonly target: string
  /** As the folders of a cassette are named, e.g. `query.allpages`; the path of what is no call of the API. */
  readonly module: string
  readonly key: RequestKey | undefined
  /** The recordings that an answer was synthesised from. */
  readonly from: readonly RequestKey[]
  readonly why: string | undefined
}

/** @param clean takes secrets out of what is shown, when it is shown */
export function toldReply(exchange: Exchange, reply: Reply, when: When, clean?: Clean): Told {
  const { cassetteStatus, status, key, from = none, notRecorded, missed, held, headers } = reply
  const failed = headers.find(([name]) => name === 'mediawiki-api-error')?.[1]
  const outcome = notRecorded ?? (missed === undefined ? failed : `${failed}: ${missed}`)
  const waited =
    held === undefined ? undefined : `held ${Math.round(held)} ms: its session was writing or logging in`
  const why = waited === undefined ? outcome : [outcome, waited].filter((one) => one !== undefined).join('; ')
  return new ToldLazily(exchange, when, { outcome: cassetteStatus, status, key, from, why }, clean)
}

export function toldFailure(exchange: Exchange, error: unknown, when: When, clean?: Clean): Told {
  const { status, info: why } = describeFailure(error)
  return new ToldLazily(exchange, when, { outcome: 'failed', status, key: undefined, from: none, why }, clean)
}

type Clean = (text: string) => string
const asItIs: Clean = (text) => text

const none: readonly RequestKey[] = []

/** Characters of a form that are kept until somebody looks; of a longer one the module is found out at once. */
const mostOfForm = 500

/** Thousands come a second, and perhaps nobody looks: a module is found out when it is asked for. */
class ToldLazily implements Told {
  readonly at: number
  readonly ms: number
  readonly cassette: string
  readonly outcome: Told['outcome']
  readonly status: number
  readonly method: string
  readonly target: string
  readonly key: RequestKey | undefined
  readonly from: readonly RequestKey[]
  readonly #why: string | undefined
  #module: string | undefined
  readonly #form: string
  readonly #clean: Clean

  constructor(
    { method, target, body }: Pick<Exchange, 'method' | 'target' | 'body'>,
    { at, ms, cassette }: When,
    { outcome, status, key, from, why }: Pick<Told, 'outcome' | 'status' | 'key' | 'from' | 'why'>,
    clean: Clean = asItIs,
  ) {
    this.at = at
    this.ms = ms
    this.cassette = cassette
    this.outcome = outcome
    this.status = status
    this.method = method
    this.key = key
    this.from = from
    this.#why = why
    this.#clean = clean
    this.target = target
    const form = method === 'POST' ? startOf(body) : ''
    this.#module = form.length > mostOfForm ? moduleOf(target, form) : undefined
    this.#form = this.#module === undefined ? form : ''
  }

  get module(): string {
    this.#module ??= moduleOf(this.target, this.#form)
    return this.#clean(this.#module)
  }

  get why(): string | undefined {
    return this.#why && this.#clean(this.#why)
  }
}

/** A GET that was replayed, as one process tells another of it. */
export type ToldShort = readonly [
  at: number,
  ms: number,
  status: number,
  target: string,
  key: string | undefined,
  why?: string | undefined,
]

export const toldShort = ({ at, ms, status, target, key, why }: Told): ToldShort => [
  at,
  ms,
  status,
  target,
  key,
  why,
]

/** @param cassette its folder */
export function toldAgain([at, ms, status, target, name, why]: ToldShort, cassette: string): Told {
  const key = asRequestKey(name ?? '')
  return new ToldLazily(
    { method: 'GET', target, body: nothing },
    { at, ms, cassette },
    { outcome: 'replayed', status, key, from: none, why: why ?? undefined },
  )
}

const nothing = new Uint8Array()

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

/** As much of a form as is looked through for the module. */
const startOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 10_000)).toString('latin1')

function moduleOf(target: string, form: string): string {
  const [path, query] = targetParts(target)
  if (!path.endsWith('/api.php')) return cleanPath(path, []).slice(0, 100)
  return folderOf(new Map(mergeParams(parseUrlencoded(form), parseUrlencoded(query))))
}
