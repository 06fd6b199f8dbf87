/** One module as `paraminfo` describes it, as far as a client depends on it; both formatversions. */
import { flag, isObject, list, text } from '../../wiki/decode.ts'

export interface Described {
  readonly path: string
  readonly prefix: string
  readonly deprecated: boolean
  readonly mustBePosted: boolean
  readonly internal: boolean
  readonly params: ReadonlyMap<string, DescribedParam>
}

export interface DescribedParam {
  readonly name: string
  /** One of the API's types, or `enum`. */
  readonly type: string
  /** Its values name modules, which are compared as such. */
  readonly namesModules: boolean
  /** Allowed values of an enum. */
  readonly values: ReadonlySet<string>
  readonly deprecatedValues: ReadonlySet<string>
  readonly default: string | undefined
  readonly required: boolean
  readonly deprecated: boolean
  readonly multi: boolean
  readonly tokenType: string | undefined
  /** `max` and the like by name: how much one request may ask for. */
  readonly limits: ReadonlyMap<string, number>
}

/** Reads one element of `paraminfo.modules`; undefined where it does not have the API's shape. */
export function decodeDescribed(value: unknown): Described | undefined {
  if (!isObject(value)) return undefined
  const path = text(value['path'])
  if (path === undefined) return undefined
  const params = list(value['parameters']).flatMap((one) => decodeParam(one) ?? [])
  return {
    path,
    prefix: text(value['prefix']) ?? '',
    deprecated: flag(value['deprecated']),
    mustBePosted: flag(value['mustbeposted']),
    internal: flag(value['internal']),
    params: new Map(params.map((one) => [one.name, one])),
  }
}

const limitNames = ['limit', 'highlimit', 'max', 'highmax'] as const

function decodeParam(value: unknown): DescribedParam | undefined {
  if (!isObject(value)) return undefined
  const name = text(value['name'])
  if (name === undefined) return undefined
  const { type } = value
  const limits = limitNames.flatMap((one) => {
    const limit = value[one]
    return typeof limit === 'number' ? [[one, limit] as const] : []
  })
  return {
    name,
    type: Array.isArray(type) ? 'enum' : (text(type) ?? 'string'),
    namesModules: isObject(value['submodules']),
    values: new Set(Array.isArray(type) ? type.map(String) : []),
    deprecatedValues: new Set(list(value['deprecatedvalues']).map(String)),
    default: decodeDefault(value['default']),
    required: flag(value['required']),
    deprecated: flag(value['deprecated']),
    multi: flag(value['multi']),
    tokenType: text(value['tokentype']),
    limits: new Map(limits),
  }
}

function decodeDefault(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.map(String).join('|')
  // What is off by default says so by `false`, `""` or nothing at all.
  if (value === undefined || value === null || value === false || value === '') return undefined
  return String(value)
}
