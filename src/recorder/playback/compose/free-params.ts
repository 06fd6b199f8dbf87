/**
 * Parameters that do not matter to an error: modules check some of theirs before they read rows, and refuse the request.
 * What each checks is data (`checks` in knowledge/data/module-quirks.json).
 */
import {
  hasMember,
  itemsAt,
  type JsonTree,
  memberOf,
  textAt
} from '../../json/json-tree.ts'
import { checksOf, hasQuirk } from '../../knowledge/module-quirks.ts'
import { hasPages, isCostly, pageParams } from '../../paging/reading/driver.ts'
import { takesLimit } from '../../paging/reading/limits.ts'
import { takesPlain } from '../../paging/reading/module-doubts.ts'
import type { WikiFacts } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { mapAll } from '../../text/group-by.ts'
import { wordSet } from '../../text/words.ts'
import {
  type ActiveModule,
  activeModules,
  findParamDescriptions,
  paramOf
} from '../../wiki/modules/active-modules.ts'
import type {
  ModuleDescription,
  ParamDescription
} from '../../wiki/modules/module-descriptions.ts'
import { isClean, splitValues } from '../../wiki/parameters/request-params.ts'
import { isVersionSince, type SiteFacts } from '../../wiki/site/site-facts.ts'

interface RunningModule {
  /** Its name in `query`, its path elsewhere. */
  readonly module: string
  /** What reads its parameters first: 0 `query` and what is around it, 1 the generator, 2 the others. Source: ApiQuery::execute */
  readonly turn: 0 | 1 | 2
  readonly prefix: string
  readonly description: ModuleDescription
  readonly checks: readonly Check[] | undefined
}

/** A code, and the parameters that it depends on. */
type Check = readonly string[]

interface Refusal {
  /** The module that refused the request; undefined where several may have. */
  readonly by: RunningModule | undefined
  /** What that checked before and then, as in `checks`; undefined where it may have refused a row. */
  readonly checked: readonly string[] | undefined
  readonly info: string
}

type Requests = readonly [recorded: CanonicalRequest, wanted: CanonicalRequest]

/** Tells of a parameter whether the error is the same with its other value; undefined where a module is not described. */
export function freeParams(
  body: JsonTree,
  requests: Requests,
  { lookup, site }: WikiFacts
): ((name: string) => boolean) | undefined {
  const [, wanted] = requests
  const active = activeModules(wanted, wanted.get('format') ?? 'json', lookup)
  const running = mapAll(active.filter(readsRequest), runningModule)
  if (!running) return undefined
  const refusal = refusalOf(body, running)
  const isChecked =
    refusal.checked !== undefined &&
    isVersionSince(site?.generator, 35) &&
    !hasMember(body, 'warnings')
  // A module that runs alone may refuse its parameters before it looks at the pages.
  const isOfPages =
    isChecked &&
    refusal.checked?.length === 0 &&
    refusal.by?.turn === 2 &&
    running.filter(({ turn }) => turn > 0).length === 1
  return (name) => {
    if (neverMatter.includes(name)) return true
    const isInOne = requests[0].has(name) !== wanted.has(name)
    if (isInOne && refusal.info.includes(`"${name}"`)) return false
    if (['redirects', 'converttitles'].includes(name)) return !requests.some(hasPages)
    if (findParamDescriptions(name, active).length === 0)
      return (
        /^[a-z]+$/.test(name) && requests.every((one) => (one.get(name) ?? '') === '')
      )
    const owners = running.filter((owner) => paramOf(owner, name))
    const isFree = (owner: RunningModule) => {
      // A set of pages may be refused after the parameters of its generator.
      if (isChecked && refusal.by && owner.turn === 2 && refusal.by.turn < 2) return true
      if (isOfPages && pageParams.includes(name))
        return areAccepted(owner, name, requests, site)
      // Of how many pages a generator gives, errors of props may depend.
      if (owner.turn === 1 && owner !== refusal.by && wanted.has('prop')) return false
      return paramOf(owner, name)?.name === 'limit'
        ? isFreeLimit(owner, requests, refusal)
        : isChecked && isFreeValue(owner, name, requests, refusal, site)
    }
    return owners.length > 0 && owners.every(isFree)
  }
}

/** What an error ends is not looked through for names that no module has, so their order is in no warning. */
const neverMatter = ['continue', 'rawcontinue', 'indexpageids', 'unknown in order']

/** The format looks at its own when an answer is written. */
const readsRequest = ({ path }: ActiveModule) =>
  ['main', 'query'].includes(path) || path.startsWith('query+')

function runningModule({
  path,
  prefix,
  description
}: ActiveModule): RunningModule | undefined {
  const module = path.replace(/^query\+/, '')
  const checks = description?.isCore ? checksOf(module) : undefined
  const isGenerator = prefix !== description?.prefix
  const turn = module === path ? 0 : isGenerator ? 1 : 2
  return description && { module, turn, prefix, description, checks }
}

/** What descriptions alone refuse. */
const ofValues = wordSet(
  'badvalue badinteger badtimestamp baduser missingparam toomanyvalues'
)

const namedParam = /parameter "([a-z]+)"|"([a-z]+)" parameter must be set/g

function refusalOf(body: JsonTree, running: readonly RunningModule[]): Refusal {
  const error = memberOf(body, 'error') ?? itemsAt(body, 'errors')[0]
  const code = textAt(error, 'code') ?? ''
  const info = textAt(error, 'info') ?? ''
  const named = [...info.matchAll(namedParam)].map(([, one, other]) => one ?? other ?? '')
  if (ofValues.has(code) && named.length === 1) {
    const [by] = running.filter((one) => named.some((name) => paramOf(one, name)))
    if (by) return { by, checked: [], info }
  }
  const isOf = ([own = '']: Check) => {
    const [name = '', word = ''] = own.split(':')
    const isNamed = name.endsWith('_') ? code.startsWith(name) : code === name
    return isNamed && info.includes(word)
  }
  const mayBe = running.filter(({ checks = [] }) => checks.some(isOf))
  const [by] = mayBe
  if (!by) return { by, checked: undefined, info }
  // Another one's checks may not be known.
  const isAlone =
    mayBe.length === 1 && running.every(({ turn, checks }) => turn === 0 || checks)
  const { checks = [] } = by
  const last = checks.findLastIndex(isOf)
  const upTo = checks.slice(0, last + 1)
  return isAlone
    ? { by, checked: upTo.flatMap(([, ...names]) => names), info }
    : { by: undefined, checked: [], info }
}

/** True for one that is not checked, with values that the wiki takes. */
function isFreeValue(
  owner: RunningModule,
  name: string,
  requests: Requests,
  { by, checked }: Refusal,
  site: SiteFacts | undefined
) {
  const param = paramOf(owner, name)
  const names = owner === by ? checked : owner.checks?.flatMap(([, ...checks]) => checks)
  // What a continue value must be like is checked somewhere among these.
  if (!param || !names || names.includes('*') || param.name === 'continue') return false
  const isInAll = requests.every((request) => request.has(name))
  const [recorded, wanted] = requests.map((request) => request.get(name))
  if (recorded === wanted && param.type === 'enum') return true
  return (
    !names.includes(param.name) &&
    (isInAll || !names.includes(`${param.name}?`)) &&
    areAccepted(owner, name, requests, site)
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
    return value === undefined || (param && takes(param, value, site))
  })

function takes(param: ParamDescription, value: string, site: SiteFacts | undefined) {
  const all = param.multi ? splitValues(value) : [value]
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = param
  const isWithin = (text: string) =>
    /^-?\d{1,9}$/.test(text) && +text >= min && +text <= max
  if (param.type === 'boolean') return !param.deprecated
  if (param.deprecated || value === '' || all.length > 50) return false
  switch (param.type) {
    case 'integer':
      return all.every(isWithin)
    case 'user':
      return all.every((one) => isUser(one, param))
    case 'string':
      return isClean(value) && all.every((one) => one !== '')
    default:
      return takesPlain(param, value, site)
  }
}

const isUser = (text: string, { subtypes }: ParamDescription) =>
  /^\p{L}{1,40}$/u.test(text) ||
  (subtypes?.has('ip') === true && /^(?:[1-9]\d?\.){3}[1-9]\d?$/.test(text))

function isFreeLimit(
  owner: RunningModule,
  requests: Requests,
  { by, checked, info }: Refusal
) {
  const { module, prefix, description, checks } = owner
  const used = { kind: 'list', module, prefix, description } as const
  const isKnown = hasQuirk('own-class', module) || (owner === by && checked?.length === 0)
  if (!isKnown || requests.some((one) => isCostly(one, used))) return false
  const isInAll = requests.every((request) => request.has(`${prefix}limit`))
  const isChecked = checks?.some((names) => names.includes('limit?')) === true
  const isNamed = checked === undefined && info.includes(`${prefix}limit`)
  const areAllowed = requests.every((one) => takesLimit(one, used))
  return areAllowed && !isNamed && (isInAll || !isChecked)
}
