/**
 * Parameters that do not matter to an error: modules check some of theirs before they read rows, and refuse the request.
 * What each checks is data (`checks` in knowledge/data/module-quirks.json).
 */
import { hasMember, type JsonTree, memberOf } from '../../../json/json-tree.ts'
import { hasQuirk } from '../../../knowledge/module-quirks.ts'
import { hasPages, isCostly, pageParams } from '../../../paging/reading/driver.ts'
import { takesLimit } from '../../../paging/reading/limits.ts'
import { takesPlain } from '../../../paging/reading/module-doubts.ts'
import type { WikiFacts } from '../../../request/derive.ts'
import type { CanonicalRequest } from '../../../request/request-key.ts'
import { warnedParams } from '../../../wiki/answers/warnings.ts'
import {
  activeModules,
  findParamDescriptions,
  paramOf
} from '../../../wiki/modules/active-modules.ts'
import type { ParamDescription } from '../../../wiki/modules/module-descriptions.ts'
import {
  isClean,
  isPlainTitle,
  splitValues
} from '../../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../../wiki/site/site-facts.ts'
import {
  type Check,
  type Refusal,
  type RunningModule,
  refusalOf,
  runningModules
} from './refusal.ts'

type Requests = readonly [recorded: CanonicalRequest, wanted: CanonicalRequest]

/** Tells of a parameter whether the error is the same with its other value; undefined where a module is not described. */
export function freeParams(
  body: JsonTree,
  requests: Requests,
  { lookup, site }: WikiFacts
): ((name: string) => boolean) | undefined {
  const [, wanted] = requests
  const active = activeModules(wanted, undefined, lookup)
  const running = runningModules(wanted, lookup)
  // Some errors are about all that is warned of (opensearch).
  if (!running || hasMember(memberOf(body, 'error'), 'warnings')) return undefined
  const refusal = refusalOf(body, wanted, running)
  const warned = warnedParams(body)
  const isChecked =
    refusal.checked !== undefined &&
    isVersionSince(site?.generator, 35) &&
    warned !== undefined
  const isOfFormat = refusal.isOfFormat === true
  if (isOfFormat && (!isChecked || wanted.get('action') !== 'query')) return undefined
  // A module that runs alone may refuse its parameters before it looks at the pages.
  const isOfPages =
    isChecked &&
    refusal.checked?.length === 0 &&
    refusal.by?.turn === 2 &&
    running.filter(({ turn }) => turn > 0).length === 1
  // Other props refuse no rows and check nothing, which without pages they may not do, and this one refused what any page is enough for.
  const isOfAnyPage =
    isChecked &&
    refusal.by?.turn === 2 &&
    refusal.by.module !== 'revisions' &&
    running.every(
      (one) => one.turn < 2 || one === refusal.by || checksNothing(one, requests)
    )
  return (name) => {
    if (neverMatter.includes(name)) return true
    const isInOne = requests[0].has(name) !== wanted.has(name)
    const isNamed = isInOne && refusal.words.has(name)
    if (isNamed || warned?.includes(name)) return false
    if (flagsOfPages.includes(name) && wanted.get('action') === 'query')
      return !requests.some(hasPages)
    if (findParamDescriptions(name, active).length === 0)
      return (
        !isOfFormat &&
        /^[a-z]+$/.test(name) &&
        requests.every((one) => (one.get(name) ?? '') === '')
      )
    const owners = running.filter((owner) => paramOf(owner, name))
    const isFree = (owner: RunningModule) => {
      // A set of pages may be refused after the parameters of its generator.
      if (isChecked && refusal.by && owner.turn === 2 && refusal.by.turn < 2) return true
      if (isOfPages && pageParams.includes(name))
        return areAccepted(owner, name, requests, site)
      if (isOfAnyPage && areMorePages(owner, name, requests))
        return areAccepted(owner, name, requests, site)
      // Of how many pages a generator gives, errors of props may depend.
      if (owner.turn === 1 && owner !== refusal.by && wanted.has('prop')) return false
      // An earlier module may have warned of rows.
      const isUnwarned = warned !== undefined || owner === refusal.by
      return paramOf(owner, name)?.name === 'limit'
        ? isUnwarned && isFreeLimit(owner, requests, refusal)
        : isChecked && isFreeValue(owner, name, requests, refusal, site)
    }
    return owners.length > 0 && owners.every(isFree)
  }
}

/** False for a module that may refuse a row, or was sent what it checks. */
const checksNothing = ({ checks, prefix }: RunningModule, requests: Requests) =>
  checks?.every(([, ...names]) =>
    names.every(
      (name) =>
        name !== '*' && !requests.some((one) => one.has(prefix + name.replace('?', '')))
    )
  ) === true

/** Without pages `query` does not look at them. */
const flagsOfPages = ['redirects', 'converttitles']

/** What an error ends is not looked through for names that no module has, so their order is in no warning. */
const neverMatter = ['continue', 'rawcontinue', 'indexpageids', 'unknown in order']

/** True where the pages of the one request are among those of the other. */
function areMorePages(
  { turn }: RunningModule,
  name: string,
  [recorded, wanted]: Requests
) {
  const areNamed = turn === 0 && pageParams.includes(name) && recorded.has(name)
  if (!areNamed || wanted.has('generator')) return false
  const more = splitValues(wanted.get(name) ?? '')
  return splitValues(recorded.get(name) ?? '').every((one) => more.includes(one))
}

/** True for one that is not checked, with values that the wiki takes. */
function isFreeValue(
  owner: RunningModule,
  name: string,
  requests: Requests,
  { by, checked, words }: Refusal,
  site: SiteFacts | undefined
) {
  const param = paramOf(owner, name)
  const checks = owner === by ? checked : owner.checks
  // What a continue value must be like is checked somewhere among these.
  if (!param || !checks || param.name === 'continue') return false
  const isInAll = requests.every((request) => request.has(name))
  const [recorded, wanted] = requests.map((request) => request.get(name))
  // Which of several values is refused, messages tell in the order sent.
  const isSameSet = recorded === wanted && param.type === 'enum' && !words.has(name)
  const looksAt = (check: Check) => {
    const [, ...names] = check
    return (
      names.includes('*') ||
      (names.includes(param.name) &&
        !isSameSet &&
        !takesTitles(check, param.name, owner.prefix, requests)) ||
      (names.includes(`${param.name}?`) && !isInAll)
    )
  }
  if (checks.some(looksAt)) return false
  return isSameSet || areAccepted(owner, name, requests, site)
}

/** True for a check of titles that are plain: it takes them in any namespace. */
function takesTitles(
  [code, ...names]: Check,
  param: string,
  prefix: string,
  requests: Requests
) {
  const titles = param === 'namespace' ? names.filter((name) => name !== param) : [param]
  return (
    code === 'invalidtitle' &&
    titles.every((name) =>
      requests.every((one) => isPlainTitle(one.get(prefix + name) ?? 'A'))
    )
  )
}

/** False where the wiki may refuse the value of one, or warn of it. */
const areAccepted = (
  owner: RunningModule,
  name: string,
  requests: Requests,
  site: SiteFacts | undefined
) =>
  requests.every((request) => {
    const [param, value] = [paramOf(owner, name), request.get(name)]
    return value === undefined ? !param?.required : param && takes(param, value, site)
  })

function takes(param: ParamDescription, value: string, site: SiteFacts | undefined) {
  const all = param.multi ? splitValues(value) : [value]
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = param
  const isWithin = (text: string) =>
    /^-?\d{1,9}$/.test(text) && +text >= min && +text <= max
  if (param.type === 'boolean') return !param.deprecated
  const mayBeEmpty = param.type === 'string' && !param.multi && !param.required
  const isEmptyText = value === '' && mayBeEmpty
  if (param.deprecated || (value === '' && !isEmptyText) || all.length > 50) return false
  switch (param.type) {
    case 'integer':
      return all.every(isWithin)
    case 'user':
      return all.every((one) => isUser(one, param))
    case 'string':
      return isClean(value) && (isEmptyText || all.every((one) => one !== ''))
    default:
      return takesPlain(param, value, site)
  }
}

const isUser = (text: string, { subtypes }: ParamDescription) =>
  /^\p{L}{1,40}$/u.test(text) || (subtypes?.has('ip') === true && isAddress(text))

/** True for an IPv4 address as the wiki writes it. */
const isAddress = (text: string) =>
  /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/.test(text) &&
  text.split('.').every((part) => Number(part) < 256)

function isFreeLimit(
  owner: RunningModule,
  requests: Requests,
  { by, checked, words }: Refusal
) {
  const { module, prefix, description, checks } = owner
  const used = { kind: 'list', module, prefix, description } as const
  const isKnown = hasQuirk('own-class', module) || (owner === by && checked?.length === 0)
  if (!isKnown || requests.some((one) => isCostly(one, used))) return false
  const isInAll = requests.every((request) => request.has(`${prefix}limit`))
  const isChecked = checks?.some((names) => names.includes('limit?')) === true
  const isNamed = checked === undefined && words.has(`${prefix}limit`)
  const areAllowed = requests.every((one) => takesLimit(one, used))
  return areAllowed && !isNamed && (isInAll || !isChecked)
}
