/** Values of `prop`, `list` and `meta` for which the wiki has no module: it reads nothing of them, and warns of them. */
import { joinValues, type Params, splitValues } from '../parameters/request-params.ts'
import type { ModuleLookup } from './module-descriptions.ts'

/** A request without them, and what the wiki says of them as `query`. */
export interface WithoutMissing {
  readonly request: Params
  readonly sentValues: Params
  readonly paths: readonly string[]
  readonly warning: string
}

/** They are warned of in this order (ApiQuery::getAllowedParams). */
const naming = ['prop', 'list', 'meta']

/** What a warning repeats as it is. */
const plainValue = /^[A-Za-z][\w-]{0,60}$/

/** Of more the wiki takes some, or none. */
const maxValues = 50

/**
 * Undefined where the request has none, or others than plain ones. Source: ApiBase::parseMultiValue (1.35),
 * ParamValidator::validateValue (1.36 to 1.43); measured on 1.35, 1.39 and 1.43.
 * @param request as in a key @param sentAs what of it was sent in another order
 */
export function withoutMissingModules(
  request: Params,
  sentAs: Params,
  lookup: ModuleLookup
): WithoutMissing | undefined {
  const query = request.get('action') === 'query' ? lookup('query') : undefined
  if (query?.acceptsUnlisted !== false) return undefined
  const [left, sentLeft] = [new Map(request), new Map(sentAs)]
  const paths: string[] = []
  const warnings: string[] = []
  for (const name of naming) {
    const modules = query.parameters.get(name)?.submodules ?? new Map()
    const sent = splitValues(sentAs.get(name) ?? request.get(name) ?? '')
    const known = sent.filter((one) => modules.has(one))
    const missing = sent.filter((one) => !modules.has(one))
    if (missing.length === 0) continue
    const found = missing.map((one) => `query+${one}`)
    // Of a module of another kind the parameters count as read.
    const arePlain = missing.every((one) => plainValue.test(one)) && !found.some(lookup)
    if (modules.size === 0 || sent.length > maxValues || !arePlain) return undefined
    paths.push(...found)
    const noun = missing.length === 1 ? 'value' : 'values'
    warnings.push(`Unrecognized ${noun} for parameter "${name}": ${missing.join(', ')}`)
    const folded = [...new Set(known)].sort()
    replace(left, name, folded)
    replace(sentLeft, name, joinValues(known) === joinValues(folded) ? [] : known)
  }
  if (warnings.length === 0) return undefined
  return { request: left, sentValues: sentLeft, paths, warning: warnings.join('\n') }
}

function replace(params: Map<string, string>, name: string, values: readonly string[]) {
  if (values.length === 0) params.delete(name)
  else params.set(name, joinValues(values))
}
