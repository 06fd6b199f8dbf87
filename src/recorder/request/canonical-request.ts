/** The canonical form of a request to api.php, made of the steps of its parameters and of what else the answer depends on. */
import { hasQuirk } from '../knowledge/module-quirks.ts'
import type { ActiveModule } from '../wiki/modules/active-modules.ts'
import {
  hasValue,
  joinValues,
  type Params,
  parseUrlencoded,
  splitValues,
  variableName,
  writeQuery
} from '../wiki/parameters/request-params.ts'
import { acceptedLanguages, acceptedVariants } from '../wiki/site/accepted-languages.ts'
import { isVersionSince, type SiteFacts } from '../wiki/site/site-facts.ts'
import { type ApiRequest, lacksOrigin } from './api-request.ts'
import { continuedParams, type DerivationContext, type KeyStep } from './key-step.ts'
import { isSecretPair, secretHint, tokenKind } from './secret-params.ts'

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
        [name, rule === 'unknown' && isSecretPair(name, sent) ? tokenKind(sent) : sent]
      ]
    }
  )
  return `${posted ? 'POST' : 'GET'} ${writeQuery(spelled)}`
}

/** The canonical request; no API parameter has a space in its name, so names with one cannot collide. */
export function canonicalFrom(
  steps: readonly KeyStep[],
  { request, modules, params, allParamsListed, site }: DerivationContext,
  isStrict: boolean
): Params {
  const canonical = new Map<string, string>()
  for (const { name, became, rule } of steps) {
    if (became !== undefined) canonical.set(name, became)
    if (rule === 'ignored') canonical.set(`${name} ignored`, '')
  }
  // An opaque answer is text of one format, so the format stays in the key even where it is the default.
  if (request.envelope.kind === 'opaque') {
    const { format } = request.envelope
    canonical.set(format === undefined ? 'no format' : 'format', format ?? '')
  }
  if (request.lacksContentType) canonical.set('no content type', '')
  if (lacksOrigin(request) && handlesTokens(request, modules, site))
    canonical.set('other origin', '')
  for (const { name, digest, bytes } of request.files)
    canonical.set(
      `${name} file`,
      secretHint(name) === 'secret' ? '(secret)' : `${digest} ${bytes}`
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
    : acceptedVariants(acceptLanguage, site, isParsed(modules, request.params))
  if (languages.length > 0) canonical.set('accept language', languages.join())
  if (request.identity !== 'anonymous') canonical.set('as user', request.identity)
  if (isStrict || repeatsRequest(request))
    canonical.set('as sent', exactSpelling(steps, request))
  return canonical
}

/** True where the wiki shows parsed texts, which are converted to a variant of their page's language. */
const isParsed = (modules: readonly ActiveModule[], params: Params) =>
  modules.some(
    ({ path, prefix }) =>
      hasQuirk('parses-pages', path.replace('query+', '')) || params.has(`${prefix}parse`)
  )

/**
 * Parameters of a body whose bytes are no UTF-8: those of an address a wiki reads in the old encoding of its language.
 * Source: WebRequest::getGPCVal, 1.35 to 1.43.
 */
function bytesInBody({ posted, params, query = '' }: ApiRequest): readonly string[] {
  if (!posted) return []
  const names = [...params].flatMap(([name, value]) =>
    value.isWellFormed() ? [] : [name]
  )
  const inQuery = names.length === 0 ? [] : [...parseUrlencoded(query).keys()]
  // A list of that name (`titles[]`) is as good as a value.
  return names.filter((name) => !inQuery.some((sent) => variableName(sent) === name))
}

/** Until 1.35 what modules say of themselves has the kinds of tokens that the caller may get; no more on 1.39. */
const describesTokens = ({ params }: ApiRequest, site: SiteFacts | undefined) =>
  ['paraminfo', 'help'].includes(params.get('action') ?? '') &&
  !isVersionSince(site?.generator, 39)

/** True for modules that give or want a token, and for the token parameters and values that 1.35 still had. */
const handlesTokens = (
  request: ApiRequest,
  modules: readonly ActiveModule[],
  site: SiteFacts | undefined
): boolean =>
  modules.some(
    ({ path, description }) => /(?:^|\+)tokens$/.test(path) || description?.mustBePosted
  ) ||
  describesTokens(request, site) ||
  hasValue(request.params.get('uiprop'), 'preferencestoken') ||
  [...request.params].some(([name, value]) =>
    [name, ...splitValues(value)].some((one) => one.endsWith('token'))
  )
