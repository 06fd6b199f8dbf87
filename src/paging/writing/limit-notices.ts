/** What an answer says about its limit: nothing for a number, its value for `max`, a warning above the maximum. */
import {
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  membersOf,
  textOf,
} from '../../json/json-tree.ts'
import { type Driver, type LimitShape, limitShape } from '../reading/driver.ts'
import type { ListingRequest } from '../reading/listing-request.ts'
import type { FrameCore } from '../reading/split-answer.ts'

/** The members around the rows for the requested limit; undefined where this frame does not show them. */
export function withLimit(
  core: FrameCore,
  recorded: LimitShape,
  request: ListingRequest,
  warns: boolean,
): FrameCore | undefined {
  const wanted = limitShape(request)
  if (recorded === wanted) return core
  const withoutNotice =
    recorded === 'max' ? withoutLimits(core, request) : withoutWarning(core, recorded, request)
  const plain = recorded === 'number' ? core : withoutNotice
  if (plain === undefined || wanted === 'number') return plain
  return wanted === 'max' ? withLimits(plain, request) : warns ? withWarning(plain, request) : undefined
}

/** The value of a member that is about the driver alone. */
const valueIn = (member: JsonMember | undefined, key: string, { module }: Driver): JsonTree | undefined => {
  const [own, other] = membersOf(member?.value)
  return member?.key === key && other === undefined && own?.key === module ? own.value : undefined
}

/** `limits` has the value of `max`: before `query`, or after it where a prop adds it. */
function withoutLimits(core: FrameCore, { driver }: ListingRequest): FrameCore | undefined {
  const at = driver.kind === 'prop' ? core.length - 1 : 0
  return valueIn(core[at], 'limits', driver) === undefined ? undefined : core.toSpliced(at, 1)
}

function withLimits(core: FrameCore, { driver, limit }: ListingRequest): FrameCore | undefined {
  if (limit.rows === undefined || core.some(({ key }) => key === 'warnings' || key === 'limits'))
    return undefined
  const limits = { key: 'limits', value: jsonObject([[driver.module, jsonLiteral(limit.rows)]]) }
  return driver.kind === 'prop' ? [...core, limits] : [limits, ...core]
}

/** The warning about too high a limit: in English on every wiki without `errorformat` (measured on 1.35, 1.39 and 1.43). */
function withWarning(core: FrameCore, request: ListingRequest): FrameCore | undefined {
  const text = warningOf(request.limit.sent, request)
  if (text === undefined || core[0]?.key !== 'query') return undefined
  const warning = jsonObject([[request.formatVersion === '1' ? '*' : 'warnings', jsonString(text)]])
  return [{ key: 'warnings', value: jsonObject([[request.driver.module, warning]]) }, ...core]
}

/** The text of the warning, with both bounds; undefined where it is not known, as from 1,000 on (separators vary). */
function warningOf(sent: string, { driver, params }: ListingRequest): string | undefined {
  const { min, max } = driver.description.parameters.get('limit') ?? {}
  // The warning names the caller's maximum, which is higher for bots.
  const other = ['errorformat', 'errorlang', 'errorsuselocal', 'as user'].some((name) => params.has(name))
  if (min !== 1 || max === undefined || max >= 1000 || other) return undefined
  return `The value "${sent}" for parameter "${driver.prefix}limit" must be between 1 and ${max}.`
}

function withoutWarning(
  [warnings, ...rest]: FrameCore,
  recorded: LimitShape,
  request: ListingRequest,
): FrameCore | undefined {
  const { driver } = request
  const text = textOf(membersOf(valueIn(warnings, 'warnings', driver))[0]?.value)
  const { max } = driver.description.parameters.get('limit') ?? {}
  const sent = recorded.slice('over '.length)
  // ApiBase::validateLimit of old versions
  const old = `${driver.prefix}limit may not be over ${max} (set to ${sent}) for users`
  return text !== undefined && [old, warningOf(sent, request)].includes(text) ? rest : undefined
}
