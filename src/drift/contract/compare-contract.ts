/** What two wikis say of their modules, compared, with what the requests use of them. */
import { getOrAdd } from '../../recorder/text/group-by.ts'
import { activeModules } from '../../recorder/wiki/modules/active-modules.ts'
import type {
  ModuleDescription,
  ModuleLookup
} from '../../recorder/wiki/modules/module-descriptions.ts'
import {
  type Params,
  parseUrlencoded,
  splitValues
} from '../../recorder/wiki/parameters/request-params.ts'
import type { Change, RequestRef } from '../changes/change.ts'
import { wikiFactsOfSide } from '../inputs/align-requests.ts'
import { type CassetteSide, requestRefOf } from '../inputs/cassette-side.ts'
import { compareParam, contractChange, type Emit, onlyIn } from './compare-params.ts'
import { answersGroup, pathsOfRoute, type Routes, routesOf } from './openapi-modules.ts'

export function compareContract(a: CassetteSide, b: CassetteSide): readonly Change[] {
  if (a.modules.size === 0 || b.modules.size === 0) return []
  const changes: Change[] = []
  const lookupA = wikiFactsOfSide(a).lookup
  const lookupB = wikiFactsOfSide(b).lookup
  // The requests were recorded by A's descriptions.
  const usage = usageOf(a.interactions.map(requestRefOf), lookupA, routesOf(a.modules))
  for (const path of [...new Set([...a.modules.keys(), ...b.modules.keys()])].sort()) {
    const before = lookupA(path)
    const after = lookupB(path)
    const moduleUsage = usage.get(path) ?? newUsage()
    const hits = moduleUsage.requests
    // A parameter is called as the wiki that has it calls it; if both do, as clients have to from now on.
    const emit: Emit = (kind, detail) => {
      const { prefix } = (kind === 'param.removed' ? before : after) ?? { prefix: '' }
      changes.push(contractChange(kind, { path, prefix }, detail))
    }
    // A module that one side does not describe need not be absent from its wiki.
    const isAbsent = (
      lookup: ModuleLookup,
      lacking: CassetteSide,
      having: CassetteSide
    ) =>
      isUnlisted(path, lookup) ??
      (hits.length > 0 || lacking.modules.size * 2 > having.modules.size)
    if ((before ?? after)?.group === answersGroup) {
      if (before && after) compareAnswerMembers(before, after, hits, emit)
    } else if (before && after) compareModule(before, after, moduleUsage, emit)
    else if (before && isAbsent(lookupB, b, a)) emit('module.removed', { hits })
    else if (after && isAbsent(lookupA, a, b)) emit('module.added', {})
  }
  return changes
}

function compareModule(
  a: ModuleDescription,
  b: ModuleDescription,
  usage: ModuleUsage,
  emit: Emit
) {
  const hits = usage.requests
  if (a.deprecated !== b.deprecated)
    emit(b.deprecated ? 'module.deprecated' : 'module.undeprecated', { hits })
  if (a.mustBePosted !== b.mustBePosted)
    emit(b.mustBePosted ? 'module.post-required' : 'module.post-dropped', { hits })
  if (a.prefix !== b.prefix)
    emit('module.prefix-changed', { before: a.prefix, after: b.prefix, hits })
  for (const value of onlyIn(b.rights, a.rights))
    emit('module.right-needed', { value, after: value, hits })
  for (const value of onlyIn(a.rights, b.rights))
    emit('module.right-dropped', { value, before: value })
  for (const { param, before, after } of membersOf(paramsOf(a), paramsOf(b))) {
    const paramUsage = paramUsageOf(usage, param)
    const { senders } = paramUsage
    if (before && after) compareParam(before, after, paramUsage, emit)
    else if (before) emit('param.removed', { param, hits: senders })
    else if (after?.required)
      emit('param.required', {
        param,
        note: 'new parameter',
        hits: senders.length === 0 ? hits : []
      })
    else {
      const deprecated = { note: 'deprecated from the start', mark: 'deprecated' }
      emit('param.added', { param, ...(after?.deprecated ? deprecated : {}) })
    }
  }
}

function paramsOf(module: ModuleDescription) {
  const templates = module.templates.map(({ declared }) => declared)
  return new Map([
    ...module.parameters,
    ...templates.map((one) => [one.name, one] as const)
  ])
}

/** Whether the module's parent lists no such module; undefined if the parent lists none, or is not described. */
function isUnlisted(path: string, lookup: ModuleLookup) {
  const [, parent = 'main', name] = /^(?:(.*)\+)?(.*)$/.exec(path) ?? []
  const lists = [...(lookup(parent)?.parameters.values() ?? [])].filter(
    ({ type }) => type === 'enum'
  )
  return lists.length === 0
    ? undefined
    : !lists.some(({ values }) => values.has(name ?? ''))
}

/** The recorded requests that use a module, and by parameter, without the module's prefix, what they send. */
interface ModuleUsage {
  readonly requests: RequestRef[]
  readonly params: Map<string, SentParam>
}

interface SentParam {
  readonly senders: RequestRef[]
  readonly values: Map<string, RequestRef[]>
}

const newUsage = () => ({ requests: [], params: new Map() })

/** By the module's path. @param lookup the descriptions by which the requests were recorded */
function usageOf(recorded: readonly RequestRef[], lookup: ModuleLookup, routes: Routes) {
  const usage = new Map<string, ModuleUsage>()
  const use = (path: string, prefix: string, sent: Params, requestRef: RequestRef) => {
    const isRoute = path.includes(' ')
    const { requests, params } = getOrAdd(usage, path, newUsage)
    requests.push(requestRef)
    for (const [name, value] of sent) {
      if (name.includes(' ') || !name.startsWith(prefix)) continue
      const newParam = () => ({ senders: [], values: new Map() })
      const { senders, values } = getOrAdd(params, name.slice(prefix.length), newParam)
      senders.push(requestRef)
      for (const one of isRoute ? value.split(',') : splitValues(value))
        getOrAdd(values, one, () => []).push(requestRef)
    }
  }
  for (const requestRef of recorded) {
    const { request } = requestRef
    const target = request.get('plain target')
    if (target !== undefined) {
      const [, query = ''] = target.split('?')
      for (const path of pathsOfRoute(request, target, routes))
        use(path, '', parseUrlencoded(query), requestRef)
      continue
    }
    const format = request.get('format') ?? 'json'
    for (const { path, prefix } of activeModules(request, format, lookup))
      use(path, prefix, request, requestRef)
  }
  return usage
}

/** How a parameter is sent: by its name, or by one that its template fits (`text-{slot}`, sent as `text-main`). */
function paramUsageOf({ requests, params }: ModuleUsage, name: string) {
  const [before = '', after] = name.split(/\{[^}]*\}/)
  const isSent = (sent: string) =>
    after === undefined ? sent === name : sent.startsWith(before) && sent.endsWith(after)
  const fitting = [...params].flatMap(([sent, one]) => (isSent(sent) ? [one] : []))
  const senders = new Set(fitting.flatMap((one) => one.senders))
  return {
    senders: [...senders],
    others: requests.filter((one) => !senders.has(one)),
    values: new Map(fitting.flatMap((one) => [...one.values]))
  }
}

type AnswerMembers = ModuleDescription['parameters']

function compareAnswerMembers(
  { parameters: a }: ModuleDescription,
  { parameters: b }: ModuleDescription,
  hits: readonly RequestRef[],
  emit: Emit
) {
  for (const { param, before, after } of membersOf(a, b)) {
    if (!before || !after) {
      // That an error has ended hurts nobody.
      const harmless = !param.includes('.') && param !== 'success'
      emit(before ? 'response.removed' : 'response.added', { param, hits, harmless })
      continue
    }
    if (before.type !== after.type || before.multi !== after.multi)
      emit('response.type-changed', {
        param,
        before: typeText(before),
        after: typeText(after),
        hits
      })
    if (before.required !== after.required)
      emit(after.required ? 'response.required' : 'response.optional', { param, hits })
    if (before.values.size === 0 || after.values.size === 0) continue
    for (const value of onlyIn(after.values, before.values))
      emit('response.value-added', { param, value, after: value, hits })
    for (const value of onlyIn(before.values, after.values))
      emit('response.value-removed', { param, value, before: value })
  }
}

const typeText = ({ type, multi }: { readonly type: string; readonly multi: boolean }) =>
  multi ? `list of ${type}` : type

/** Those of either side; what an object has inside only if both sides have the object, or neither. */
function* membersOf(a: AnswerMembers, b: AnswerMembers) {
  for (const param of new Set([...a.keys(), ...b.keys()]))
    if (!isWithinChanged(param, a, b))
      yield { param, before: a.get(param), after: b.get(param) }
}

/** True for `body.item.id` where all of `body.item` came or went. */
function isWithinChanged(name: string, a: AnswerMembers, b: AnswerMembers): boolean {
  const at = name.lastIndexOf('.')
  if (at === -1) return false
  const parent = name.slice(0, at)
  return a.has(parent) !== b.has(parent) || isWithinChanged(parent, a, b)
}
