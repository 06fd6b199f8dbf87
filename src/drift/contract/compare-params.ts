/** One parameter as two wikis describe it. */
import type { Asked } from '../changes/change.ts'
import type { ContractDetail, Tell } from './contract-change.ts'
import type { DescribedParam } from './module-contract.ts'
import type { ModuleUsage, ParamUsage } from './request-usage.ts'

type TellParam = (kind: Parameters<Tell>[0], detail: Omit<ContractDetail, 'param'>) => void

const nobody: readonly Asked[] = []

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
  const tellParam: TellParam = (kind, detail) => tell(kind, { param: a.name, ...detail })
  const senders = sent?.asked ?? nobody
  const others = withoutParam(module, sent)
  if (a.deprecated !== b.deprecated)
    tellParam(b.deprecated ? 'param.deprecated' : 'param.undeprecated', { hits: senders })
  if (a.required !== b.required) tellParam(b.required ? 'param.required' : 'param.optional', { hits: others })
  if (a.multi !== b.multi)
    tellParam(b.multi ? 'param.multi' : 'param.single', {
      hits: (sent?.values.size ?? 0) > 1 ? senders : nobody,
    })
  if (a.sensitive !== b.sensitive)
    tellParam(b.sensitive ? 'param.sensitive' : 'param.not-sensitive', { hits: senders })
  if (a.tokenType !== b.tokenType)
    tellParam('param.token-changed', {
      before: a.tokenType,
      after: b.tokenType,
      hits: module?.asked ?? nobody,
    })
  if (a.type !== b.type)
    tellParam('param.type-changed', {
      before: a.type,
      after: b.type,
      hits: senders,
      harmless: accepts(b.type, a.type),
    })
  else if (!a.namesModules || !b.namesModules) compareValues(a, b, sent, tellParam)
  compareSubtypes(a, b, senders, tellParam)
  if (a.default !== b.default && a.required === b.required) {
    // Who sends the parameter does not depend on its default.
    tellParam('param.default-changed', { before: a.default, after: b.default, hits: others })
  }
  compareLimits(a, b, sent, tellParam)
}

/** Requests that use the module and leave the parameter at its default. */
function withoutParam(module: ModuleUsage | undefined, sent: ParamUsage | undefined): readonly Asked[] {
  if (module === undefined || sent === undefined) return module?.asked ?? nobody
  const senders = new Set(sent.asked)
  return module.asked.filter((one) => !senders.has(one))
}

/** Types of any text: which of them a parameter has tells what it is for, not what it takes. */
const texts: ReadonlySet<string> = new Set(['string', 'text', 'user', 'title', 'raw', 'password'])

/** True where whatever was a good value of the old type is one of the new. */
const accepts = (type: string, old: string): boolean =>
  texts.has(type) && (texts.has(old) || old === 'integer' || old === 'enum')

function compareValues(
  a: DescribedParam,
  b: DescribedParam,
  sent: ParamUsage | undefined,
  tell: TellParam,
): void {
  const sending = (value: string): readonly Asked[] => sent?.values.get(value) ?? nobody
  for (const value of a.values) {
    if (!b.values.has(value)) tell('param.value-removed', { value, before: value, hits: sending(value) })
  }
  for (const value of b.values) {
    if (a.values.has(value)) continue
    const born = b.deprecatedValues.has(value) ? { mark: 'deprecated' } : {}
    tell('param.value-added', { value, after: value, hits: nobody, ...born })
  }
  for (const value of a.values) {
    if (!b.values.has(value) || a.deprecatedValues.has(value) === b.deprecatedValues.has(value)) continue
    const isNow = b.deprecatedValues.has(value)
    tell(isNow ? 'param.value-deprecated' : 'param.value-undeprecated', {
      value,
      note: value,
      hits: sending(value),
    })
  }
}

/** How users may be named. What a request sends does not show by which of them it was read. */
function compareSubtypes(
  a: DescribedParam,
  b: DescribedParam,
  senders: readonly Asked[],
  tell: TellParam,
): void {
  if (a.subtypes === undefined || b.subtypes === undefined) return
  for (const value of a.subtypes) {
    if (!b.subtypes.has(value)) tell('param.subtype-removed', { value, before: value, hits: senders })
  }
  for (const value of b.subtypes) {
    if (!a.subtypes.has(value)) tell('param.subtype-added', { value, after: value, hits: nobody })
  }
}

function compareLimits(
  a: DescribedParam,
  b: DescribedParam,
  sent: ParamUsage | undefined,
  tell: TellParam,
): void {
  const asking = (wants: (value: string) => boolean): readonly Asked[] => [
    ...new Set([...(sent?.values ?? [])].flatMap(([value, asked]) => (wants(value) ? asked : []))),
  ]
  for (const [name, before] of a.limits) {
    const after = b.limits.get(name)
    if (after === undefined || after === before) continue
    const hits = asking((value) => value === 'max' || Number(value) > Math.min(before, after))
    const kind = after < before ? 'param.limit-lowered' : 'param.limit-raised'
    tell(kind, { before: String(before), after: String(after), note: `${name} ${before} → ${after}`, hits })
  }
  if (a.min === b.min) return
  const [before, after] = [a.min, b.min].map((min) => (min === undefined ? undefined : String(min)))
  const isRaised = (b.min ?? Number.NEGATIVE_INFINITY) > (a.min ?? Number.NEGATIVE_INFINITY)
  const hits = asking((value) => Number(value) < (b.min ?? Number.NEGATIVE_INFINITY))
  tell(isRaised ? 'param.min-raised' : 'param.min-lowered', { before, after, hits })
}
