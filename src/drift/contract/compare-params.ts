/** One parameter as two wikis describe it. */
import type { RequestRef } from '../changes/change.ts'
import type { ContractChangeDetail, EmitContractChange } from './contract-change.ts'
import type { ParamContract } from './module-contract.ts'
import type { ModuleUsage, ParamUsage } from './request-usage.ts'

type EmitParamChange = (
  kind: Parameters<EmitContractChange>[0],
  detail: Omit<ContractChangeDetail, 'param'>,
) => void

const noRequests: readonly RequestRef[] = []

/**
 * @param moduleUsage how the module is used; undefined where no recorded request does
 * @param paramUsage how the parameter is sent; undefined where it is left at its default
 */
export function compareParam(
  a: ParamContract,
  b: ParamContract,
  moduleUsage: ModuleUsage | undefined,
  paramUsage: ParamUsage | undefined,
  emit: EmitContractChange,
): void {
  const emitParam: EmitParamChange = (kind, detail) => emit(kind, { param: a.name, ...detail })
  const senders = paramUsage?.requests ?? noRequests
  const others = requestsWithoutParam(moduleUsage, paramUsage)
  if (a.deprecated !== b.deprecated)
    emitParam(b.deprecated ? 'param.deprecated' : 'param.undeprecated', { hits: senders })
  if (a.required !== b.required) emitParam(b.required ? 'param.required' : 'param.optional', { hits: others })
  if (a.multi !== b.multi)
    emitParam(b.multi ? 'param.multi' : 'param.single', {
      hits: (paramUsage?.values.size ?? 0) > 1 ? senders : noRequests,
    })
  if (a.sensitive !== b.sensitive)
    emitParam(b.sensitive ? 'param.sensitive' : 'param.not-sensitive', { hits: senders })
  if (a.tokenType !== b.tokenType)
    emitParam('param.token-changed', {
      before: a.tokenType,
      after: b.tokenType,
      hits: moduleUsage?.requests ?? noRequests,
    })
  if (a.type !== b.type)
    emitParam('param.type-changed', {
      before: a.type,
      after: b.type,
      hits: senders,
      harmless: acceptsAllOf(b.type, a.type),
    })
  else if (!a.namesModules || !b.namesModules) compareValues(a, b, paramUsage, emitParam)
  compareSubtypes(a, b, senders, emitParam)
  if (a.default !== b.default && a.required === b.required) {
    // Who sends the parameter does not depend on its default.
    emitParam('param.default-changed', { before: a.default, after: b.default, hits: others })
  }
  compareLimits(a, b, paramUsage, emitParam)
}

/** Requests that use the module and leave the parameter at its default. */
function requestsWithoutParam(
  moduleUsage: ModuleUsage | undefined,
  paramUsage: ParamUsage | undefined,
): readonly RequestRef[] {
  if (moduleUsage === undefined || paramUsage === undefined) return moduleUsage?.requests ?? noRequests
  const senders = new Set(paramUsage.requests)
  return moduleUsage.requests.filter((one) => !senders.has(one))
}

/** Types of any text: which of them a parameter has tells what it is for, not what it takes. */
const texts: ReadonlySet<string> = new Set(['string', 'text', 'user', 'title', 'raw', 'password'])

/** True where whatever was a good value of the old type is one of the new. */
const acceptsAllOf = (type: string, old: string): boolean =>
  texts.has(type) && (texts.has(old) || old === 'integer' || old === 'enum')

function compareValues(
  a: ParamContract,
  b: ParamContract,
  paramUsage: ParamUsage | undefined,
  emit: EmitParamChange,
): void {
  const sending = (value: string): readonly RequestRef[] => paramUsage?.values.get(value) ?? noRequests
  for (const value of a.values) {
    if (!b.values.has(value)) emit('param.value-removed', { value, before: value, hits: sending(value) })
  }
  for (const value of b.values) {
    if (a.values.has(value)) continue
    const deprecation = b.deprecatedValues.has(value) ? { mark: 'deprecated' } : {}
    emit('param.value-added', { value, after: value, hits: noRequests, ...deprecation })
  }
  for (const value of a.values) {
    if (!b.values.has(value) || a.deprecatedValues.has(value) === b.deprecatedValues.has(value)) continue
    const isDeprecatedNow = b.deprecatedValues.has(value)
    emit(isDeprecatedNow ? 'param.value-deprecated' : 'param.value-undeprecated', {
      value,
      note: value,
      hits: sending(value),
    })
  }
}

/** How users may be named. What a request sends does not show by which of them it was read. */
function compareSubtypes(
  a: ParamContract,
  b: ParamContract,
  senders: readonly RequestRef[],
  emit: EmitParamChange,
): void {
  if (a.subtypes === undefined || b.subtypes === undefined) return
  for (const value of a.subtypes) {
    if (!b.subtypes.has(value)) emit('param.subtype-removed', { value, before: value, hits: senders })
  }
  for (const value of b.subtypes) {
    if (!a.subtypes.has(value)) emit('param.subtype-added', { value, after: value, hits: noRequests })
  }
}

function compareLimits(
  a: ParamContract,
  b: ParamContract,
  paramUsage: ParamUsage | undefined,
  emit: EmitParamChange,
): void {
  const asking = (wants: (value: string) => boolean): readonly RequestRef[] => [
    ...new Set(
      [...(paramUsage?.values ?? [])].flatMap(([value, requests]) => (wants(value) ? requests : [])),
    ),
  ]
  for (const [name, before] of a.limits) {
    const after = b.limits.get(name)
    if (after === undefined || after === before) continue
    const hits = asking((value) => value === 'max' || Number(value) > Math.min(before, after))
    const kind = after < before ? 'param.limit-lowered' : 'param.limit-raised'
    emit(kind, { before: String(before), after: String(after), note: `${name} ${before} → ${after}`, hits })
  }
  if (a.min === b.min) return
  const [before, after] = [a.min, b.min].map((min) => (min === undefined ? undefined : String(min)))
  const isRaised = (b.min ?? Number.NEGATIVE_INFINITY) > (a.min ?? Number.NEGATIVE_INFINITY)
  const hits = asking((value) => Number(value) < (b.min ?? Number.NEGATIVE_INFINITY))
  emit(isRaised ? 'param.min-raised' : 'param.min-lowered', { before, after, hits })
}
