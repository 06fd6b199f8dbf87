/** What two wikis say of their own modules, compared: changes that no recorded answer may show. */
import { type JsonTree, jsonString } from '../../json/json-tree.ts'
import type { ModuleLookup } from '../../wiki/modules/module-descriptions.ts'
import type { Change, RequestRef } from '../changes/change.ts'
import { kinds, ratingOf } from '../changes/kinds.ts'
import { itemPath, type Path, pathOf } from '../changes/path.ts'
import { compareParam } from './compare-params.ts'
import type { EmitContractChange } from './contract-change.ts'
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
    const emit = contractEmitter(path, before?.prefix ?? after?.prefix ?? '', changes)
    if (before && after) compareModule(before, after, moduleUsage, emit)
    // A module that one side was never asked about proves nothing.
    else if (before && isProvenAbsent(b, path, a, usage))
      emit('module.removed', { hits: moduleUsage?.requests ?? [] })
    else if (after && isProvenAbsent(a, path, b, usage)) emit('module.added', { hits: [] })
  }
  return changes
}

function contractEmitter(path: string, prefix: string, changes: Change[]): EmitContractChange {
  return (kind, { param, value, before, after, note, mark, hits, harmless }) => {
    const place = param === undefined ? pathOf() : pathOf(prefix + param)
    const other = hits.length === 0 || harmless === true
    const rating = ratingOf(kind, other && kinds[kind].other !== undefined)
    const at: Path = value === undefined ? place : itemPath(place, value)
    changes.push({
      kind,
      ...rating,
      requests: hits,
      scope: path,
      path: at,
      before: asTree(before),
      after: asTree(after),
      note: note ?? noteOf(before, after, value),
      mark: mark ?? '',
    })
  }
}

/** What it was and what it is, where both are a few words. */
function noteOf(before: string | undefined, after: string | undefined, value: string | undefined): string {
  if (value !== undefined || (before === undefined && after === undefined)) return ''
  return `${before ?? 'none'} → ${after ?? 'none'}`
}

const asTree = (text: string | undefined): JsonTree | undefined =>
  text === undefined ? undefined : jsonString(text)

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
  compareRights(a, b, emit, hits)
  for (const name of new Set([...a.params.keys(), ...b.params.keys()])) {
    const [before, after] = [a.params.get(name), b.params.get(name)]
    const paramUsage = paramUsageOf(moduleUsage, name)
    if (before && after) compareParam(before, after, moduleUsage, paramUsage, emit)
    else if (before) emit('param.removed', { param: name, hits: paramUsage?.requests ?? [] })
    else if (after?.required === true)
      emit('param.required', {
        param: name,
        note: 'new parameter',
        hits: paramUsage === undefined ? hits : [],
      })
    else if (after?.deprecated === true)
      emit('param.added', { param: name, note: 'deprecated from the start', mark: 'deprecated', hits: [] })
    else emit('param.added', { param: name, hits: [] })
  }
}

function compareRights(
  a: ModuleContract,
  b: ModuleContract,
  emit: EmitContractChange,
  hits: readonly RequestRef[],
): void {
  for (const value of b.rights)
    if (!a.rights.has(value)) emit('module.right-needed', { value, after: value, hits })
  for (const value of a.rights)
    if (!b.rights.has(value)) emit('module.right-dropped', { value, before: value, hits: [] })
}

/**
 * True where a side that lacks a module would have it if it were there: its parent module names no such submodule,
 * or most of the other side's modules of that family are described.
 */
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
