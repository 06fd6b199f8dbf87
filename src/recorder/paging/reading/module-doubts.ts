/** Why rows of a module may come otherwise than its recorded batches and its description tell. */

import { isPlainObject, plainItems, plainText } from '../../json/plain-json.ts'
import {
  hasQuirk,
  quirkNames,
  quirkParameters,
  quirkText
} from '../../knowledge/module-quirks.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { queryModulesOf } from '../../wiki/modules/active-modules.ts'
import type {
  ModuleDescription,
  ModuleLookup,
  ParamDescription
} from '../../wiki/modules/module-descriptions.ts'
import { isClean, splitValues, valuesOf } from '../../wiki/parameters/request-params.ts'
import { timestampDigits } from '../../wiki/parameters/timestamps.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'

/** A module that takes part in a listing, with the prefix of its parameters there. */
interface UsedModule {
  readonly module: string
  readonly prefix: string
  readonly description: ModuleDescription
}

/** Why another answer of these modules cannot be told from recorded ones; undefined where it can. */
export const requestDoubt = (
  params: CanonicalRequest,
  facts: WikiFacts
): string | undefined => moduleDoubt(params, facts) ?? lateFilterIn(params, facts)?.why

/** The same, but for filters that are applied after the limit. */
export function moduleDoubt(
  params: CanonicalRequest,
  { lookup, site }: WikiFacts
): string | undefined {
  for (const used of modulesUsed(params, lookup)) {
    const { module, description } = used
    if (!isOwn(used))
      return `${module} of this wiki is not MediaWiki's, but ${description.className}`
    const doubt =
      quirkDoubt('drops-rows', used, params) ??
      quirkDoubt('forgets-range', used, params) ??
      searchDoubt(used, site)
    if (doubt !== undefined) return doubt
  }
  return undefined
}

/** False for an extension's module with the name of a known one: nothing that is known of that holds for it. */
function isOwn({ module, description: { className } }: UsedModule) {
  const known = quirkText('own-class', module)
  return known === undefined || className === undefined || className === known
}

export const areOwn = (params: CanonicalRequest, lookup: ModuleLookup): boolean =>
  modulesUsed(params, lookup).every(isOwn)

/** A parameter that filters after the limit, with its prefix. */
export interface LateFilter {
  readonly param: string
  readonly why: string
  /** True if it only leaves out rows, and if the wiki takes its value. */
  readonly isPlain: boolean
}

export function lateFilterIn(
  params: CanonicalRequest,
  { lookup, site }: WikiFacts
): LateFilter | undefined {
  for (const used of modulesUsed(params, lookup)) {
    const found = lateFilter(used, params, site)
    if (found) return found
  }
  return undefined
}

const modulesUsed = (
  params: CanonicalRequest,
  lookup: ModuleLookup
): readonly UsedModule[] =>
  queryModulesOf(params, ['list', 'generator', 'prop']).flatMap(([path, extra]) => {
    const description = lookup(path)
    const module = path.slice('query+'.length)
    return description
      ? [{ module, prefix: extra + description.prefix, description }]
      : []
  })

const quirkDoubts = {
  'drops-rows': 'leaves out rows after its limit has counted them',
  'forgets-range': 'keeps to that range in the first answer alone'
} as const

/** A quirk is there always, or with some parameters. */
function quirkDoubt(
  quirk: keyof typeof quirkDoubts,
  { module, prefix }: UsedModule,
  params: CanonicalRequest
) {
  if (!hasQuirk(quirk, module)) return undefined
  const cases = quirkParameters(quirk, module)
  const isSent = cases.some(([name, wanted]) =>
    wanted === '*'
      ? params.has(prefix + name)
      : valuesOf(params, prefix + name).length > 1
  )
  if (!isSent && cases.length > 0) return undefined
  return `${module} ${quirkDoubts[quirk]}`
}

/** In miser mode a batch has fewer rows than its limit, and continues all the same. */
function lateFilter(
  { module, prefix, description }: UsedModule,
  params: CanonicalRequest,
  site: SiteFacts | undefined
): LateFilter | undefined {
  if (site?.miserMode === false) return undefined
  const isMiser = site?.miserMode === true
  const isUnknown = isMiser && quirkText('own-class', module) === undefined
  // Without a limit of its own there is nothing to filter after.
  if (isUnknown && !description.parameters.has('limit')) return undefined
  const filters =
    description.lateFilters ??
    (isUnknown
      ? unexplained(description)
      : quirkParameters('late-filters', module).map(([name]) => name))
  const sent = [...filters].find((name) => params.has(prefix + name))
  if (sent === undefined) return undefined
  const param = prefix + sent
  const why = isMiser
    ? `the wiki is in miser mode, where ${param} may leave fewer rows than the limit in a batch`
    : `${param} may filter after the limit, and the cassette does not say whether the wiki is in miser mode`
  const described = description.parameters.get(sent)
  const isPlain =
    (!isUnknown || description.lateFilters !== undefined) &&
    described !== undefined &&
    takesValues(described, params.get(param) ?? '', site)
  return { param, why, isPlain }
}

/** True where the wiki neither refuses the values nor warns of them; false where only the wiki knows. */
export function takesValues(
  { type, values, multi, deprecatedValues }: ParamDescription,
  sent: string,
  site: SiteFacts | undefined
): boolean {
  const known =
    type === 'namespace'
      ? new Set(site?.namespaces.filter(({ id }) => id >= 0).map(({ id }) => String(id)))
      : values
  const all = multi ? splitValues(sent) : [sent]
  return (
    all.length > 0 && all.every((one) => known.has(one) && !deprecatedValues.has(one))
  )
}

/** True for a value, as in a key, that the wiki neither refuses nor warns of, whatever else is sent. */
export function takesPlain(
  param: ParamDescription,
  sent: string,
  site: SiteFacts | undefined
): boolean {
  if (param.deprecated) return false
  switch (param.type) {
    case 'boolean':
      return true
    case 'timestamp':
      return timestampDigits(sent) !== undefined
    case 'string':
      return isClean(sent) && (!param.multi || /^[^\u001f|]+$/.test(sent))
    case 'enum':
    case 'namespace':
      return takesValues(param, sent, site)
    default:
      return false
  }
}

/** The parameters of which nobody has said whether they filter. */
const unexplained = ({ parameters }: ModuleDescription) =>
  [...parameters.keys()].filter(
    (name) => !['limit', 'continue', 'offset', 'prop'].includes(name)
  )

function searchDoubt(used: UsedModule, site: SiteFacts | undefined) {
  const { module } = used
  if (hasQuirk('searches', module) && mayHaveOwnEngine(used, site))
    return `an extension's search engine may rank what ${module} finds otherwise in another batch`
  if (!hasQuirk('searches-variants', module)) return undefined
  const { lang = '', hasVariants = quirkNames('searches-variants').includes(lang) } =
    site ?? {}
  return hasVariants
    ? `${module} searches for other variants too where a batch has room`
    : undefined
}

/** True where an extension may search: one that is not known to do something else, or the wiki's are unknown. */
function mayHaveOwnEngine(
  { module, description }: UsedModule,
  site: SiteFacts | undefined
) {
  if (
    quirkParameters('searches', module).some(([name]) => description.parameters.has(name))
  )
    return true

  const extensions = site?.configuration?.['extensions']
  return extensions === undefined || plainItems(extensions).some(mayBeEngine)
}

const mayBeEngine = (extension: unknown) =>
  !isPlainObject(extension) ||
  (extension['type'] !== 'skin' &&
    !quirkNames('searches').includes(plainText(extension['name'])))
