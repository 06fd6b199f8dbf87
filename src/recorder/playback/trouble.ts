/** A bad day of the wiki: which requests meet an error in place of the answer that a cassette has. Deterministic. */

import type { ApiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import { digest } from '../request/request-key.ts'
import {
  assertOptions,
  listOption,
  textOption,
  wholeNumberOption
} from '../text/option-checks.ts'
import { didYouMean } from '../text/words.ts'
import { unknownErrorFormat } from '../wiki/answers/envelope.ts'
import { queryModulesOf } from '../wiki/modules/active-modules.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

const apiErrors = [
  'maxlag',
  'ratelimited',
  'readonly',
  'badtoken',
  'session-lost'
] as const
const transportFaults = ['503', '429', 'html', 'slow', 'cut'] as const

export type TroubleKind = (typeof apiErrors)[number] | (typeof transportFaults)[number]

export const troubleKinds: readonly TroubleKind[] = [...apiErrors, ...transportFaults]

export interface TroubleOptions {
  /** E.g. `maxlag,503=0.2`: with a share, only this part of the requests that can meet it does. */
  readonly kinds: string
  /** Only these modules, e.g. `edit`, `query` or `query+allpages`; all unless given. */
  readonly modules?: readonly string[]
  /** How many times each request meets it; 1 unless given, so that a client that asks again succeeds. */
  readonly first?: number
  /** Another seed chooses other requests and kinds; 1 unless given. */
  readonly seed?: number
  /** Milliseconds that `slow` delays an answer; 5000 unless given. */
  readonly delay?: number
}

const troubleOptions = {
  kinds: textOption('maxlag,503=0.2'),
  modules: listOption((text) => text !== '', 'edit'),
  first: wholeNumberOption(1, 1000),
  seed: wholeNumberOption(0, 2 ** 32),
  delay: wholeNumberOption(0, 600_000)
}

export interface TroublePlan extends Required<Omit<TroubleOptions, 'kinds'>> {
  readonly shares: ReadonlyMap<TroubleKind, number>
  /** How often each request has met it, by `troubledRequest`. */
  readonly met: Map<string, number>
}

/** The trouble of a run; a test may start and end it. */
export interface TroubleState {
  plan: TroublePlan | undefined
}

/** @throws TypeError for wrong options */
export function troublePlan(given: string | TroubleOptions): TroublePlan {
  const options = typeof given === 'string' ? { kinds: given } : given
  assertOptions('trouble', options, troubleOptions)
  const { kinds, modules = [], first = 1, seed = 1, delay = 5000 } = options
  const shares = new Map(kinds.split(',').map((text) => parseShare(text.trim())))
  return { shares, modules, first, seed, delay, met: new Map() }
}

/** E.g. `503=0.2`. @throws TypeError */
function parseShare(text: string): readonly [TroubleKind, number] {
  const [name = '', share = '1'] = text.split('=')
  const kind = troubleKinds.find((one) => one === name)
  if (kind === undefined) {
    const expected = `${troubleKinds.join(', ')}; several with commas`
    throw new TypeError(
      `unknown trouble kind "${text}"${didYouMean(name, troubleKinds)}; expected one of ${expected}`
    )
  }
  if (Number(share) > 0 && Number(share) <= 1) return [kind, Number(share)]
  throw new TypeError(
    `the share of "${text}" is not above 0 and up to 1; expected e.g. ${kind}=0.2`
  )
}

/** What a request meets now: always of one kind, and nothing after the first times. @param derivation in the request's epoch */
export function nextTrouble(
  { shares, modules, first, seed, met }: TroublePlan,
  request: ApiRequest,
  derivation: Derivation
): TroubleKind | undefined {
  const id = troubledRequest(derivation)
  if ((met.get(id) ?? 0) >= first || !isOfModules(request.params, modules))
    return undefined
  const possible = [...shares.keys()].filter((kind) => {
    const refuses = refusals[kind]
    const canMeet = !refuses || (answersJson(request) && refuses(request, derivation))
    return canMeet && draw(seed, id, kind) < (shares.get(kind) ?? 0)
  })
  return possible[Math.floor(draw(seed, id) * possible.length)]
}

/** Requests that differ in limits only are one: some clients ask for fewer rows when they ask again. */
export const troubledRequest = ({ canonical }: Derivation): string =>
  digest(JSON.stringify([...canonical].filter(([name]) => !name.endsWith('limit'))), 12)

/** False where the form of an error is not known, or not JSON. */
const answersJson = ({ envelope }: ApiRequest) =>
  envelope.kind !== 'opaque' && unknownErrorFormat(envelope) === undefined

/** Which requests the API refuses so. Source: ApiMain of MediaWiki 1.35 to 1.43; some extensions limit the rate of queries. */
const refusals: {
  readonly [Kind in TroubleKind]?: (
    request: ApiRequest,
    derivation: Derivation
  ) => boolean
} = {
  maxlag: ({ params }) => /^-?\d{1,6}$/.test(params.get('maxlag') ?? ''),
  ratelimited: ({ params }, { effect }) =>
    effect === 'write' || params.get('action') === 'query',
  readonly: (_, { effect }) => effect === 'write',
  badtoken: ({ params }, { effect, tokenTypes }) =>
    tokenTypes.size > 0 || (effect === 'write' && params.has('token')),
  'session-lost': ({ params, identity }, { effect }) =>
    assertsLogin(params) ||
    (identity !== 'anonymous' && effect === 'write' && params.has('token'))
}

/** True where the wiki refuses a caller who is logged in no longer. */
export const assertsLogin = (params: Params): boolean =>
  /^(?:user|bot)$/.test(params.get('assert') ?? '') || params.has('assertuser')

function isOfModules(params: Params, modules: readonly string[]) {
  const action = params.get('action') ?? 'help'
  const named = queryModulesOf(params).map(([path]) => path.replace('query', action))
  const all = [action, ...named]
  return modules.length === 0 || modules.some((one) => all.includes(one))
}

/** A number from 0 to 1, the same for the same parts. */
const draw = (...parts: readonly (string | number)[]) =>
  Number.parseInt(digest(parts.join(' '), 12), 16) / 16 ** 12
