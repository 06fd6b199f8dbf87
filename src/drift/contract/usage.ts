/** Which modules, parameters and values the recorded requests use. */
import type { CanonicalRequest } from '../../request/key.ts'
import { type ModuleLookup, modulesInPlay } from '../../wiki/modules.ts'
import { splitValues } from '../../wiki/params.ts'

/** What is used of one module. */
export interface ModuleUsage {
  /** How many recorded requests put it to work. */
  requests: number
  /** Values by parameter, without the module's prefix; how many requests send the parameter. */
  readonly params: Map<string, ParamUsage>
}

export interface ParamUsage {
  requests: number
  readonly values: Set<string>
}

export type Usage = ReadonlyMap<string, ModuleUsage>

/** @param lookup the descriptions by which the requests were recorded */
export function usageOf(requests: readonly CanonicalRequest[], lookup: ModuleLookup): Usage {
  const usage = new Map<string, ModuleUsage>()
  for (const request of requests) {
    if (request.has('plain target')) continue
    for (const { path, prefix } of modulesInPlay(request, request.get('format') ?? 'json', lookup)) {
      const module = usage.get(path) ?? { requests: 0, params: new Map() }
      usage.set(path, module)
      module.requests += 1
      for (const [name, value] of request) {
        if (!name.includes(' ') && name.startsWith(prefix)) use(module, name.slice(prefix.length), value)
      }
    }
  }
  return usage
}

function use(module: ModuleUsage, name: string, value: string): void {
  const param = module.params.get(name) ?? { requests: 0, values: new Set() }
  module.params.set(name, param)
  param.requests += 1
  for (const one of splitValues(value)) param.values.add(one)
}
