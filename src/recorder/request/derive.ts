/**
 * From a request to its key, step by step (docs/matching.md). What cannot change the answer is dropped, what has
 * several spellings gets one; when in doubt, a parameter stays as it was sent.
 */

import type { ListingFact } from '../knowledge/listing-facts.ts'
import { hasQuirk, quirkNames } from '../knowledge/module-quirks.ts'
import {
  effectOf,
  postWrites,
  type RequestEffect
} from '../wiki/effects/request-effect.ts'
import { restTarget } from '../wiki/effects/rest-routes.ts'
import {
  type ActiveModule,
  activeModules,
  findParamDescriptions
} from '../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../wiki/modules/module-descriptions.ts'
import {
  joinValues,
  type ParamPairs,
  type Params,
  parseUrlencoded
} from '../wiki/parameters/request-params.ts'
import { acceptedVariants } from '../wiki/site/accepted-languages.ts'
import type { SiteFacts } from '../wiki/site/site-facts.ts'
import type { ApiRequest, PlainRequest, WikiRequest } from './api-request.ts'
import { canonicalFrom } from './canonical-request.ts'
import { type IgnoredParam, ignoredIn } from './ignored-params.ts'
import { cleanListed, cleanValue } from './inner-secrets.ts'
import { type KeyStep, keyStep, type ParamDescriptions } from './key-step.ts'
import { type KeyedRequest, keyedRequest } from './request-key.ts'
import { secretDecidingIn, tokenTypesOf, withoutRestOfPassword } from './secret-steps.ts'

/** What the wiki has said of itself, as far as the cassette knows. */
export interface WikiFacts {
  readonly lookup: ModuleLookup
  readonly site: SiteFacts | undefined
  /** `learned`: trust recordings only; undefined: also what src/knowledge says of the wiki's version. */
  readonly trust?: 'learned' | undefined
  /** What is known of listings; the bundled facts, unless a test leaves some of them out. */
  readonly known?: readonly ListingFact[]
  /** True where requests with another spelling are other requests (`--match strict`). */
  readonly strict?: boolean
  /** Parameters that the cassette leaves out of keys. */
  readonly ignored?: readonly IgnoredParam[] | undefined
}

export interface Derivation extends KeyedRequest {
  /**
   * Parameters whose order or spelling was folded, as sent. An answer recorded for another order or spelling may have
   * to be reordered (playback/reorder/).
   */
  readonly sentValues: Params
  /** Parameters whose folded spelling cannot show in an answer without warnings: closed lists, namespaces, a single title. */
  readonly orderless: ReadonlySet<string>
  /** Names that no described module has, in the order sent: a warning lists them so. */
  readonly unknownNames: readonly string[]
  readonly steps: readonly KeyStep[]
  /** Modules of the request that the wiki has not described: all their parameters count as sent. */
  readonly undescribed: readonly string[]
  readonly effect: RequestEffect
  /** Which kind of token each token parameter wants, e.g. `csrf`, by the parameter's name. */
  readonly tokenTypes: Params
  /** What the wiki may want in the body of a POST and does not get there: all of the request (empty), or these secrets. */
  readonly unposted?: string | undefined
  /** The parameter with a secret that the answer depends on: nothing is recorded or replayed. */
  readonly aboutSecret?: string | undefined
  /** Secrets inside of values of parameters that no module has described, with their names. In memory only. */
  readonly innerSecrets?: ParamPairs | undefined
}

/** A request without its key: what was asked for, and in which order and spelling. */
export type SentRequest = Pick<Derivation, 'canonical' | 'sentValues'>

export const derive = (request: WikiRequest, facts: WikiFacts): Derivation =>
  request.kind === 'plain' ? derivePlain(request, facts) : deriveApi(request, facts)

function derivePlain(request: PlainRequest, { site }: WikiFacts): Derivation {
  const target = restTarget(request.target)
  const canonical = new Map([['plain target', target]])
  if (request.posted) canonical.set('plain body', request.bodyDigest)
  if (request.method !== undefined) canonical.set('plain method', request.method)
  if (request.conditions !== undefined)
    canonical.set('plain conditions', request.conditions)
  const languages = acceptedVariants(request.acceptLanguage ?? '', site)
  if (languages.length > 0) canonical.set('accept language', languages.join())
  if (request.turn !== undefined) canonical.set('secret in turn', String(request.turn))
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return {
    ...keyedRequest(canonical),
    sentValues: new Map(),
    orderless: new Set(),
    unknownNames: [],
    steps:
      target === request.target
        ? []
        : [{ name: 'plain target', sent: request.target, became: target, rule: 'title' }],
    undescribed: [],
    effect: postWrites(request.target, request.posted) ? 'write' : 'read',
    tokenTypes: new Map(),
    aboutSecret: request.aboutSecret
  }
}

function deriveApi(request: ApiRequest, facts: WikiFacts): Derivation {
  const { envelope } = request
  const format = envelope.kind === 'opaque' ? envelope.format : 'json'
  // A form of its own has no parameters.
  const isOwnForm = hasQuirk('own-form', request.params.get('action') ?? '')
  const modules = activeModules(
    request.params,
    isOwnForm ? undefined : format,
    facts.lookup
  )
  const undescribed = modules.flatMap(({ path, description }) =>
    description ? [] : [path]
  )
  const context = contextOf(request, modules, format !== undefined, facts)
  const { params } = context
  const innerSecrets: (readonly [string, string])[] = []
  const all = [...request.params].map(([name, value]) => {
    const isListed = (params.get(name)?.length ?? 0) > 0
    const { clean, secrets } = isListed
      ? cleanListed(name, value)
      : cleanValue(name, value)
    innerSecrets.push(...secrets)
    return keyStep(name, clean, context)
  })
  const steps = withoutRestOfPassword(all, params)
  const canonical = canonicalFrom(steps, context, facts.strict === true)
  // A body that cannot be read may be a write.
  const effect = request.unread ? 'write' : effectOf(modules, request.params)
  return {
    ...keyedRequest(canonical),
    sentValues: sentValuesIn(steps),
    orderless: orderlessIn(params),
    unknownNames: [...params].flatMap(([name, found]) =>
      found.length === 0 ? [name] : []
    ),
    steps,
    undescribed,
    effect,
    innerSecrets,
    aboutSecret: secretDecidingIn(steps, params, innerSecrets, effect),
    tokenTypes: tokenTypesOf(steps, params),
    unposted: unpostedIn(request, steps, modules)
  }
}

function unpostedIn(
  { posted, query = '' }: ApiRequest,
  steps: readonly KeyStep[],
  modules: readonly ActiveModule[]
) {
  if (!posted)
    return modules.some(({ description }) => description?.mustBePosted) ? '' : undefined
  const secrets = steps.flatMap(({ name, became, rule }) =>
    rule === 'secret' && became !== undefined ? [name] : []
  )
  const inQuery = secrets.length === 0 ? new Map() : parseUrlencoded(query)
  return joinValues(secrets.filter((name) => inQuery.has(name))) || undefined
}

function contextOf(
  request: ApiRequest,
  active: readonly ActiveModule[],
  hasFormat: boolean,
  { site, ignored = [] }: WikiFacts
) {
  const modules = active.filter(({ description }) => description !== undefined)
  const writes = modules.some(
    ({ description }) => description?.writes || description?.mustBePosted
  )
  // A parameter counts as unknown only where every active module has listed all that it reads.
  const isComplete = active.every(
    ({ description }) => description?.acceptsUnlisted === false
  )
  const names = [...request.params.keys()]
  const params = new Map(
    names.map((name) => [name, findParamDescriptions(name, modules)] as const)
  )
  const allParamsListed = !writes && hasFormat && isComplete
  return {
    request,
    modules,
    params,
    allParamsListed,
    runsHooks: runsHooks(active, request),
    writes,
    ignored: ignoredIn(modules, ignored),
    site
  }
}

/** Hooks of the parser, of a search engine, and whatever an extension's module does, may read the request. */
const runsHooks = (active: readonly ActiveModule[], { params }: ApiRequest) =>
  active.some(({ path, prefix, description }) => {
    if (description?.isCore === false || hasQuirk('runs-hooks', path)) return true
    const module = path.replace(/^query\+/, '')
    const costly = hasQuirk('costly-parameters', module)
      ? quirkNames('costly-parameters')
      : []
    return costly.some((name) => params.has(prefix + name))
  })

const sentValuesIn = (steps: readonly KeyStep[]) =>
  new Map(
    steps.flatMap(({ name, sent, rule, mayShow }) =>
      rule === 'set' || rule === 'title' || mayShow ? [[name, sent]] : []
    )
  )

/**
 * Most closed lists and namespaces select, so only their members count. The order of others shows (`siprop`), and that of
 * an open list may (`paraminfo`). A title of a single-valued parameter is looked up, not echoed.
 */
const orderlessIn = (params: ParamDescriptions) =>
  new Set(
    [...params].flatMap(([name, [param]]) => {
      if (!param) return []
      return param.onlySelects || (!param.multi && param.type === 'title') ? [name] : []
    })
  )
