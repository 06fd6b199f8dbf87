/**
 * Descriptions of API modules: the wiki's, as `action=paraminfo` gives them, and bundled ones for wikis that refuse it.
 * Source: https://www.mediawiki.org/wiki/API:Parameter_information
 */
import { isPlainObject, type PlainObject } from '../../json/plain-json.ts'
import { knownModule } from '../../knowledge/known-modules.ts'
import { hasQuirk, quirkNames } from '../../knowledge/module-quirks.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { asItems } from '../site/site-facts.ts'

/** One module, e.g. `query+allpages`, whose parameters carry the prefix `ap`. */
export interface ModuleDescription {
  readonly path: string
  readonly prefix: string
  /** Of its PHP class, without namespaces; undefined where the wiki did not describe the module itself. */
  readonly className: string | undefined
  /** MediaWiki, or the extension that it comes from; undefined where the wiki does not say. */
  readonly source: string | undefined
  readonly mustBePosted: boolean
  readonly writes: boolean
  /** `readrights`, `writerights`: the rights that it needs. */
  readonly rights: ReadonlySet<string>
  readonly generator: boolean
  /** `prop`, `list` or `meta` for a submodule of `query`; empty otherwise, or where the wiki does not say. */
  readonly group: string
  readonly deprecated: boolean
  /** True where the module takes parameters that it does not list (`dynamicparameters`). */
  readonly acceptsUnlisted: boolean
  /** False for the modules of extensions. */
  readonly isCore: boolean
  /** Patterns of names, e.g. `contentformat-{slot}`; values of such parameters are used as sent. */
  readonly templates: readonly ParamTemplate[]
  /** By name without prefix. */
  readonly parameters: ReadonlyMap<string, ParamDescription>
  /** Parameters that filter after the limit, by the wiki's help (`helpformat=raw`); undefined where it was not asked for. */
  readonly lateFilters: ReadonlySet<string> | undefined
}

export interface ParamTemplate {
  readonly pattern: RegExp
  /** Without type and default, so that the value counts as it was sent. */
  readonly description: ParamDescription
  readonly declared: ParamDescription
}

export interface ParamDescription {
  readonly name: string
  /** One of the API's named types (`limit`, `title`, `timestamp` …), or `enum` for a closed list of values. */
  readonly type: string
  /** What an `enum` allows. */
  readonly values: ReadonlySet<string>
  readonly multi: boolean
  /** True for a closed list whose values only select: no answer shows their order. */
  readonly onlySelects: boolean
  readonly allowsDuplicates: boolean
  /** As text, multi-valued defaults joined by `|`. */
  readonly default: string | undefined
  readonly required: boolean
  readonly deprecated: boolean
  /** Values that draw a warning. */
  readonly deprecatedValues: ReadonlySet<string>
  readonly sensitive: boolean
  /** `csrf`, `patrol` …, where the parameter takes a token. */
  readonly tokenType: string | undefined
  readonly min: number | undefined
  readonly max: number | undefined
  readonly highMax: number | undefined
  /** How many values it takes, of an ordinary caller and of a bot. */
  readonly limit: number | undefined
  readonly highLimit: number | undefined
  /** How users may be named, e.g. `ip`, `id`; undefined where the wiki does not say (before 1.35). */
  readonly subtypes: ReadonlySet<string> | undefined
  /** Values that name further modules, by value; and the prefix put before those modules' own. */
  readonly submodules: ReadonlyMap<string, string>
  readonly submodulePrefix: string
}

/** Finds the description of a module by path; undefined where the wiki has not described it. */
export type ModuleLookup = (path: string) => ModuleDescription | undefined

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)
const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** True is `""` in formatversion 1, and `true` in formatversion 2. */
const asFlag = (value: unknown) => value === '' || value === true

/** Reads one element of `paraminfo.modules`; undefined where it does not have the API's shape. */
export function decodeModule(value: unknown): ModuleDescription | undefined {
  if (!isPlainObject(value)) return undefined
  const path = asText(value['path'])
  if (path === undefined) return undefined
  const isCore = ['MediaWiki', undefined].includes(asText(value['source']))
  const selects = (name: string) =>
    isCore
      ? !quirkNames('shows-order').includes(`${path} ${name}`)
      : hasQuirk('only-selects', path)
  const parameters = asItems(value['parameters']).flatMap(
    (one) => decodeParam(one, path, selects) ?? []
  )
  return {
    path,
    prefix: asText(value['prefix']) ?? '',
    className: asText(value['classname'])?.replace(/^.*\\/s, ''),
    source: asText(value['source']),
    mustBePosted: asFlag(value['mustbeposted']),
    writes: asFlag(value['writerights']),
    rights: new Set(['readrights', 'writerights'].filter((name) => asFlag(value[name]))),
    generator: asFlag(value['generator']),
    group: asText(value['group']) ?? '',
    deprecated: asFlag(value['deprecated']),
    acceptsUnlisted: value['dynamicparameters'] !== undefined,
    isCore,
    templates: asItems(value['templatedparameters']).flatMap(
      (one) => decodeTemplate(one) ?? []
    ),
    parameters: new Map(parameters.map((one) => [one.name, one])),
    lateFilters: lateFiltersIn(value)
  }
}

/** Messages about miser mode, such as `api-help-param-limited-in-miser-mode`. */
export const isMiserMessage = (message: unknown): boolean =>
  isPlainObject(message) && asText(message['key'])?.includes('miser') === true

function lateFiltersIn({ description, parameters }: PlainObject) {
  if (!Array.isArray(description)) return undefined
  const marked = asItems(parameters)
    .filter(isPlainObject)
    .filter((one) => asItems(one['description']).some(isMiserMessage))
  return new Set(marked.flatMap(({ name }) => asText(name) ?? []))
}

function decodeTemplate(value: unknown) {
  const declared = decodeParam(value)
  const description = decodeParam({ name: declared?.name })
  if (!declared || !description) return undefined
  const parts = description.name
    .split(/\{[^}]*\}/)
    .map((part) => part.replace(/[^\w-]/g, '\\$&'))
  return { pattern: new RegExp(`^${parts.join('.*')}$`, 's'), description, declared }
}

/** @param parent path of the module. @param selects false for a name whose values have an order */
function decodeParam(
  value: unknown,
  parent = '',
  selects: (name: string) => boolean = () => false
) {
  if (!isPlainObject(value)) return undefined
  const name = asText(value['name'])
  if (name === undefined) return undefined
  const { type, submodules, subtypes } = value
  const allowed = Array.isArray(type) ? type.map(String) : []
  // Until 1.26 a wiki only says that the values name modules.
  const named = asFlag(submodules) ? allowed : []
  const paths = isPlainObject(submodules)
    ? Object.entries(submodules)
    : named.map((one) => [one, parent === 'main' ? one : `${parent}+${one}`] as const)
  return {
    name,
    type: Array.isArray(type) ? 'enum' : (asText(type) ?? 'string'),
    values: new Set(allowed),
    multi: asFlag(value['multi']),
    onlySelects:
      asFlag(value['multi']) &&
      (Array.isArray(type) || type === 'namespace') &&
      selects(name),
    allowsDuplicates: asFlag(value['allowsduplicates']),
    default: decodeDefault(value['default']),
    required: asFlag(value['required']),
    deprecated: asFlag(value['deprecated']),
    deprecatedValues: new Set(asItems(value['deprecatedvalues']).map(String)),
    sensitive: asFlag(value['sensitive']),
    tokenType: asText(value['tokentype']),
    min: asNumber(value['min']),
    max: asNumber(value['max']),
    highMax: asNumber(value['highmax']),
    // `limit` is that of the caller who asked.
    limit: asNumber(value['lowlimit'] ?? value['limit']),
    highLimit: asNumber(value['highlimit']),
    subtypes: Array.isArray(subtypes) ? new Set(subtypes.map(String)) : undefined,
    submodules: new Map(paths.map(([key, path]) => [key, String(path)])),
    submodulePrefix: asText(value['submoduleparamprefix']) ?? ''
  }
}

function decodeDefault(value: unknown) {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  // A boolean is on by its mere presence: its default is always "absent".
  return Array.isArray(value) ? value.map(String).join('|') : undefined
}

/** The field of a description in a cassette that says who wrote it, where it was not the wiki. */
export const describedByField = 'describedby'

/** In the form of `paraminfo`, for a cassette. */
export function bundledModule(
  path: string,
  generator: string | undefined
): PlainObject | undefined {
  const module = knownModule(path, generator)
  return module && { ...module, dynamicparameters: true, [describedByField]: 'wikitape' }
}

const descriptions = new Map<string, ModuleDescription | undefined>()

/** @param generator as siteinfo gives it, if known */
export const bundledLookup =
  (generator: string | undefined): ModuleLookup =>
  (path) =>
    getOrAdd(descriptions, `${generator ?? ''} ${path}`, () =>
      decodeModule(bundledModule(path, generator))
    )
