/**
 * The error for a value that a description refuses, where the request was answered with another one: `query` reads all
 * parameters of a module just before that runs. Source: ApiQuery::execute, IntegerDef, LimitDef and EnumDef of
 * ParamValidator, 1.35 to 1.43; measured on 1.35, 1.39 and 1.43.
 */
import type { Interaction } from '../../../cassette/interaction.ts'
import {
  hasMember,
  type JsonMember,
  type JsonTree,
  jsonString,
  memberOf,
  membersOf,
  objectOf,
  replaceMember,
  textOf
} from '../../../json/json-tree.ts'
import { singleAnswerOf } from '../../../paging/reading/batch.ts'
import { formatVersionOf } from '../../../paging/reading/listing-request.ts'
import type { WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { paramOf } from '../../../wiki/modules/active-modules.ts'
import type {
  ModuleLookup,
  ParamDescription
} from '../../../wiki/modules/module-descriptions.ts'
import {
  type Params,
  splitValues,
  withoutParams
} from '../../../wiki/parameters/request-params.ts'
import { isVersionSince } from '../../../wiki/site/site-facts.ts'
import { type ComposedAnswer, composedFrom } from '../composed-answer.ts'
import { isError } from './compose-errors.ts'
import { type RunningModule, refusalOf, runningModules } from './refusal.ts'
import { isSameError, type WantedRequest } from './same-error.ts'

interface RefusedValue {
  readonly owner: RunningModule
  readonly name: string
  readonly value: string
  readonly members: readonly JsonMember[]
}

/** @param recordings of the same modules @param errors of any modules: all errors of a wiki end alike */
export function composeRefusal(
  wanted: WantedRequest,
  recordings: Iterable<Interaction>,
  errors: Iterable<Interaction>,
  facts: WikiFacts
): ComposedAnswer | undefined {
  const { canonical } = wanted
  const refused = refusedValueIn(wanted, facts.lookup)
  const isKnown =
    isVersionSince(facts.site?.generator, 35) && !canonical.has('errorformat')
  if (!refused || !isKnown) return undefined
  const { owner, name, value, members } = refused
  const isAnswered = (from: Interaction) => {
    const answer = singleAnswerOf(from)
    // Lists do not show what was warned of.
    if (answer?.kind !== 'object' || hasMember(answer, 'warnings')) return false
    const isRead = !isError(answer) || isRefusedAfter(answer, owner, wanted, facts)
    if (!isRead) return false
    const recorded = {
      request: withValue(from.request, name, value),
      sentValues: withValue(from.sentValues, name, wanted.sentValues.get(name))
    }
    return isSameError(errorOf(members), recorded, wanted, facts)
  }
  for (const from of recordings) {
    if (!isAnswered(from)) continue
    for (const error of errors) {
      const body = errorLike(error, canonical, members)
      if (body) return composedFrom(body, [{ from: error }, { from }])
    }
    return undefined
  }
  return undefined
}

/** True for an error of the module's own checks, or of one that runs after it. */
function isRefusedAfter(
  error: JsonTree,
  { module, prefix, turn }: RunningModule,
  { canonical }: WantedRequest,
  { lookup }: WikiFacts
) {
  const running = runningModules(canonical, lookup) ?? []
  const { by, checked } = refusalOf(error, canonical, running)
  const isOwn = by?.module === module && by.prefix === prefix && checked?.length !== 0
  return by !== undefined && (isOwn || by.turn > turn)
}

function withValue(params: Params, name: string, value: string | undefined) {
  const others = withoutParams(params, name)
  return value === undefined ? others : new Map([...others, [name, value]])
}

const errorOf = (members: readonly JsonMember[]) =>
  objectOf([{ key: 'error', value: objectOf(members) }])

/** What the wiki adds to an error where it is asked to. Source: ApiMain::addRequestedFields */
const fieldParams = ['curtimestamp', 'servedby', 'responselanginfo']

/** A recorded error with these members, and what the wiki says of its help and of its server, in the same version of the format. */
function errorLike(
  recorded: Interaction,
  wanted: CanonicalRequest,
  members: readonly JsonMember[]
) {
  const version = formatVersionOf(wanted)
  const { request } = recorded
  const sent = [request, wanted]
  const isPlain =
    !request.has('errorformat') &&
    formatVersionOf(request) === version &&
    !fieldParams.some((name) => sent.some((one) => one.has(name)))
  const body = isPlain ? singleAnswerOf(recorded) : undefined
  const key = version === '1' ? '*' : 'docref'
  const value = memberOf(memberOf(body, 'error'), key)
  const isAlone = membersOf(body).every((one) => ['error', 'servedby'].includes(one.key))
  const isHelp = textOf(value)?.startsWith('See ') === true
  if (!body || !value || !isAlone || !isHelp) return undefined
  return replaceMember(body, 'error', () => objectOf([...members, { key, value }]))
}

/** The only value that is refused; undefined where there are several, which one is refused first is not known. */
function refusedValueIn(
  { canonical, sentValues }: WantedRequest,
  lookup: ModuleLookup
): RefusedValue | undefined {
  const running = runningModules(canonical, lookup) ?? []
  const found = running.flatMap((owner) =>
    [...canonical].flatMap(([name, value]) => {
      const own = paramOf(owner, name)
      // `main` and some modules have other codes and words for theirs.
      const isOwnCheck = owner.checks?.flat().includes(own?.name ?? '') === true
      // A wiki warns of deprecated ones beside the error.
      const isOther = owner.module === 'main' || isOwnCheck || own?.deprecated
      const param = isOther ? undefined : own
      const sent = sentValues.get(name) ?? value
      const members = param && messageFor(param, name, sent)
      return members ? [{ owner, name, value, members }] : []
    })
  )
  const [only, ...more] = found
  return more.length === 0 ? only : undefined
}

/** What a message repeats as it is. */
const plainValue = /^[\p{L}\p{N}._|+*/:,-]{0,60}$/u

function messageFor(param: ParamDescription, name: string, sent: string) {
  const { type, values, multi, submodules } = param
  const isNumber = (text: string) =>
    /^[+-]?\d+$/.test(text) || (type === 'limit' && text === 'max')
  const isOfNumbers = type === 'limit' || type === 'integer'
  // Two blanks are one in messages, and some have none at the beginning.
  const isPlain = plainValue.test(isOfNumbers ? sent.replace(/^ | $/g, '') : sent)
  if (!isPlain || sent.includes('  ')) return undefined
  if (isOfNumbers) {
    const all = multi ? splitValues(sent) : [sent]
    const wrong = all.length > 50 ? undefined : all.find((one) => !isNumber(one))
    if (wrong === undefined) return undefined
    return errorMembers(
      'badinteger',
      `Invalid value "${wrong}" for integer parameter "${name}".`
    )
  }
  return type === 'enum' && !multi && !values.has(sent) && !submodules.has(sent)
    ? errorMembers('badvalue', `Unrecognized value for parameter "${name}": ${sent}.`)
    : undefined
}

const errorMembers = (code: string, info: string): readonly JsonMember[] => [
  { key: 'code', value: jsonString(code) },
  { key: 'info', value: jsonString(info) }
]
