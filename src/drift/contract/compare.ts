/** What two wikis say of their own modules, compared: changes that no recorded answer may show. */
import { type JsonTree, jsonString } from '../../json/tree.ts'
import type { CanonicalRequest } from '../../request/key.ts'
import type { ModuleLookup } from '../../wiki/modules.ts'
import type { Change } from '../change.ts'
import { kinds, ratingOf } from '../kinds.ts'
import { itemPath, type Path, pathOf } from '../path.ts'
import { type Described, decodeDescribed } from './described.ts'
import { compareParam } from './params.ts'
import type { Tell } from './tell.ts'
import { type ModuleUsage, type Usage, usageOf } from './usage.ts'

/** @param lookup A's descriptions, by which the requests were recorded */
export function compareContract(
  a: ReadonlyMap<string, unknown>,
  b: ReadonlyMap<string, unknown>,
  requests: readonly CanonicalRequest[],
  lookup: ModuleLookup,
): readonly Change[] {
  const changes: Change[] = []
  const usage = usageOf(requests, lookup)
  for (const path of [...new Set([...a.keys(), ...b.keys()])].sort()) {
    const [before, after] = [decodeDescribed(a.get(path)), decodeDescribed(b.get(path))]
    const used = usage.get(path)
    const tell = teller(path, before?.prefix ?? after?.prefix ?? '', changes)
    if (before && after) compareModule(before, after, used, tell)
    // A module that one side was never asked about proves nothing.
    else if (before && isComplete(b, path, a, usage)) tell('module.removed', { used: used !== undefined })
    else if (after && isComplete(a, path, b, usage)) tell('module.added', { used: false })
  }
  return changes
}

function teller(path: string, prefix: string, changes: Change[]): Tell {
  return (kind, { param, value, before, after, note, used }) => {
    const place = param === undefined ? pathOf() : pathOf(prefix + param)
    const rating = ratingOf(kind, !used && kinds[kind].other !== undefined)
    const at: Path = value === undefined ? place : itemPath(place, value)
    changes.push({
      kind,
      ...rating,
      asked: undefined,
      scope: path,
      path: at,
      before: asTree(before),
      after: asTree(after),
      note: note ?? noteOf(before, after, value),
      mark: '',
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

function compareModule(a: Described, b: Described, used: ModuleUsage | undefined, tell: Tell): void {
  const isUsed = used !== undefined
  if (a.deprecated !== b.deprecated)
    tell(b.deprecated ? 'module.deprecated' : 'module.undeprecated', { used: isUsed })
  if (a.mustBePosted !== b.mustBePosted)
    tell(b.mustBePosted ? 'module.post-required' : 'module.post-dropped', { used: isUsed })
  for (const name of new Set([...a.params.keys(), ...b.params.keys()])) {
    const [before, after] = [a.params.get(name), b.params.get(name)]
    const sent = used?.params.get(name)
    if (before && after) compareParam(before, after, used, sent, tell)
    else if (before) tell('param.removed', { param: name, used: sent !== undefined })
    else if (after?.required === true)
      tell('param.required', { param: name, note: 'new parameter', used: isUsed && sent === undefined })
    else tell('param.added', { param: name, used: false })
  }
}

/**
 * True where a side that lacks a module would have it if it were there: its parent module names no such submodule,
 * or most of the other side's modules of that family are described.
 */
function isComplete(
  lacking: ReadonlyMap<string, unknown>,
  path: string,
  having: ReadonlyMap<string, unknown>,
  usage: Usage,
): boolean {
  const parent = decodeDescribed(lacking.get(parentOf(path)))
  const name = path.slice(path.lastIndexOf('+') + 1)
  if (parent !== undefined) {
    const listed = [...parent.params.values()].filter(({ type }) => type === 'enum')
    if (listed.length > 0) return !listed.some(({ values }) => values.has(name))
  }
  return usage.has(path) || lacking.size * 2 > having.size
}

const parentOf = (path: string): string =>
  path.includes('+') ? path.slice(0, path.lastIndexOf('+')) : 'main'
