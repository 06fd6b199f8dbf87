/**
 * From a request to its key, step by step (docs/matching.md). What cannot change the answer is dropped, what has
 * several spellings gets one; when in doubt, a parameter stays as it was sent.
 */
import type { ListingFact } from '../knowledge/listing-facts.ts'
import { hasQuirk, quirkNames } from '../knowledge/module-quirks.ts'
import {
  effectOf,
  postWrites,
  type RequestEffect,
} from '../wiki/effects/request-effect.ts'
import { restTarget } from '../wiki/effects/rest-routes.ts'
import {
  type ActiveModule,
  activeModules,
  findParamDescriptions,
} from '../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../wiki/modules/module-descriptions.ts'
import {
  hasValue,
  joinValues,
  type ParamPairs,
  type Params,
  parseUrlencoded,
  splitValues,
  writeQuery,
} from '../wiki/parameters/request-params.ts'
import { acceptedLanguages, acceptedVariants } from '../wiki/site/accepted-languages.ts'
import type { SiteFacts } from '../wiki/site/site-facts.ts'
import {
  type ApiRequest,
  lacksOrigin,
  type PlainRequest,
  type WikiRequest,
} from './api-request.ts'
import { cleanListed, cleanValue } from './inner-secrets.ts'
import {
  continuedParams,
  type DerivationContext,
  type KeyStep,
  keyStep,
  type ParamDescriptions,
} from './key-step.ts'
import { type KeyedRequest, keyedRequest } from './request-key.ts'
import { isSecretPair, secretHint, tokenKind } from './secret-params.ts'
import { secretAskedAbout, tokenTypesOf, withoutRestOfPassword } from './secret-steps.ts'

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
    aboutSecret: request.aboutSecret,
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
    facts.lookup,
  )
  const undescribed = modules.flatMap(({ path, description }) =>
    description ? [] : [path],
  )
  const context = contextOf(request, modules, format !== undefined, facts.site)
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
  const canonical = canonicalFrom(steps, context)
  if (facts.strict === true || repeatsRequest(request))
    canonical.set('as sent', exactSpelling(steps, request))
  // A body that cannot be read may be a write.
  const effect = request.unread ? 'write' : effectOf(modules, request.params)
  return {
    ...keyedRequest(canonical),
    sentValues: sentValuesIn(steps),
    orderless: orderlessIn(params),
    unknownNames: [...params].flatMap(([name, found]) =>
      found.length === 0 ? [name] : [],
    ),
    steps,
    undescribed,
    effect,
    innerSecrets,
    aboutSecret: secretAskedAbout(steps, innerSecrets, effect),
    tokenTypes: tokenTypesOf(steps, params),
    unposted: unpostedIn(request, steps, modules),
  }
}

function unpostedIn(
  { posted, query = '' }: ApiRequest,
  steps: readonly KeyStep[],
  modules: readonly ActiveModule[],
): string | undefined {
  if (!posted)
    return modules.some(({ description }) => description?.mustBePosted) ? '' : undefined
  const secrets = steps.flatMap(({ name, became, rule }) =>
    rule === 'secret' && became !== undefined ? [name] : [],
  )
  const inQuery = secrets.length === 0 ? new Map() : parseUrlencoded(query)
  return joinValues(secrets.filter((name) => inQuery.has(name))) || undefined
}

function contextOf(
  request: ApiRequest,
  active: readonly ActiveModule[],
  hasFormat: boolean,
  site: SiteFacts | undefined,
): DerivationContext {
  const modules = active.filter(({ description }) => description !== undefined)
  const writes = modules.some(
    ({ description }) => description?.writes || description?.mustBePosted,
  )
  // A parameter counts as unknown only where every active module has listed all that it reads.
  const isComplete = active.every(
    ({ description }) => description?.acceptsUnlisted === false,
  )
  const names = [...request.params.keys()]
  const params = new Map(
    names.map((name) => [name, findParamDescriptions(name, modules)] as const),
  )
  const allParamsListed = !writes && hasFormat && isComplete
  return {
    request,
    modules,
    params,
    allParamsListed,
    runsHooks: runsHooks(active, request),
    writes,
    site,
  }
}

/** Hooks of the parser, of a search engine, and whatever an extension's module does, may read the request. */
const runsHooks = (active: readonly ActiveModule[], { params }: ApiRequest): boolean =>
  active.some(({ path, prefix, description }) => {
    if (description?.isCore === false || hasQuirk('runs-hooks', path)) return true
    const module = path.replace(/^query\+/, '')
    const costly = hasQuirk('costly-parameters', module)
      ? quirkNames('costly-parameters')
      : []
    return costly.some((name) => params.has(prefix + name))
  })

/** Debugging pages of formats other than JSON have a link to the request as it was sent (ApiFormatBase). */
const repeatsRequest = ({ envelope, params }: ApiRequest): boolean =>
  envelope.kind === 'opaque' &&
  (envelope.format?.endsWith('fm') === true || params.has('wrappedhtml'))

/** Method and parameters in their order and spelling; of a secret only its kind. */
function exactSpelling(steps: readonly KeyStep[], { posted }: ApiRequest): string {
  const spelled = steps.flatMap(
    ({ name, sent, became, rule }): (readonly [string, string])[] => {
      if (rule === 'secret') return became === undefined ? [] : [[name, became]]
      return [
        [name, rule === 'unknown' && isSecretPair(name, sent) ? tokenKind(sent) : sent],
      ]
    },
  )
  return `${posted ? 'POST' : 'GET'} ${writeQuery(spelled)}`
}

/** The canonical request; no API parameter has a space in its name, so names with one cannot collide. */
function canonicalFrom(
  steps: readonly KeyStep[],
  { request, modules, params, allParamsListed, site }: DerivationContext,
): Map<string, string> {
  const canonical = new Map<string, string>()
  for (const { name, became } of steps)
    if (became !== undefined) canonical.set(name, became)
  // An opaque answer is text of one format, so the format stays in the key even where it is the default.
  if (request.envelope.kind === 'opaque') {
    const { format } = request.envelope
    canonical.set(format === undefined ? 'no format' : 'format', format ?? '')
  }
  if (request.lacksContentType === true) canonical.set('no content type', '')
  if (lacksOrigin(request) && handlesTokens(request, modules))
    canonical.set('other origin', '')
  for (const { name, digest, bytes } of request.files)
    canonical.set(
      `${name} file`,
      secretHint(name) === 'secret' ? '(secret)' : `${digest} ${bytes}`,
    )
  if (request.unread) canonical.set('unread body', request.unread.digest)
  // The warning lists names that no module knows in the order sent, and `continue` those that it names.
  const continued = continuedParams(request.params)
  const isListed = (name: string): boolean =>
    continued.includes(name) || (allParamsListed && params.get(name)?.length === 0)
  const listed = steps.flatMap(({ name }) => (isListed(name) ? [name] : []))
  const sorted = [...listed].sort()
  if (listed.some((name, at) => name !== sorted[at]))
    canonical.set('unknown in order', joinValues(listed))
  const bytes = bytesInBody(request)
  if (bytes.length > 0) canonical.set('bytes in body', joinValues(bytes))
  const { acceptLanguage = '' } = request
  const languages = hasValue(request.params.get('uiprop'), 'acceptlang')
    ? acceptedLanguages(acceptLanguage)
    : acceptedVariants(acceptLanguage, site)
  if (languages.length > 0) canonical.set('accept language', languages.join())
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  return canonical
}

/**
 * Parameters of a body whose bytes are no UTF-8: those of an address a wiki reads in the old encoding of its language.
 * Source: WebRequest::getGPCVal, 1.35 to 1.43.
 */
function bytesInBody({ posted, params, query = '' }: ApiRequest): readonly string[] {
  if (!posted) return []
  const names = [...params].flatMap(([name, value]) =>
    value.isWellFormed() ? [] : [name],
  )
  const inQuery = names.length === 0 ? new Map() : parseUrlencoded(query)
  return names.filter((name) => !inQuery.has(name))
}

/** True for modules that give or want a token, and for the token parameters that 1.35 still had. */
const handlesTokens = (
  { params }: ApiRequest,
  modules: readonly ActiveModule[],
): boolean =>
  modules.some(
    ({ path, description }) => /(?:^|\+)tokens$/.test(path) || description?.mustBePosted,
  ) ||
  [...params].some(([name, value]) =>
    [name, ...splitValues(value)].some((one) => one.endsWith('token')),
  )

const sentValuesIn = (steps: readonly KeyStep[]): Params =>
  new Map(
    steps.flatMap(({ name, sent, rule, mayShow }) =>
      rule === 'set' || rule === 'title' || mayShow ? [[name, sent]] : [],
    ),
  )

/**
 * Most closed lists and namespaces select, so only their members count. The order of others shows (`siprop`), and that of
 * an open list may (`paraminfo`). A title of a single-valued parameter is looked up, not echoed.
 */
const orderlessIn = (params: ParamDescriptions): ReadonlySet<string> =>
  new Set(
    [...params].flatMap(([name, [param]]) => {
      if (!param) return []
      return param.onlySelects || (!param.multi && param.type === 'title') ? [name] : []
    }),
  )
