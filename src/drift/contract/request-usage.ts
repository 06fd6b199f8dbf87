/** Which modules, parameters and values the recorded requests use. */
import { activeModules } from '../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { RequestRef } from '../changes/change.ts'

/** What is used of one module. */
export interface ModuleUsage {
  /** The recorded requests that put it to work. */
  readonly requests: RequestRef[]
  /** By parameter, without the module's prefix. */
  readonly params: Map<string, ParamUsage>
}

/** The requests that send a parameter. */
export interface ParamUsage {
  readonly requests: RequestRef[]
  /** The requests that send each value. */
  readonly values: Map<string, RequestRef[]>
}

export type UsageByModule = ReadonlyMap<string, ModuleUsage>

/** @param lookup the descriptions by which the requests were recorded */
export function usageOf(recorded: readonly RequestRef[], lookup: ModuleLookup): UsageByModule {
  const usage = new Map<string, ModuleUsage>()
  for (const asked of recorded) {
    const { request } = asked
    if (request.has('plain target')) continue
    for (const { path, prefix } of activeModules(request, request.get('format') ?? 'json', lookup)) {
      const module: ModuleUsage = usage.get(path) ?? { requests: [], params: new Map() }
      usage.set(path, module)
      module.requests.push(asked)
      for (const [name, value] of request) {
        if (!name.includes(' ') && name.startsWith(prefix))
          addUsage(module, name.slice(prefix.length), value, asked)
      }
    }
  }
  return usage
}

function addUsage(module: ModuleUsage, name: string, value: string, asked: RequestRef): void {
  const param: ParamUsage = module.params.get(name) ?? { requests: [], values: new Map() }
  module.params.set(name, param)
  param.requests.push(asked)
  for (const one of splitValues(value)) {
    const known = param.values.get(one)
    if (known === undefined) param.values.set(one, [asked])
    else known.push(asked)
  }
}

/** How a parameter is sent: by its name, or by one that its template fits (`text-{slot}`, sent as `text-main`). */
export function paramUsageOf(module: ModuleUsage | undefined, name: string): ParamUsage | undefined {
  const [before, after] = name.split(/\{[^}]*\}/)
  if (module === undefined || before === undefined || after === undefined) return module?.params.get(name)
  const fitting = [...module.params].filter(([sent]) => sent.startsWith(before) && sent.endsWith(after))
  const requests = [...new Set(fitting.flatMap(([, one]) => one.requests))]
  return requests.length === 0
    ? undefined
    : { requests, values: new Map(fitting.flatMap(([, one]) => [...one.values])) }
}
