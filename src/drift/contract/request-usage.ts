/** Which modules, parameters and values the recorded requests use. */
import { getOrAdd } from '../../text/group-by.ts'
import { activeModules } from '../../wiki/modules/active-modules.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { RequestRef } from '../changes/change.ts'

export interface ModuleUsage {
  readonly requests: RequestRef[]
  /** By parameter, without the module's prefix. */
  readonly params: Map<string, ParamUsage>
}

export interface ParamUsage {
  readonly requests: RequestRef[]
  readonly values: Map<string, RequestRef[]>
}

/** @param lookup the descriptions by which the requests were recorded */
export function usageOf(
  recorded: readonly RequestRef[],
  lookup: ModuleLookup,
): ReadonlyMap<string, ModuleUsage> {
  const usage = new Map<string, ModuleUsage>()
  for (const requestRef of recorded) {
    const { request } = requestRef
    if (request.has('plain target')) continue
    for (const { path, prefix } of activeModules(request, request.get('format') ?? 'json', lookup)) {
      const { requests, params } = getOrAdd(usage, path, () => ({ requests: [], params: new Map() }))
      requests.push(requestRef)
      for (const [name, value] of request) {
        if (!name.includes(' ') && name.startsWith(prefix))
          addUsage(params, name.slice(prefix.length), value, requestRef)
      }
    }
  }
  return usage
}

function addUsage(params: ModuleUsage['params'], name: string, value: string, requestRef: RequestRef): void {
  const param = getOrAdd(params, name, () => ({ requests: [], values: new Map() }))
  param.requests.push(requestRef)
  for (const one of splitValues(value)) getOrAdd(param.values, one, () => []).push(requestRef)
}

/** How a parameter is sent: by its name, or by one that its template fits (`text-{slot}`, sent as `text-main`). */
export function paramUsageOf(module: ModuleUsage | undefined, name: string): ParamUsage | undefined {
  const [before, after] = name.split(/\{[^}]*\}/)
  if (module === undefined || before === undefined || after === undefined) return module?.params.get(name)
  const fitting = [...module.params].filter(([sent]) => sent.startsWith(before) && sent.endsWith(after))
  const requests = [...new Set(fitting.flatMap(([, one]) => one.requests))]
  if (requests.length === 0) return undefined
  return { requests, values: new Map(fitting.flatMap(([, one]) => [...one.values])) }
}
