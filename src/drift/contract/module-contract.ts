/** One module as `paraminfo` describes it, as far as a client depends on it; both formatversions. */
import { isPlainObject } from '../../json/plain-json.ts'
import { asFlag, asItems, asText } from '../../wiki/decode-values.ts'

export interface ModuleContract {
  readonly path: string
  readonly prefix: string
  readonly deprecated: boolean
  readonly mustBePosted: boolean
  /** Needs the right to read, or to write. */
  readonly rights: ReadonlySet<string>
  /** By name; templated ones under theirs, e.g. `text-{slot}`. */
  readonly params: ReadonlyMap<string, ParamContract>
}

export interface ParamContract {
  readonly name: string
  /** One of the API's types, or `enum`. */
  readonly type: string
  /** Its values name modules, which are compared as such. */
  readonly namesModules: boolean
  /** Allowed values of an enum. */
  readonly values: ReadonlySet<string>
  readonly deprecatedValues: ReadonlySet<string>
  /** How users may be named, e.g. `ip`, `id`; undefined where the wiki does not say (before 1.35). */
  readonly subtypes: ReadonlySet<string> | undefined
  readonly default: string | undefined
  readonly required: boolean
  readonly deprecated: boolean
  readonly multi: boolean
  /** Must be in the body of a POST. */
  readonly sensitive: boolean
  readonly tokenType: string | undefined
  /** `max` and the like by name: how much one request may ask for. */
  readonly limits: ReadonlyMap<string, number>
  /** The least number that is accepted. */
  readonly min: number | undefined
}

/** Reads one element of `paraminfo.modules`; undefined where it does not have the API's shape. */
export function decodeModuleContract(value: unknown): ModuleContract | undefined {
  if (!isPlainObject(value)) return undefined
  const path = asText(value['path'])
  if (path === undefined) return undefined
  const params = [...asItems(value['parameters']), ...asItems(value['templatedparameters'])].flatMap(
    (one) => decodeParam(one) ?? [],
  )
  return {
    path,
    prefix: asText(value['prefix']) ?? '',
    deprecated: asFlag(value['deprecated']),
    mustBePosted: asFlag(value['mustbeposted']),
    rights: new Set(['readrights', 'writerights'].filter((name) => asFlag(value[name]))),
    params: new Map(params.map((one) => [one.name, one])),
  }
}

const limitNames = ['limit', 'highlimit', 'max', 'highmax'] as const

function decodeParam(value: unknown): ParamContract | undefined {
  if (!isPlainObject(value)) return undefined
  const name = asText(value['name'])
  if (name === undefined) return undefined
  const type = Array.isArray(value['type']) ? value['type'].map(String) : undefined
  const named = asText(value['type']) ?? 'string'
  const { min } = value
  const limits = limitNames.flatMap((one) => {
    const limit = value[one]
    return typeof limit === 'number' ? [[one, limit] as const] : []
  })
  return {
    name,
    type: type === undefined ? named : 'enum',
    namesModules: isPlainObject(value['submodules']) || asFlag(value['submodules']),
    values: new Set(type),
    deprecatedValues: new Set(asItems(value['deprecatedvalues']).map(String)),
    subtypes: Array.isArray(value['subtypes']) ? new Set(value['subtypes'].map(String)) : undefined,
    default: named === 'boolean' ? undefined : decodeDefault(value['default']),
    required: asFlag(value['required']),
    deprecated: asFlag(value['deprecated']),
    multi: asFlag(value['multi']),
    sensitive: asFlag(value['sensitive']),
    tokenType: asText(value['tokentype']),
    limits: new Map(limits),
    min: typeof min === 'number' ? min : undefined,
  }
}

/** Of a flag there is none: it is on by its mere presence, whatever older wikis say (`"default": "false"`). */
function decodeDefault(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join('|')
  // What is off by default says so by `false`, `""` or nothing at all.
  if (value === undefined || value === null || value === false || value === '') return undefined
  return String(value)
}
