/** What an answer says of its limit: nothing of a number, its value for `max`, a warning beyond the maximum. */

import {
  type JsonMember,
  jsonLiteral,
  jsonObject,
  jsonString,
  mapStrings,
  membersOf,
  textOf,
} from '../../json/tree.ts'
import { type LimitShape, limitShape } from '../reading/limit.ts'
import type { ListingRequest } from '../reading/listing-request.ts'

/** The members around the rows for the kind of limit asked for; undefined where they cannot be told from this frame. */
export function withLimit(
  core: readonly JsonMember[],
  had: LimitShape,
  request: ListingRequest,
  warns: boolean,
): readonly JsonMember[] | undefined {
  const wants = limitShape(request)
  if (had === wants) return core
  const plain =
    had === 'number'
      ? core
      : had === 'max'
        ? withoutLimits(core, request)
        : wants.startsWith('over ')
          ? undefined
          : withoutWarning(core, had.slice(5), request)
  if (plain !== undefined && wants === 'number') return plain
  if (plain !== undefined && wants === 'max') return withLimits(plain, request)
  if (plain !== undefined) return warns ? withWarning(plain, request) : undefined
  // A limit below the least is warned of in other words by old versions.
  const alike =
    had.startsWith('over ') && wants.startsWith('over ') && (had === 'over 0') === (wants === 'over 0')
  return alike ? otherNumber(core, had.slice(5), request) : undefined
}

/** `limits` says what `max` came to: before `query`, or behind it where a prop, which runs later, adds it. */
function withoutLimits(
  core: readonly JsonMember[],
  { driver }: ListingRequest,
): readonly JsonMember[] | undefined {
  const at = driver.kind === 'prop' ? core.length - 1 : 0
  const own = membersOf(core[at]?.value)
  const only = core[at]?.key === 'limits' && own.length === 1 && own[0]?.key === driver.module
  return only ? core.toSpliced(at, 1) : undefined
}

function withLimits(
  core: readonly JsonMember[],
  { driver, limit }: ListingRequest,
): readonly JsonMember[] | undefined {
  if (limit.rows === undefined || core.some((member) => member.key === 'warnings' || member.key === 'limits'))
    return undefined
  const limits = { key: 'limits', value: jsonObject([[driver.module, jsonLiteral(limit.rows)]]) }
  return driver.kind === 'prop' ? [...core, limits] : [limits, ...core]
}

/**
 * The warning of a limit beyond the maximum. Without `errorformat` it is in English on every wiki (measured on 1.35,
 * 1.39 and 1.43); thousands may be written in other ways.
 */
function withWarning(
  core: readonly JsonMember[],
  { driver, limit, params, formatVersion }: ListingRequest,
): readonly JsonMember[] | undefined {
  const text = warningOf(limit.sent, { driver, params })
  if (text === undefined || core[0]?.key !== 'query') return undefined
  const warning = jsonObject([[formatVersion === '1' ? '*' : 'warnings', jsonString(text)]])
  return [{ key: 'warnings', value: jsonObject([[driver.module, warning]]) }, ...core]
}

/** The words of that warning, which names both bounds; undefined where they are not known. */
function warningOf(
  sent: string,
  { driver, params }: Pick<ListingRequest, 'driver' | 'params'>,
): string | undefined {
  const { min, max: most } = driver.description.parameters.get('limit') ?? {}
  // A bot's maximum, which the warning names, is another.
  const other = ['errorformat', 'errorlang', 'errorsuselocal', 'as user'].some((name) => params.has(name))
  if (min !== 1 || most === undefined || most >= 1000 || other) return undefined
  return `The value "${sent}" for parameter "${driver.prefix}limit" must be between 1 and ${most}.`
}

/** The members around the rows without that warning, where there is no other. */
function withoutWarning(
  core: readonly JsonMember[],
  sent: string,
  request: ListingRequest,
): readonly JsonMember[] | undefined {
  const [warnings, ...rest] = core
  const own = membersOf(warnings?.value)
  const text = membersOf(own[0]?.value)[0]?.value
  const only = warnings?.key === 'warnings' && own.length === 1 && own[0]?.key === request.driver.module
  const { max } = request.driver.description.parameters.get('limit') ?? {}
  // ApiBase::validateLimit of old versions
  const old = `${request.driver.prefix}limit may not be over ${max} (set to ${sent}) for users`
  const said = textOf(text)
  return only && said !== undefined && [old, warningOf(sent, request)].includes(said) ? rest : undefined
}

/** The warning of a limit beyond the maximum names the number: here another one. */
function otherNumber(
  core: readonly JsonMember[],
  had: string,
  { limit }: ListingRequest,
): readonly JsonMember[] | undefined {
  let found = 0
  const number = new RegExp(`(?<![\\d.,])${had}(?![\\d.,])`, 'g')
  const members = core.map((member) => {
    if (member.key !== 'warnings') return member
    const value = mapStrings(member.value, (text) =>
      text.replace(number, () => {
        found += 1
        return limit.sent
      }),
    )
    return { key: member.key, value }
  })
  return found === 1 ? members : undefined
}
