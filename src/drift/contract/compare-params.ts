/** The parameters of a module as two wikis describe them, and the changes of the contract that are emitted for them. */
import { wordSet } from '../../recorder/text/words.ts'
import type { ParamDescription } from '../../recorder/wiki/modules/module-descriptions.ts'
import {
  type Change,
  itemPath,
  type Note,
  newChange,
  pathOf,
  type RequestRef,
  turn
} from '../changes/change.ts'
import type { Kind } from '../changes/kinds.ts'

export type Emit = (kind: Kind, detail: ContractChangeDetail) => void

interface ContractChangeDetail {
  /** Name without the module's prefix; undefined for the module itself. */
  readonly param?: string
  readonly value?: string
  readonly before?: string | undefined
  readonly after?: string | undefined
  readonly note?: Note
  readonly mark?: string
  /** Recorded requests that send, or rely on, what changed; none unless given. */
  readonly hits?: readonly RequestRef[]
  /** True if it cannot hurt a client that sends it, as far as descriptions show. */
  readonly harmless?: boolean
}

/** @param module its path, and the prefix that its parameters have */
export function contractChange(
  kind: Kind,
  module: Readonly<Record<'path' | 'prefix', string>>,
  { param, value, hits = [], harmless = false, ...rest }: ContractChangeDetail
): Change {
  const { before, after } = rest
  const place = pathOf(
    ...(param === undefined ? [] : `${module.prefix}${param}`.split('.'))
  )
  const isNamed = value !== undefined || (before === undefined && after === undefined)
  return newChange(kind, value === undefined ? place : itemPath(place, value), {
    requests: hits,
    scope: module.path,
    note: isNamed ? '' : turn(before ?? 'none', after ?? 'none'),
    other: hits.length === 0 || harmless,
    ...rest
  })
}

/** The values of `a` that `b` lacks. */
export const onlyIn = (a: NamedValues, b: NamedValues): readonly string[] =>
  [...a.keys()].filter((value) => !b.has(value))

/** A set, or the keys of a map. */
type NamedValues = Pick<ReadonlyMap<string, unknown>, 'keys' | 'has'>

/** What recorded requests that use the module do with one of its parameters. */
interface ParamUsage {
  readonly senders: readonly RequestRef[]
  /** Requests that leave the parameter at its default. */
  readonly others: readonly RequestRef[]
  readonly values: ReadonlyMap<string, readonly RequestRef[]>
}

export function compareParam(
  a: ParamDescription,
  b: ParamDescription,
  usage: ParamUsage,
  emit: Emit
): void {
  const emitParam: Emit = (kind, detail) => emit(kind, { param: a.name, ...detail })
  const { senders, others, values } = usage
  const flags = [
    ['deprecated', 'param.deprecated', 'param.undeprecated', senders],
    ['required', 'param.required', 'param.optional', others],
    ['multi', 'param.multi', 'param.single', values.size > 1 ? senders : []],
    ['sensitive', 'param.sensitive', 'param.not-sensitive', senders]
  ] as const
  for (const [flag, on, off, hits] of flags)
    if (a[flag] !== b[flag]) emitParam(b[flag] ? on : off, { hits })
  if (a.tokenType !== b.tokenType)
    emitParam('param.token-changed', {
      before: a.tokenType,
      after: b.tokenType,
      hits: [...senders, ...others]
    })
  if (a.type !== b.type)
    emitParam('param.type-changed', {
      before: a.type,
      after: b.type,
      hits: senders,
      harmless: acceptsAllOf(b.type, a.type)
    })
  else if (a.submodules.size === 0 && b.submodules.size === 0)
    compareValues(a, b, usage, emitParam)
  // How users may be named. A request does not show which way its value was read.
  if (a.subtypes && b.subtypes) {
    for (const value of onlyIn(a.subtypes, b.subtypes))
      emitParam('param.subtype-removed', { value, before: value, hits: senders })
    for (const value of onlyIn(b.subtypes, a.subtypes))
      emitParam('param.subtype-added', { value, after: value })
  }
  // A request that sends the parameter does not depend on its default.
  const before = defaultOf(a)
  const after = defaultOf(b)
  const harmless = asksForMore(a.name, before, after)
  if (before !== after && a.required === b.required)
    emitParam('param.default-changed', { before, after, hits: others, harmless })
  compareLimits(a, b, usage, emitParam)
}

/** Types of any text: which of them a parameter has says what it is for, not what it takes. */
const texts = wordSet('string text user title raw password')

/** True if each good value of the old type is one of the new. */
const acceptsAllOf = (type: string, old: string) =>
  texts.has(type) && (texts.has(old) || old === 'integer' || old === 'enum')

/** What is off by default says so by `""` or by nothing at all, a flag by whatever older wikis say (`"false"`). */
const defaultOf = (param: ParamDescription) =>
  param.type === 'boolean' || param.default === '' ? undefined : param.default

/** True if answers by default have more members, and all that they had. */
function asksForMore(name: string, before = '', after = '') {
  const now = new Set(after.split('|'))
  return name.endsWith('prop') && before.split('|').every((value) => now.has(value))
}

function compareValues(
  a: ParamDescription,
  b: ParamDescription,
  { values }: ParamUsage,
  emit: Emit
) {
  const sending = (value: string) => values.get(value) ?? []
  for (const value of onlyIn(a.values, b.values))
    emit('param.value-removed', { value, before: value, hits: sending(value) })
  for (const value of onlyIn(b.values, a.values)) {
    const mark = b.deprecatedValues.has(value) ? 'deprecated' : ''
    emit('param.value-added', { value, after: value, mark })
  }
  for (const value of a.values) {
    const isDeprecated = b.deprecatedValues.has(value)
    if (!b.values.has(value) || a.deprecatedValues.has(value) === isDeprecated) continue
    const kind = isDeprecated ? 'param.value-deprecated' : 'param.value-undeprecated'
    emit(kind, { value, note: value, hits: sending(value) })
  }
}

function compareLimits(
  a: ParamDescription,
  b: ParamDescription,
  { values }: ParamUsage,
  emit: Emit
) {
  const sending = (isHit: (value: string) => boolean) => {
    const hits = [...values].filter(([value]) => isHit(value))
    return [...new Set(hits.flatMap(([, requests]) => requests))]
  }
  for (const name of ['limit', 'highLimit', 'max', 'highMax'] as const) {
    const before = a[name]
    const after = b[name]
    if (before === undefined || after === undefined || after === before) continue
    const lower = Math.min(before, after)
    emit(after < before ? 'param.limit-lowered' : 'param.limit-raised', {
      before: String(before),
      after: String(after),
      note: turn(`${name.toLowerCase()} ${before}`, String(after)),
      hits: sending((value) => value === 'max' || Number(value) > lower)
    })
  }
  const { min: before = Number.NEGATIVE_INFINITY } = a
  const { min: after = Number.NEGATIVE_INFINITY } = b
  if (before !== after)
    emit(after > before ? 'param.min-raised' : 'param.min-lowered', {
      before: a.min?.toString(),
      after: b.min?.toString(),
      hits: sending((value) => Number(value) < after)
    })
}
