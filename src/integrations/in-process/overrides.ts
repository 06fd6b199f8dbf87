/** Answers that a test gives itself, taken before the cassette: for what cannot be recorded. They are never written. */
import {
  type ApiError,
  apiErrorResponse,
  errorOf
} from '../../recorder/engine/replay/api-error.ts'
import { parseRequest } from '../../recorder/http/parse-request.ts'
import { renderReply } from '../../recorder/http/render-reply.ts'
import { replyHeaders } from '../../recorder/http/reply-headers.ts'
import { fromPlain, isPlainObject } from '../../recorder/json/plain-json.ts'
import { type Mode, mayRecord } from '../../recorder/playback/decide.ts'
import {
  type TroubleOptions,
  type TroubleState,
  troublePlan
} from '../../recorder/playback/trouble.ts'
import type { RequestKey } from '../../recorder/request/request-key.ts'
import { isUnusedFolder } from '../../recorder/store/files/paths-inside.ts'
import {
  assertOptions,
  type Expectation,
  textOption,
  wholeNumberOption
} from '../../recorder/text/option-checks.ts'
import {
  type Params,
  splitValues
} from '../../recorder/wiki/parameters/request-params.ts'
import type { InProcessReply, InProcessRequest } from './in-process-request.ts'

/** As clients write parameters: lists are joined by `|`, true is sent as an empty text, false is absent. */
export type OverrideParams = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[]>
>

export interface OverrideReply {
  /** The whole answer, in place of `error`. */
  readonly json?: object
  /** An error of the API: its code, or code and text. */
  readonly error?: string | Pick<ApiError, 'code' | 'text'>
  /** HTTP status; 200 unless given. */
  readonly status?: number
}

/** A cassette in the hands of a test. */
export interface CassetteHandle {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  /** The api.php that it answers for. */
  readonly apiUrl: string
  /** From now on requests meet errors first, as on a bad day of the wiki. @returns the function that ends this */
  trouble(options: string | TroubleOptions): () => void
  /** Answers requests with these parameters itself, before the cassette: nothing is written. @returns the function that ends this */
  answer(params: OverrideParams, reply: OverrideReply): () => void
}

const replyOptions = {
  json: {
    accepts: (value: unknown) => typeof value === 'object' && value !== null,
    expected: 'an object, e.g. { query: { allpages: [] } }'
  },
  error: {
    accepts: (value: unknown) =>
      typeof value === 'object' ? isError(value) : textOption('').accepts(value),
    expected: "an error's code, e.g. 'readonly', or { code, text }"
  },
  status: wholeNumberOption(200, 599)
}

const isError = (value: object | null) =>
  value !== null &&
  ['code', 'text'].every((name) => typeof Reflect.get(value, name) === 'string')

interface Override {
  readonly params: readonly (readonly [name: string, value: string | undefined])[]
  readonly reply: OverrideReply
  times: number
}

export class Overrides {
  readonly #all: Override[] = []
  readonly #active = new Set<Override>()
  #isJudged = false

  /** @param given of a request, which may have more. @returns the function that ends it. @throws TypeError */
  add(given: OverrideParams, reply: OverrideReply): () => void {
    assertOptions('answer', reply, replyOptions)
    if (
      (reply.json ?? reply.error ?? reply.status) === undefined ||
      (reply.json && reply.error)
    )
      throw new TypeError('answer: expected one of json, error, or a status alone')
    const pairs = isPlainObject(given) ? Object.entries(given) : []
    const params = pairs.map(([name, value]) => [name, textOf(value)] as const)
    if (params.length === 0)
      throw new TypeError(
        "answer: expected parameters of the request, e.g. { action: 'edit' }"
      )
    const override: Override = { params, reply, times: 0 }
    this.#all.push(override)
    this.#active.add(override)
    return () => void this.#active.delete(override)
  }

  /** The latest that matches. @throws Error if the format of the request has no form for it */
  answer({
    method,
    target,
    headers,
    body
  }: InProcessRequest): InProcessReply | undefined {
    if (
      this.#active.size === 0 ||
      (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    )
      return undefined
    const { request } = parseRequest(
      { method, target, headers, body, session: '', signal: undefined },
      () => 'anonymous'
    )
    if (request.kind !== 'api') return undefined
    const found = [...this.#active].findLast(({ params }) =>
      params.every(([name, value]) => areAlike(request.params.get(name), value))
    )
    if (!found) return undefined
    found.times += 1
    const response = responseOf(found.reply, request.params)
    const reply = renderReply(response, request, {
      status: 'override',
      key: '' as RequestKey,
      now: 0
    })
    if (typeof reply === 'string') {
      const format = request.params.get('format') ?? 'none'
      throw new Error(
        `the answer of cassette.answer(…) cannot be sent in the format of the request (${format}): such answers are JSON; ask with format=json, or give a status alone`
      )
    }
    const sent = method === 'HEAD' ? Buffer.alloc(0) : reply.body
    return [
      reply.status,
      sent,
      replyHeaders({ ...reply, key: undefined }, 'identity', reply.body.length)
    ]
  }

  /** The parameters of those that no request had; told once, though the cassettes of several wikis ask. */
  takeUnused(): readonly string[] {
    const unused = this.#isJudged ? [] : this.#all.filter(({ times }) => times === 0)
    this.#isJudged = true
    return unused.map(paramsText)
  }

  /** E.g. `answered by the test: action=edit 2`; empty if there are none. */
  text(): string {
    const shown = this.#all.map((one) => `${paramsText(one)} ${one.times}`)
    return shown.length === 0 ? '' : `, answered by the test: ${shown.join(', ')}`
  }
}

const paramsText = ({ params }: Override) =>
  params
    .map(([name, value]) => (value === undefined ? `no ${name}` : `${name}=${value}`))
    .join('&')

/** Of several values the order does not count. */
const areAlike = (sent: string | undefined, wanted: string | undefined) =>
  sent === wanted ||
  (sent !== undefined &&
    wanted !== undefined &&
    sortedValues(sent) === sortedValues(wanted))

const sortedValues = (text: string) => [...new Set(splitValues(text))].sort().join('|')

function textOf(value: OverrideParams[string]) {
  if (typeof value === 'boolean') return value ? '' : undefined
  return typeof value === 'object' ? value.join('|') : String(value)
}

function responseOf({ json, error, status = 200 }: OverrideReply, params: Params) {
  if (error !== undefined) {
    const whole =
      typeof error === 'string'
        ? (errorOf(error, params) ?? { code: error, text: error })
        : error
    return { ...apiErrorResponse(whole, params), status }
  }
  const body =
    json === undefined
      ? ({ kind: 'text', text: '' } as const)
      : ({ kind: 'json', tree: fromPlain(json), spelling: 'utf8' } as const)
  return { status, headers: new Map<string, string>(), cookies: [], body }
}

export const troubleOption: Expectation = {
  accepts: (value) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null),
  expected:
    "kinds of trouble, e.g. 'maxlag,503=0.2', or an object of kinds, modules, first, seed, delay"
}

/** @returns the function that ends it. @throws TypeError for wrong options, Error if the mode is one that records */
export function startTrouble(
  {
    folder,
    mode,
    trouble
  }: { readonly folder: string; readonly mode: Mode; readonly trouble: TroubleState },
  given: string | TroubleOptions
): () => void {
  const plan = troublePlan(given)
  if (mode === 'passthrough' || mayRecord(mode, isUnusedFolder(folder)))
    throw new Error(
      `trouble is only for answers from a cassette, and is never recorded; the cassette ${folder} is used in mode ${mode}: record it by a test without trouble, and name it here`
    )
  trouble.plan = plan
  return () => {
    if (trouble.plan === plan) trouble.plan = undefined
  }
}
