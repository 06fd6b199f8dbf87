/** Which modules, parameters and values the recorded requests use. */
import { type ModuleLookup, modulesInPlay } from '../../wiki/modules/module-descriptions.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { Asked } from '../changes/change.ts'

/** What is used of one module. */
export interface ModuleUsage {
  /** The recorded requests that put it to work. */
  readonly asked: Asked[]
  /** By parameter, without the module's prefix. */
  readonly params: Map<string, ParamUsage>
}

/** The requests that send a parameter. */
export interface ParamUsage {
  readonly asked: Asked[]
  /** The requests that send each value. */
  readonly values: Map<string, Asked[]>
}

export type Usage = ReadonlyMap<string, ModuleUsage>

/** @param lookup the descriptions by which the requests were recorded */
export function usageOf(recorded: readonly Asked[], lookup: ModuleLookup): Usage {
  const usage = new Map<string, ModuleUsage>()
  for (const asked of recorded) {
    const { request } = asked
    if (request.has('plain target')) continue
    for (const { path, prefix } of modulesInPlay(request, request.get('format') ?? 'json', lookup)) {
      const module: ModuleUsage = usage.get(path) ?? { asked: [], params: new Map() }
      usage.set(path, module)
      module.asked.push(asked)
      for (const [name, value] of request) {
        if (!name.includes(' ') && name.startsWith(prefix))
          use(module, name.slice(prefix.length), value, asked)
      }
    }
  }
  return usage
}

function use(module: ModuleUsage, name: string, value: string, asked: Asked): void {
  const param: ParamUsage = module.params.get(name) ?? { asked: [], values: new Map() }
  module.params.set(name, param)
  param.asked.push(asked)
  for (const one of splitValues(value)) {
    const known = param.values.get(one)
    if (known === undefined) param.values.set(one, [asked])
    else known.push(asked)
  }
}

/** How a parameter is sent: by its name, or by one that its template fits (`text-{slot}`, sent as `text-main`). */
export function sentAs(module: ModuleUsage | undefined, name: string): ParamUsage | undefined {
  const [before, after] = name.split(/\{[^}]*\}/)
  if (module === undefined || before === undefined || after === undefined) return module?.params.get(name)
  const fitting = [...module.params].filter(([sent]) => sent.startsWith(before) && sent.endsWith(after))
  const asked = [...new Set(fitting.flatMap(([, one]) => one.asked))]
  return asked.length === 0
    ? undefined
    : { asked, values: new Map(fitting.flatMap(([, one]) => [...one.values])) }
}
