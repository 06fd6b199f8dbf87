/** Module descriptions of two wikis, compared: changes that no recorded answer need show. */
import type { ModuleDescription, ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import type { Change } from '../changes/change.ts'
import { wikiFactsOfSide } from '../inputs/align-requests.ts'
import { type CassetteSide, requestRefOf } from '../inputs/cassette-side.ts'
import { compareParam, contractChange, type EmitContractChange, onlyIn } from './compare-params.ts'
import { type ModuleUsage, paramUsageOf, usageOf } from './request-usage.ts'

export function compareContract(a: CassetteSide, b: CassetteSide): readonly Change[] {
  if (a.modules.size === 0 || b.modules.size === 0) return []
  const changes: Change[] = []
  const [lookupA, lookupB] = [wikiFactsOfSide(a).lookup, wikiFactsOfSide(b).lookup]
  // The requests were recorded by A's descriptions.
  const usage = usageOf(a.interactions.map(requestRefOf), lookupA)
  for (const path of [...new Set([...a.modules.keys(), ...b.modules.keys()])].sort()) {
    const [before, after] = [lookupA(path), lookupB(path)]
    const moduleUsage = usage.get(path)
    // A parameter is called as the wiki that has it calls it; where both do, as clients have to from now on.
    const emit: EmitContractChange = (kind, detail) => {
      const { prefix } = (kind === 'param.removed' ? before : after) ?? { prefix: '' }
      changes.push(contractChange(kind, path, prefix, detail))
    }
    // A module that one side does not describe need not be absent from its wiki.
    const isAbsent = (lookup: ModuleLookup, lacking: CassetteSide, having: CassetteSide): boolean =>
      isUnlisted(path, lookup) ??
      (moduleUsage !== undefined || lacking.modules.size * 2 > having.modules.size)
    if (before && after) compareModule(before, after, moduleUsage, emit)
    else if (before && isAbsent(lookupB, b, a)) emit('module.removed', { hits: moduleUsage?.requests ?? [] })
    else if (after && isAbsent(lookupA, a, b)) emit('module.added', {})
  }
  return changes
}

function compareModule(
  a: ModuleDescription,
  b: ModuleDescription,
  moduleUsage: ModuleUsage | undefined,
  emit: EmitContractChange,
): void {
  const hits = moduleUsage?.requests ?? []
  if (a.deprecated !== b.deprecated)
    emit(b.deprecated ? 'module.deprecated' : 'module.undeprecated', { hits })
  if (a.mustBePosted !== b.mustBePosted)
    emit(b.mustBePosted ? 'module.post-required' : 'module.post-dropped', { hits })
  if (a.prefix !== b.prefix) emit('module.prefix-changed', { before: a.prefix, after: b.prefix, hits })
  for (const value of onlyIn(b.rights, a.rights)) emit('module.right-needed', { value, after: value, hits })
  for (const value of onlyIn(a.rights, b.rights)) emit('module.right-dropped', { value, before: value })
  const [inA, inB] = [paramsOf(a), paramsOf(b)]
  for (const param of new Set([...inA.keys(), ...inB.keys()])) {
    const [before, after] = [inA.get(param), inB.get(param)]
    const paramUsage = paramUsageOf(moduleUsage, param)
    if (before && after) compareParam(before, after, moduleUsage, paramUsage, emit)
    else if (before) emit('param.removed', { param, hits: paramUsage?.requests ?? [] })
    else if (after?.required === true)
      emit('param.required', { param, note: 'new parameter', hits: paramUsage === undefined ? hits : [] })
    else if (after?.deprecated === true)
      emit('param.added', { param, note: 'deprecated from the start', mark: 'deprecated' })
    else emit('param.added', { param })
  }
}

const paramsOf = ({ parameters, templates }: ModuleDescription): ModuleDescription['parameters'] =>
  new Map([...parameters, ...templates.map(({ declared }) => [declared.name, declared] as const)])

/** Whether the module's parent lists no such module; undefined where the parent lists none, or is not described. */
function isUnlisted(path: string, lookup: ModuleLookup): boolean | undefined {
  const [, parent = 'main', name] = /^(?:(.*)\+)?(.*)$/.exec(path) ?? []
  const lists = [...(lookup(parent)?.parameters.values() ?? [])].filter(({ type }) => type === 'enum')
  return lists.length === 0 ? undefined : !lists.some(({ values }) => values.has(name ?? ''))
}
