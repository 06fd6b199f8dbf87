/** The modules that read parameters of one request, and their descriptions of each parameter. */
import { type Params, valuesOf } from '../parameters/request-params.ts'
import type {
  ModuleDescription,
  ModuleLookup,
  ParamDescription
} from './module-descriptions.ts'

/** A module as used in one request, with the prefix of its parameters there (`gap` for a generator). */
export interface ActiveModule {
  readonly path: string
  readonly prefix: string
  readonly description: ModuleDescription | undefined
}

/** `main`, the format, the action, and all that they name. @param format undefined where only the wiki knows it */
export function activeModules(
  params: Params,
  format: string | undefined,
  lookup: ModuleLookup
): readonly ActiveModule[] {
  const action = params.get('action') ?? 'help'
  const found: ActiveModule[] = []
  const seen = new Set<string>()
  const add = (path: string, extra: string) => {
    const place = `${extra} ${path}`
    if (seen.has(place)) return
    seen.add(place)
    const description = lookup(path)
    found.push({ path, prefix: extra + (description?.prefix ?? ''), description })
    if (path === 'main') return
    const named =
      path === 'query' ? queryModulesOf(params) : submodulesOf(params, description)
    for (const [next, prefix] of named) add(next, prefix)
  }
  add('main', '')
  if (format !== undefined) add(format, '')
  add(action, '')
  return found
}

const queryKinds = ['prop', 'list', 'meta', 'generator']

/** The modules that `action=query` names, each with what precedes the prefix of its parameters. */
export const queryModulesOf = (
  params: Params,
  kinds: readonly string[] = queryKinds
): readonly (readonly [path: string, extra: string])[] =>
  kinds.flatMap((kind) =>
    valuesOf(params, kind).map(
      (value) => [`query+${value}`, kind === 'generator' ? 'g' : ''] as const
    )
  )

/** True where `action=query` names one of these. */
export const hasQueryModuleOf = (names: readonly string[], params: Params): boolean =>
  queryModulesOf(params).some(([path]) => names.includes(path.slice('query+'.length)))

function submodulesOf(params: Params, description?: ModuleDescription) {
  if (!description) return []
  return [...description.parameters.values()].flatMap(
    ({ name, submodules, submodulePrefix }) => {
      const named = submodules.size > 0 ? valuesOf(params, description.prefix + name) : []
      const paths = named.flatMap((value) => submodules.get(value) ?? [])
      return paths.map((path) => [path, submodulePrefix] as const)
    }
  )
}

/** What a module says of a parameter of the request; undefined where it is not its own. */
export const paramOf = (
  {
    prefix,
    description
  }: { readonly prefix: string; readonly description: ModuleDescription },
  name: string
): ParamDescription | undefined =>
  name.startsWith(prefix)
    ? description.parameters.get(name.slice(prefix.length))
    : undefined

/** Every description of one parameter of the request: two modules may read the same name. */
export function findParamDescriptions(
  name: string,
  modules: readonly ActiveModule[]
): readonly ParamDescription[] {
  return modules.flatMap(({ prefix, description }) => {
    if (!description || !name.startsWith(prefix)) return []
    const own = name.slice(prefix.length)
    const listed = description.parameters.get(own)
    return (
      listed ??
      description.templates
        .filter(({ pattern }) => pattern.test(own))
        .map((one) => one.description)
    )
  })
}
