/**
 * What around the rows differs from one answer of a listing to the next. After the first, only the driver and its props run;
 * `meta` modules have finished, and a client sends values to continue. Of its limit an answer says nothing for a number,
 * its value for `max`, and warns above the maximum.
 */
import {
  hasMember,
  type JsonMember,
  type JsonTree,
  jsonLiteral,
  jsonObject,
  jsonString,
  mapMembers,
  membersOf,
  objectOf,
  textOf
} from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import type { Listing } from '../joining/listing.ts'
import type { RecordedContinue, RunPosition } from '../joining/run-layout.ts'
import { ownValue } from '../placing/locate.ts'
import type { LimitedProp } from '../reading/answer-chain.ts'
import type { Driver } from '../reading/driver.ts'
import { type LimitShape, limitRangeOf, limitShape } from '../reading/limits.ts'
import { type ListingRequest, modulesSent } from '../reading/listing-request.ts'
import { withoutSiblings } from '../reading/page-members.ts'
import { mapPages } from '../reading/row.ts'
import {
  coreOf,
  type FrameCore,
  headOf,
  pageSetMembers,
  withHead
} from '../reading/split-answer.ts'
import { predict } from '../rules/continue-rule.ts'

/** Modules that finish with the first batch, as they run: props but those of a generator. @param continuing nor this prop */
export function finishedModules(
  request: ListingRequest,
  continuing: string | undefined = request.driver.kind === 'prop'
    ? request.driver.module
    : undefined
): readonly string[] {
  const isGenerated = request.driver.kind === 'generator' && continuing === undefined
  const props = isGenerated ? [] : modulesSent(request, 'prop')
  return [...props.filter((name) => name !== continuing), ...modulesSent(request, 'meta')]
}

/** A `continue` value: the parameters that continue, and the finished modules. Source: ApiContinuationManager */
export const continueText = (
  continuing: Iterable<string>,
  finished: readonly string[]
): string => `${[...continuing].join('|')}||${finished.join('|')}`

/** The `continue` value of an answer after which that prop continues inside the batch. */
export const plainContinueInside = (
  request: ListingRequest,
  { module }: LimitedProp
): string => continueText(request.cursor.keys(), finishedModules(request, module))

export const hasMeta = ({ additions }: ListingRequest): boolean =>
  additions.includes('meta')

/** The frame of an answer, made from one for which all modules ran: after the first, only the generator and its props run. */
export function followUpFrame(
  frame: JsonTree,
  request: ListingRequest
): JsonTree | undefined {
  const { dialect, inner, cursor } = request
  if (dialect === 'raw' || (inner.size === 0 && cursor.size === 0)) return frame
  const core = hasMeta(request) ? withoutFinished(coreOf(frame), request) : coreOf(frame)
  return core && withHead(headOf(frame), core, frame)
}

/** The members around the rows when only the driver and its props run; undefined where one may be of another module. */
export function withoutFinished(
  core: FrameCore,
  request: ListingRequest
): FrameCore | undefined {
  const { driver, inner } = request
  const query = core.find(({ key }) => key === 'query')
  const props =
    driver.kind === 'generator' && inner.size === 0 ? modulesSent(request, 'prop') : []
  const running = [driver.module, ...props]
  const others = core.filter((one) => one !== query)
  const isUnaffected = others.every(
    ({ key, value }) =>
      key === 'limits' && membersOf(value).every((one) => running.includes(one.key))
  )
  if (!query || !isUnaffected) return undefined
  const memberNames = driver.kind === 'list' ? [driver.module] : pageSetMembers
  const own = membersOf(query.value).filter(({ key }) => memberNames.includes(key))
  const bare = mapMembers(objectOf(own), (value, key) =>
    driver.kind === 'prop' && key === 'pages' ? mapPages(value, withoutSiblings) : value
  )
  return core.map((one) => (one === query ? { key: 'query', value: bare } : one))
}

/** The recorded value, else the predicted one, else a value of wikitape's own. */
export function nextValues(
  listing: Listing,
  to: RunPosition
): (RecordedContinue & { readonly own: boolean }) | undefined {
  const { run, at } = to
  const emitted = run.continues.get(at)
  if (emitted) return { ...emitted, own: false }
  const known = run.rows[at]
  const param = continuationParam(listing)
  if (!known || param === undefined) return undefined
  const predicted =
    listing.rule && predict(listing.rule, known.row, run.start ? at : undefined)
  // Where two rows have one time, the wiki gives the first of them again.
  if (!predicted && hasQuirk('cuts-files', listing.driver.module)) return undefined
  const value = predicted ?? jsonString(ownValue(listing, to, known))
  return {
    values: new Map([[param, value]]),
    key: known.key,
    own: !predicted
  }
}

/** The listing's continuation parameter; where no recorded batch shows it, the one that the module describes. */
export function continuationParam({ param, driver }: Listing): string | undefined {
  if (param !== undefined) return param
  const name = ['continue', 'offset'].find((one) =>
    driver.description.parameters.has(one)
  )
  return name && driver.prefix + name
}

export const hasMore = ({ run, at }: RunPosition): boolean =>
  !(run.end && at === run.rows.length)

/** The members around the rows for the requested limit; undefined where this frame does not show them. */
export function withLimit(
  core: FrameCore,
  recorded: LimitShape,
  request: ListingRequest,
  warns: boolean
): FrameCore | undefined {
  const wanted = limitShape(request)
  if (recorded === wanted) return core
  const plain = withoutNotice(core, recorded, request)
  if (!plain || wanted === 'number') return plain
  if (wanted === 'max') return withLimits(plain, request)
  return warns ? withWarning(plain, request) : undefined
}

/** The value of a member that is about the driver alone. */
const valueIn = (member: JsonMember | undefined, key: string, { module }: Driver) => {
  const [own, other] = membersOf(member?.value)
  return member?.key === key && !other && own?.key === module ? own.value : undefined
}

/** `limits` has the value of `max`: before `query`, or after it where the pages are written before the module runs. */
const limitsAreLast = (core: FrameCore, { kind }: Driver) =>
  kind === 'prop' ||
  (kind === 'list' &&
    core.some(
      ({ key, value }) =>
        key === 'query' && pageSetMembers.some((name) => hasMember(value, name))
    ))

function withoutNotice(core: FrameCore, recorded: LimitShape, request: ListingRequest) {
  if (recorded === 'number') return core
  if (recorded !== 'max') return withoutWarning(core, recorded, request)
  const { driver } = request
  const at = limitsAreLast(core, driver) ? core.length - 1 : 0
  return valueIn(core[at], 'limits', driver) && core.toSpliced(at, 1)
}

function withLimits(core: FrameCore, { driver, limit }: ListingRequest) {
  if (
    limit.rows === undefined ||
    core.some(({ key }) => key === 'warnings' || key === 'limits')
  )
    return undefined
  const limits = {
    key: 'limits',
    value: jsonObject([[driver.module, jsonLiteral(limit.rows)]])
  }
  return limitsAreLast(core, driver) ? [...core, limits] : [limits, ...core]
}

/** The warning about too high a limit: in English on every wiki without `errorformat` (measured on 1.35, 1.39 and 1.43). */
function withWarning(core: FrameCore, request: ListingRequest) {
  const text = warningOf(request.limit.sent, request)
  if (text === undefined || core[0]?.key !== 'query') return undefined
  const warning = jsonObject([
    [request.formatVersion === '1' ? '*' : 'warnings', jsonString(text)]
  ])
  return [
    { key: 'warnings', value: jsonObject([[request.driver.module, warning]]) },
    ...core
  ]
}

/**
 * The texts of the warning; undefined where they are not known, as from 1,000 on (separators vary). Of texts the wiki may
 * warn twice: of what is sent, and of what is left of it. Sources: ApiQuery::execute, ApiQueryRevisionsBase::parseParameters
 */
function warningOf(sent: string, { driver, params, mayExceed }: ListingRequest) {
  const { min, max } = driver.description.parameters.get('limit') ?? {}
  const { max: most } = limitRangeOf(params, driver)
  // The warning names the caller's maximum, which is higher for bots.
  const other = ['errorformat', 'errorlang', 'errorsuselocal'].some((name) =>
    params.has(name)
  )
  if (min !== 1 || max === undefined || !most || max >= 1000 || other || mayExceed)
    return undefined
  const rows = Number(sent)
  const readings = [
    [rows, max] as const,
    [Math.max(1, Math.min(rows, max)), most] as const
  ]
  return readings
    .filter(([value, bound]) => value < 1 || value > bound)
    .map(
      ([value, bound]) =>
        `The value "${value}" for parameter "${driver.prefix}limit" must be between 1 and ${bound}.`
    )
    .join('\n')
}

function withoutWarning(
  [warnings, ...rest]: FrameCore,
  recorded: LimitShape,
  request: ListingRequest
) {
  const { driver, params } = request
  const text = textOf(membersOf(valueIn(warnings, 'warnings', driver))[0]?.value)
  const { max } = limitRangeOf(params, driver)
  const sent = recorded.slice('over '.length)
  // ApiBase::validateLimit of old versions
  const old = `${driver.prefix}limit may not be over ${max} (set to ${sent}) for users`
  return text !== undefined && [old, warningOf(sent, request)].includes(text)
    ? rest
    : undefined
}
