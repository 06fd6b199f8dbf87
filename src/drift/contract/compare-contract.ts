/** Module descriptions of two wikis, compared: changes that no recorded answer need show. */
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import type { Change, RequestRef } from '../changes/change.ts'
import { compareParam } from './compare-params.ts'
import { contractChange, type EmitContractChange, onlyIn } from './contract-change.ts'
import { decodeModuleContract, type ModuleContract } from './module-contract.ts'
import { type ModuleUsage, paramUsageOf, type UsageByModule, usageOf } from './request-usage.ts'

/** @param lookup A's descriptions, by which the requests were recorded */
export function compareContract(
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
  recorded: readonly RequestRef[],
  lookup: ModuleLookup,
): readonly Change[] {
  const changes: Change[] = []
  const usage = usageOf(recorded, lookup)
  for (const path of [...new Set([...a.keys(), ...b.keys()])].sort()) {
    const [before, after] = [decodeModuleContract(a.get(path)), decodeModuleContract(b.get(path))]
    const moduleUsage = usage.get(path)
    // A parameter is called as the wiki that has it calls it; where both do, as clients have to from now on.
    const emit: EmitContractChange = (kind, detail) => {
      const { prefix } = (kind === 'param.removed' ? before : after) ?? { prefix: '' }
      changes.push(contractChange(kind, path, prefix, detail))
    }
    if (before && after) compareModule(before, after, moduleUsage, emit)
    // A module that one side does not describe need not be absent from its wiki.
    else if (before && isProvenAbsent(b, path, a, usage))
      emit('module.removed', { hits: moduleUsage?.requests ?? [] })
    else if (after && isProvenAbsent(a, path, b, usage)) emit('module.added', {})
  }
  return changes
}

function compareModule(
  a: ModuleContract,
  b: ModuleContract,
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
  for (const param of new Set([...a.params.keys(), ...b.params.keys()])) {
    const [before, after] = [a.params.get(param), b.params.get(param)]
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

/** True where the wiki lacks what its side does not describe: its parent lists no such module, or most are described. */
function isProvenAbsent(
  lacking: ReadonlyMap<string, unknown>,
  path: string,
  having: ReadonlyMap<string, unknown>,
  usage: UsageByModule,
): boolean {
  const parent = decodeModuleContract(lacking.get(parentOf(path)))
  const name = path.slice(path.lastIndexOf('+') + 1)
  if (parent !== undefined) {
    const listed = [...parent.params.values()].filter(({ type }) => type === 'enum')
    if (listed.length > 0) return !listed.some(({ values }) => values.has(name))
  }
  return usage.has(path) || lacking.size * 2 > having.size
}

const parentOf = (path: string): string =>
  path.includes('+') ? path.slice(0, path.lastIndexOf('+')) : 'main'
