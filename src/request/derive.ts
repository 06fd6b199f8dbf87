/**
 * From a request to its key, step by step (docs/matching.md). What cannot change the answer is dropped, what is
 * spelled in several ways is spelled in one; when in doubt, a parameter stays as it was sent.
 */
import { envelopeParams } from '../wiki/envelope.ts'
import {
  findParam,
  type ModuleInPlay,
  type ModuleLookup,
  modulesInPlay,
  type ParamDescription,
} from '../wiki/modules.ts'
import { joinValues, splitValues } from '../wiki/params.ts'
import type { SiteFacts } from '../wiki/site.ts'
import { canonicalTitle } from '../wiki/titles.ts'
import type { ApiRequest, PlainRequest, WikiRequest } from './api-request.ts'
import { type CanonicalRequest, type RequestKey, requestKey } from './key.ts'
import { isSecretParam, tokenKind } from './secrets.ts'

/** What the wiki has said of itself, as far as the cassette knows. */
export interface WikiFacts {
  readonly lookup: ModuleLookup
  readonly site: SiteFacts | undefined
}

/** Why a parameter looks in the key as it does. */
export type StepRule =
  | 'transport'
  | 'write-guard'
  | 'default'
  | 'unknown'
  | 'set'
  | 'title'
  | 'presence'
  | 'timestamp'
  | 'secret'
  | 'identity'
  | 'as-sent'

/** One parameter on its way into the key; `became` is undefined where it was dropped. */
export interface Step {
  readonly name: string
  readonly sent: string
  readonly became: string | undefined
  readonly rule: StepRule
}

/** A key with all that led to it. */
export interface Derivation {
  readonly key: RequestKey
  readonly canonical: CanonicalRequest
  /**
   * Multi-valued parameters whose order or spelling was folded, as sent. An answer recorded for another order or
   * spelling of the same set may have to be re-projected.
   */
  readonly asked: ReadonlyMap<string, string>
  /** Those of `asked` whose order and spelling cannot show in an answer without warnings: closed lists of values. */
  readonly orderless: ReadonlySet<string>
  readonly steps: readonly Step[]
  /** Modules of the request that the wiki has not described: their parameters all count as sent. */
  readonly undescribed: readonly string[]
}

export function derive(request: WikiRequest, facts: WikiFacts): Derivation {
  return request.kind === 'plain' ? derivePlain(request) : deriveApi(request, facts)
}

/** The key under which a set is kept when its order cannot be folded away: the same request, order significant. */
export function inOrderSent(derivation: Derivation): Derivation {
  const canonical = new Map(derivation.canonical)
  for (const [name, value] of derivation.asked) canonical.set(`${name} in order`, value)
  return { ...derivation, canonical, asked: new Map(), key: requestKey(canonical) }
}

function derivePlain(request: PlainRequest): Derivation {
  const canonical = new Map([['plain target', request.target]])
  if (request.posted) canonical.set('plain body', request.bodyDigest)
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return {
    key: requestKey(canonical),
    canonical,
    asked: new Map(),
    orderless: new Set(),
    steps: [],
    undescribed: [],
  }
}

function deriveApi(request: ApiRequest, facts: WikiFacts): Derivation {
  const format = request.envelope.kind === 'opaque' ? request.envelope.format : 'json'
  const modules = modulesInPlay(request.params, format, facts.lookup)
  const undescribed = modules.flatMap((one) => (one.description === undefined ? [one.path] : []))
  // A parameter is known to be unknown only where every module in play has listed all that it reads.
  const closed = undescribed.length === 0 && modules.every((one) => one.description?.open === false)
  const context: Context = { request, modules, closed, site: facts.site }
  const steps = [...request.params].map(([name, value]) => step(name, value, context))
  const canonical = collect(steps, request)
  return {
    key: requestKey(canonical),
    canonical,
    asked: askedOf(steps),
    orderless: orderlessOf(steps, modules),
    steps,
    undescribed,
  }
}

interface Context {
  readonly request: ApiRequest
  readonly modules: readonly ModuleInPlay[]
  readonly closed: boolean
  readonly site: SiteFacts | undefined
}

const transport: ReadonlySet<string> = new Set(['origin', 'maxlag', 'smaxage', 'maxage'])
/** Echoes of earlier answers that guard a write against edit conflicts. */
const writeGuards: ReadonlySet<string> = new Set(['basetimestamp', 'starttimestamp', 'md5'])

function step(name: string, sent: string, context: Context): Step {
  const make = (rule: StepRule, became?: string): Step => ({ name, sent, became, rule })
  const json = context.request.envelope.kind !== 'opaque'
  if (transport.has(name) || (json && envelopeParams.has(name))) return make('transport')
  const found = findParam(name, context.modules)
  if (writeGuards.has(name) && writes(context)) return make('write-guard')
  if (isSecretParam(name, found)) return make('secret', tokenKind(sent))
  if (found === undefined) return context.closed ? make('unknown', '') : make('as-sent', sent)
  return known(found, sent, make, context.site)
}

const writes = ({ modules }: Context): boolean =>
  modules.some(({ description }) => description?.writes === true || description?.mustBePosted === true)

function known(
  param: ParamDescription,
  sent: string,
  make: (rule: StepRule, became?: string) => Step,
  site: SiteFacts | undefined,
): Step {
  const type = param.type.kind === 'named' ? param.type.name : 'enum'
  if (type === 'boolean') return make('presence', '')
  const became = param.multi ? foldSet(param, type, sent, site) : foldValue(type, sent, site)
  const isDefault = param.default !== undefined && sameValue(param, became, type, site)
  if (isDefault && !param.deprecated) return make('default')
  if (became === sent) return make('as-sent', sent)
  return make(param.multi ? 'set' : type === 'timestamp' ? 'timestamp' : 'title', became)
}

function sameValue(
  param: ParamDescription,
  became: string,
  type: string,
  site: SiteFacts | undefined,
): boolean {
  const standard = param.default ?? ''
  return became === (param.multi ? foldSet(param, type, standard, site) : foldValue(type, standard, site))
}

/** Members in one order and once each, where the wiki takes them as a set. */
function foldSet(param: ParamDescription, type: string, sent: string, site: SiteFacts | undefined): string {
  const isTitles = type === 'title' || param.name === 'titles'
  const values = splitValues(sent).map((value) => foldValue(isTitles ? 'title' : type, value, site))
  return joinValues(param.allowsDuplicates ? values : [...new Set(values)].sort())
}

function foldValue(type: string, sent: string, site: SiteFacts | undefined): string {
  if (type === 'title' && site !== undefined) return canonicalTitle(sent, site) ?? sent
  if (type === 'timestamp') return foldTimestamp(sent)
  return sent
}

/** `20260102030405` and `2026-01-02T03:04:05Z` are one moment; every other spelling stays as it is. */
function foldTimestamp(sent: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(sent)
  if (parts === null) return sent
  const [, year, month, day, hour, minute, second] = parts
  return `${year}-${month}-${day}T${hour}:${minute}:${second}Z`
}

function collect(steps: readonly Step[], request: ApiRequest): CanonicalRequest {
  const canonical = new Map<string, string>()
  for (const { name, became } of steps) if (became !== undefined) canonical.set(name, became)
  for (const file of request.files) canonical.set(`${file.name} file`, `${file.digest} ${file.bytes}`)
  const unknown = steps.flatMap((one) => (one.rule === 'unknown' ? [one.name] : []))
  // The warning lists them in the order sent.
  if (unknown.some((name, at) => at > 0 && name < (unknown[at - 1] ?? ''))) {
    canonical.set('unknown in order', joinValues(unknown))
  }
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return new Map([...canonical].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

/** Sets and titles as sent, where the fold changed them. */
function askedOf(steps: readonly Step[]): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap((one) => (one.rule === 'set' || one.rule === 'title' ? [[one.name, one.sent]] : [])),
  )
}

/** Named types whose values only select; a title of a single-valued parameter is looked up, not echoed. */
const selecting: ReadonlySet<string> = new Set(['namespace', 'title'])

/** In `action=tokens` and `paraminfo` too the order of an open list shows; closed lists and namespaces only select. */
function orderlessOf(steps: readonly Step[], modules: readonly ModuleInPlay[]): ReadonlySet<string> {
  const folded = steps.filter((one) => one.rule === 'set' || one.rule === 'title')
  return new Set(
    folded.flatMap(({ name }) => {
      const param = findParam(name, modules)
      if (param === undefined) return []
      const selects =
        param.type.kind === 'enum' ||
        (selecting.has(param.type.name) && !(param.multi && param.type.name === 'title'))
      return selects ? [name] : []
    }),
  )
}
