/**
 * From a request to its key, step by step (docs/matching.md). What cannot change the answer is dropped, what is
 * spelled in several ways is spelled in one; when in doubt, a parameter stays as it was sent.
 */
import type { ListingFact } from '../knowledge/listing-facts.ts'
import { envelopeParams } from '../wiki/answers/envelope.ts'
import { effectOf, type RequestEffect } from '../wiki/effects/request-effect.ts'
import { type ActiveModule, activeModules, findParamDescriptions } from '../wiki/modules/active-modules.ts'
import type { ModuleLookup, ParamDescription } from '../wiki/modules/module-descriptions.ts'
import { isClean, joinValues, splitValues, writeQuery } from '../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../wiki/site/site-facts.ts'
import { canonicalTitle } from '../wiki/site/titles.ts'
import type { ApiRequest, PlainRequest, WikiRequest } from './api-request.ts'
import { cleanValue } from './inner-secrets.ts'
import { type CanonicalRequest, type RequestKey, requestKey, sortCanonical } from './request-key.ts'
import {
  alwaysSecret,
  isSecretPair,
  isSecretParam,
  nameOfValue,
  secretHint,
  tokenKind,
} from './secret-params.ts'

/** What the wiki has said of itself, as far as the cassette knows. */
export interface WikiFacts {
  readonly lookup: ModuleLookup
  readonly site: SiteFacts | undefined
  /** `learned` where only what recordings show is believed, not what is known of the wiki's version. */
  readonly trust?: 'learned' | undefined
  /** What is known of listings; the shipped facts, unless a proof leaves some of them out. */
  readonly known?: readonly ListingFact[]
  /** True where requests spelled otherwise are other requests (`--match strict`). */
  readonly strict?: boolean
}

/** Why a parameter looks in the key as it does. */
export type KeyStepRule =
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
export interface KeyStep {
  readonly name: string
  readonly sent: string
  readonly became: string | undefined
  readonly rule: KeyStepRule
}

/** A key with all that led to it. */
export interface Derivation {
  readonly key: RequestKey
  readonly canonical: CanonicalRequest
  /**
   * Multi-valued parameters whose order or spelling was folded, as sent. An answer recorded for another order or
   * spelling of the same set may have to be re-projected.
   */
  readonly sentValues: ReadonlyMap<string, string>
  /** Those of `asked` whose order and spelling cannot show in an answer without warnings: closed lists of values. */
  readonly orderless: ReadonlySet<string>
  readonly steps: readonly KeyStep[]
  /** Modules of the request that the wiki has not described: their parameters all count as sent. */
  readonly undescribed: readonly string[]
  readonly effect: RequestEffect
  /** True where the answer shows in which order parameters were sent: a warning lists those that nobody knows. */
  readonly orderShows: boolean
  /** Which kind of token each token parameter wants, e.g. `csrf`, by the parameter's name. */
  readonly tokenTypes: ReadonlyMap<string, string>
}

export function derive(request: WikiRequest, facts: WikiFacts): Derivation {
  return request.kind === 'plain' ? derivePlain(request) : deriveApi(request, facts)
}

function derivePlain(request: PlainRequest): Derivation {
  const canonical = new Map([['plain target', request.target]])
  if (request.posted) canonical.set('plain body', request.bodyDigest)
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return {
    key: requestKey(canonical),
    canonical,
    sentValues: new Map(),
    orderless: new Set(),
    steps: [],
    undescribed: [],
    effect: 'read',
    orderShows: false,
    tokenTypes: new Map(),
  }
}

function deriveApi(request: ApiRequest, facts: WikiFacts): Derivation {
  const format = request.envelope.kind === 'opaque' ? request.envelope.format : 'json'
  const modules = activeModules(request.params, format, facts.lookup)
  const undescribed = modules.flatMap((one) => (one.description === undefined ? [one.path] : []))
  // A parameter is known to be unknown only where every module in play has listed all that it reads.
  const writes = modules.some(
    ({ description }) => description?.writes === true || description?.mustBePosted === true,
  )
  const described = modules.filter(({ description }) => description !== undefined)
  const closed =
    !writes && format !== undefined && described.length === modules.length && described.every(isClosed)
  const params = new Map(
    [...request.params.keys()].map((name) => [name, findParamDescriptions(name, described)] as const),
  )
  const context: DerivationContext = { request, modules: described, params, closed, writes, site: facts.site }
  const steps = [...request.params].map(([name, value]) =>
    deriveStep(name, cleanValue(name, value).clean, context),
  )
  const unknown = unknownIn(steps, context)
  const canonical = canonicalFrom(steps, unknown, context)
  if (facts.strict === true) canonical.set('as sent', exactSpelling(steps, request))
  const sorted = sortCanonical(canonical)
  return {
    key: requestKey(sorted),
    canonical: sorted,
    sentValues: sentValuesIn(steps),
    orderless: orderlessIn(steps, params),
    steps,
    undescribed,
    // What cannot be read may be a write.
    effect: request.unread === undefined ? effectOf(modules, request.params) : 'write',
    orderShows: unknown.length > 1,
    tokenTypes: tokenTypesOf(steps, params),
  }
}

const tokenTypesOf = (steps: readonly KeyStep[], params: ParamDescriptions): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ name, rule }) => {
      const type = rule === 'secret' ? params.get(name)?.[0]?.tokenType : undefined
      return type === undefined ? [] : [[name, type]]
    }),
  )

const isClosed = ({ description }: ActiveModule): boolean => description?.acceptsUnlisted === false

/** All that the modules in play say of each parameter sent. */
type ParamDescriptions = ReadonlyMap<string, readonly ParamDescription[]>

interface DerivationContext {
  readonly request: ApiRequest
  /** The modules in play that the wiki has described. */
  readonly modules: readonly ActiveModule[]
  readonly params: ParamDescriptions
  /** True where every parameter that can have an effect is described: writes also read what their forms send. */
  readonly closed: boolean
  readonly writes: boolean
  readonly site: SiteFacts | undefined
}

/** Parameters of the transport, with the values that they may have without drawing a complaint. */
const transportParams: ReadonlyMap<string, RegExp> = new Map([
  ['origin', /^/],
  ['maxlag', /^\d{1,9}$/],
  ['smaxage', /^\d{1,9}$/],
  ['maxage', /^\d{1,9}$/],
])
/** Echoes of earlier answers that guard a write against edit conflicts. */
const writeGuardParams: ReadonlySet<string> = new Set(['basetimestamp', 'starttimestamp', 'md5'])
/** Read by MediaWiki behind the API's back (language converter, skins, resource loader), whatever `paraminfo` says. */
const ambientParams =
  /^(?:debug|linkconvert|mobileaction|redirect|redlink|safemode|setlang|useformat|uselang|useskin|variant)$/

function deriveStep(name: string, sent: string, context: DerivationContext): KeyStep {
  const make = (rule: KeyStepRule, became?: string): KeyStep => ({ name, sent, became, rule })
  const params = context.params.get(name) ?? []
  const [found] = params
  const ignored = found === undefined && context.closed
  const called = nameOfValue(context.request.params, name)
  const isSecret =
    called === name
      ? ignored
        ? alwaysSecret.test(name)
        : isSecretParam(name, sent, found)
      : isSecretPair(called, sent)
  if (isSecret) return make('secret', tokenKind(sent))
  if (ignored) return ambientParams.test(name) ? make('as-sent', sent) : make('unknown', '')
  if (isTransport(name, sent, context)) return make('transport')
  if (writeGuardParams.has(name) && context.writes) return make('write-guard')
  return found === undefined || params.length > 1 || !isCleanFor(found, sent)
    ? make('as-sent', sent)
    : foldKnown(found, sent, make, context.site)
}

function isTransport(name: string, sent: string, { request }: DerivationContext): boolean {
  const chosen = request.envelope.kind !== 'opaque' && envelopeParams.has(name)
  return (chosen || transportParams.get(name)?.test(sent) === true) && isClean(sent)
}

/** The wiki warns of a value that is not clean; U+001F may stand only where it separates several. */
const isCleanFor = (param: ParamDescription, sent: string): boolean =>
  param.multi && sent.startsWith('\u001f') ? splitValues(sent).every(isClean) : isClean(sent)

function foldKnown(
  param: ParamDescription,
  sent: string,
  make: (rule: KeyStepRule, became?: string) => KeyStep,
  site: SiteFacts | undefined,
): KeyStep {
  const type = param.type.kind === 'named' ? param.type.name : 'enum'
  if (type === 'boolean') return make('presence', '')
  if (
    sent === param.default &&
    !param.deprecated &&
    !splitValues(sent).some((one) => param.deprecatedValues.has(one))
  )
    return make('default')
  const became = param.multi ? foldSet(param, type, sent, site) : foldValue(type, sent, site)
  if (became === sent) return make('as-sent', sent)
  return make(param.multi ? 'set' : type === 'timestamp' ? 'timestamp' : 'title', became)
}

/** Values beyond which an anonymous caller's list is cut short or refused: then its order decides what is left. */
const maxValues = 50

/** Members in one order and once each, where the wiki takes them as a set. */
function foldSet(param: ParamDescription, type: string, sent: string, site: SiteFacts | undefined): string {
  const sentValues = splitValues(sent)
  if (sentValues.length > maxValues || (sent.startsWith('\u001f') && !knowsUnitSeparator(site))) return sent
  const isTitles = type === 'title' || param.name === 'titles'
  const values = sentValues.map((value) => foldValue(isTitles ? 'title' : type, value, site))
  return joinValues(param.allowsDuplicates ? values : [...new Set(values)].sort())
}

/** U+001F separates values since 1.28; before, it was a character to be warned of. */
const knowsUnitSeparator = (site: SiteFacts | undefined): boolean =>
  Number(/^MediaWiki 1\.(\d+)/.exec(site?.generator ?? '')?.[1]) >= 28

function foldValue(type: string, sent: string, site: SiteFacts | undefined): string {
  if (type === 'title' && site !== undefined) return canonicalTitle(sent, site) ?? sent
  if (type === 'timestamp') return foldTimestamp(sent)
  return sent
}

/** `20260102030405` and `2026-01-02T03:04:05Z` are one moment; every other spelling stays as it is, as do impossible dates. */
function foldTimestamp(sent: string): string {
  const parts = /^([12]\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(sent)
  if (parts === null) return sent
  const [, year, month, day, hour, minute, second] = parts
  const spelled = `${year}-${month}-${day}T${hour}:${minute}:${second}`
  const moment = new Date(`${spelled}Z`)
  return Number.isNaN(moment.getTime()) || !moment.toISOString().startsWith(spelled) ? sent : `${spelled}Z`
}

/** Method and parameters in their order and spelling; of a secret only its kind. */
const exactSpelling = (steps: readonly KeyStep[], { posted }: ApiRequest): string =>
  `${posted ? 'POST' : 'GET'} ${writeQuery(steps.map(({ name, sent, became, rule }) => [name, rule === 'secret' ? (became ?? '') : isSecretPair(name, sent) && rule === 'unknown' ? tokenKind(sent) : sent]))}`

/** Names that no module in play knows, in the order sent. */
const unknownIn = (steps: readonly KeyStep[], { params, closed }: DerivationContext): readonly string[] =>
  closed ? steps.flatMap(({ name }) => (params.get(name)?.length === 0 ? [name] : [])) : []

function canonicalFrom(
  steps: readonly KeyStep[],
  unknown: readonly string[],
  { request, modules }: DerivationContext,
): Map<string, string> {
  const canonical = new Map<string, string>()
  for (const { name, became } of steps) if (became !== undefined) canonical.set(name, became)
  // `format=jsonfm` is a default, but an answer kept as text is of one format only.
  if (request.envelope.kind === 'opaque') canonical.set(...formatParam(request.envelope.format))
  if (isCrossOrigin(request) && handlesTokens(request, modules)) canonical.set('other origin', '')
  for (const { name, digest, bytes } of request.files)
    canonical.set(`${name} file`, secretHint(name) === 'secret' ? '(secret)' : `${digest} ${bytes}`)
  if (request.unread !== undefined) canonical.set('unread body', request.unread.digest)
  const sorted = [...unknown].sort()
  // The warning lists them in the order sent.
  if (unknown.some((name, at) => name !== sorted[at])) canonical.set('unknown in order', joinValues(unknown))
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return canonical
}

/** No parameter's name has a space. */
const formatParam = (format: string | undefined): [name: string, value: string] =>
  format === undefined ? ['no format', ''] : ['format', format]

/** Callers from another origin: to them the wiki gives no tokens, and says so. */
const isCrossOrigin = ({ params }: ApiRequest): boolean =>
  params.has('callback') || params.get('origin') === '*'

/** True for modules that hand out tokens or want one, and for the token parameters that 1.35 still had. */
const handlesTokens = ({ params }: ApiRequest, modules: readonly ActiveModule[]): boolean =>
  modules.some(
    ({ path, description }) => /(?:^|\+)tokens$/.test(path) || description?.mustBePosted === true,
  ) || [...params].some(([name, value]) => [name, ...splitValues(value)].some((one) => one.endsWith('token')))

/** Sets and titles as sent, where the fold changed them. */
function sentValuesIn(steps: readonly KeyStep[]): ReadonlyMap<string, string> {
  return new Map(
    steps.flatMap((one) => (one.rule === 'set' || one.rule === 'title' ? [[one.name, one.sent]] : [])),
  )
}

/**
 * Sets of which only the members count: closed lists and namespaces select. In `action=tokens` and `paraminfo` too the
 * order of an open list shows. A title of a single-valued parameter is looked up, not echoed.
 */
function orderlessIn(steps: readonly KeyStep[], params: ParamDescriptions): ReadonlySet<string> {
  return new Set(
    steps.flatMap(({ name }) => {
      const [param] = params.get(name) ?? []
      if (param === undefined) return []
      const type = param.type.kind === 'named' ? param.type.name : 'enum'
      return (param.multi ? type === 'enum' || type === 'namespace' : type === 'title') ? [name] : []
    }),
  )
}
