/** One parameter as two wikis describe it. */
import type { DescribedParam } from './described.ts'
import type { ContractDetail, Tell } from './tell.ts'
import type { ModuleUsage, ParamUsage } from './usage.ts'

/**
 * @param module how the module is used; undefined where no recorded request does
 * @param sent how the parameter is sent; undefined where it is left at its default
 */
export function compareParam(
  a: DescribedParam,
  b: DescribedParam,
  module: ModuleUsage | undefined,
  sent: ParamUsage | undefined,
  tell: Tell,
): void {
  const tellParam = (kind: Parameters<Tell>[0], detail: Omit<ContractDetail, 'param'>): void => {
    tell(kind, { param: a.name, ...detail })
  }
  const isSent = sent !== undefined
  if (a.deprecated !== b.deprecated)
    tellParam(b.deprecated ? 'param.deprecated' : 'param.undeprecated', { used: isSent })
  if (a.required !== b.required)
    tellParam(b.required ? 'param.required' : 'param.optional', { used: module !== undefined && !isSent })
  if (a.multi !== b.multi)
    tellParam(b.multi ? 'param.multi' : 'param.single', { used: (sent?.values.size ?? 0) > 1 })
  if (a.tokenType !== b.tokenType)
    tellParam('param.token-changed', { before: a.tokenType, after: b.tokenType, used: module !== undefined })
  if (a.type !== b.type) tellParam('param.type-changed', { before: a.type, after: b.type, used: isSent })
  else if (!a.namesModules || !b.namesModules) compareValues(a, b, sent, tellParam)
  if (a.default !== b.default && a.required === b.required) {
    // Who sends the parameter does not depend on its default.
    tellParam('param.default-changed', {
      before: a.default,
      after: b.default,
      used: module !== undefined && !isSent,
    })
  }
  compareLimits(a, b, sent, tellParam)
}

type TellParam = (kind: Parameters<Tell>[0], detail: Omit<ContractDetail, 'param'>) => void

function compareValues(
  a: DescribedParam,
  b: DescribedParam,
  sent: ParamUsage | undefined,
  tell: TellParam,
): void {
  const isSent = (value: string): boolean => sent?.values.has(value) === true
  for (const value of a.values) {
    if (!b.values.has(value)) tell('param.value-removed', { value, before: value, used: isSent(value) })
  }
  for (const value of b.values) {
    if (!a.values.has(value)) tell('param.value-added', { value, after: value, used: false })
  }
  for (const value of a.values) {
    if (!b.values.has(value) || a.deprecatedValues.has(value) === b.deprecatedValues.has(value)) continue
    const isNow = b.deprecatedValues.has(value)
    tell(isNow ? 'param.value-deprecated' : 'param.value-undeprecated', {
      value,
      note: value,
      used: isSent(value),
    })
  }
}

function compareLimits(
  a: DescribedParam,
  b: DescribedParam,
  sent: ParamUsage | undefined,
  tell: TellParam,
): void {
  for (const [name, before] of a.limits) {
    const after = b.limits.get(name)
    if (after === undefined || after === before) continue
    const asked = [...(sent?.values ?? [])]
    const used = asked.some((value) => value === 'max' || Number(value) > Math.min(before, after))
    const kind = after < before ? 'param.limit-lowered' : 'param.limit-raised'
    tell(kind, { before: String(before), after: String(after), note: `${name} ${before} → ${after}`, used })
  }
}
