/** What an answer says of its limit: nothing of a number, its value for `max`, a warning beyond the maximum. */

import {
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  mapStrings,
  membersOf,
  textOf,
} from '../../json/json-tree.ts'
import type { Driver } from '../reading/driver.ts'
import { type LimitShape, limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'

/** What stands around the rows. */
type FrameCore = readonly JsonMember[]

/** The members around the rows for the kind of limit asked for; undefined where they cannot be told from this frame. */
export function withLimit(
  core: FrameCore,
  recorded: LimitShape,
  request: ListingRequest,
  warns: boolean,
): FrameCore | undefined {
  const wanted = limitShape(request)
  if (recorded === wanted) return core
  const over = [recorded, wanted].every((shape) => shape.startsWith('over '))
  // A limit below the least is warned of in other words by old versions.
  if (over)
    return recorded === 'over 0' || wanted === 'over 0'
      ? undefined
      : withNumber(core, recorded.slice(5), request)
  const plain =
    recorded === 'number'
      ? core
      : recorded === 'max'
        ? withoutLimits(core, request)
        : withoutWarning(core, recorded, request)
  if (plain === undefined || wanted === 'number') return plain
  return wanted === 'max' ? withLimits(plain, request) : warns ? withWarning(plain, request) : undefined
}

/** The member that alone tells of the driver, and its value. */
const ownValueIn = (
  member: JsonMember | undefined,
  key: string,
  { module }: Driver,
): JsonTree | undefined => {
  const [own, other] = membersOf(member?.value)
  return member?.key === key && other === undefined && own?.key === module ? own.value : undefined
}

/** `limits` says what `max` came to: before `query`, or behind it where a prop, which runs later, adds it. */
function withoutLimits(core: FrameCore, { driver }: ListingRequest): FrameCore | undefined {
  const at = driver.kind === 'prop' ? core.length - 1 : 0
  return ownValueIn(core[at], 'limits', driver) === undefined ? undefined : core.toSpliced(at, 1)
}

function withLimits(core: FrameCore, { driver, limit }: ListingRequest): FrameCore | undefined {
  if (limit.rows === undefined || core.some(({ key }) => key === 'warnings' || key === 'limits'))
    return undefined
  const limits = { key: 'limits', value: jsonObject([[driver.module, jsonLiteral(limit.rows)]]) }
  return driver.kind === 'prop' ? [...core, limits] : [limits, ...core]
}

/**
 * The warning of a limit beyond the maximum. Without `errorformat` it is in English on every wiki (measured on 1.35,
 * 1.39 and 1.43); thousands may be written in other ways.
 */
function withWarning(core: FrameCore, request: ListingRequest): FrameCore | undefined {
  const text = warningOf(request.limit.sent, request)
  if (text === undefined || core[0]?.key !== 'query') return undefined
  const warning = jsonObject([[request.formatVersion === '1' ? '*' : 'warnings', jsonString(text)]])
  return [{ key: 'warnings', value: jsonObject([[request.driver.module, warning]]) }, ...core]
}

/** The words of that warning, which names both bounds; undefined where they are not known. */
function warningOf(sent: string, { driver, params }: ListingRequest): string | undefined {
  const { min, max } = driver.description.parameters.get('limit') ?? {}
  // A bot's maximum, which the warning names, is another.
  const other = ['errorformat', 'errorlang', 'errorsuselocal', 'as user'].some((name) => params.has(name))
  if (min !== 1 || max === undefined || max >= 1000 || other) return undefined
  return `The value "${sent}" for parameter "${driver.prefix}limit" must be between 1 and ${max}.`
}

/** The members around the rows without that warning, where there is no other. */
function withoutWarning(
  [warnings, ...rest]: FrameCore,
  recorded: LimitShape,
  request: ListingRequest,
): FrameCore | undefined {
  const { driver } = request
  const text = textOf(membersOf(ownValueIn(warnings, 'warnings', driver))[0]?.value)
  const { max } = driver.description.parameters.get('limit') ?? {}
  const sent = recorded.slice('over '.length)
  // ApiBase::validateLimit of old versions
  const old = `${driver.prefix}limit may not be over ${max} (set to ${sent}) for users`
  return text !== undefined && [old, warningOf(sent, request)].includes(text) ? rest : undefined
}

/** The warning of a limit beyond the maximum names the number: here another one. */
function withNumber(core: FrameCore, recorded: string, { limit }: ListingRequest): FrameCore | undefined {
  const number = new RegExp(`(?<![\\d.,])${recorded}(?![\\d.,])`, 'g')
  let found = 0
  const replaced = (): string => {
    found += 1
    return limit.sent
  }
  const members = core.map(({ key, value }) => ({
    key,
    value: key === 'warnings' ? mapStrings(value, (text) => text.replace(number, replaced)) : value,
  }))
  return found === 1 ? members : undefined
}
