/** One parameter on its way into the key: dropped, folded to one spelling, or kept as it was sent. */

import { hasQuirk, quirkNames } from '../knowledge/module-quirks.ts'
import { envelopeParams } from '../wiki/answers/envelope.ts'
import type { ActiveModule } from '../wiki/modules/active-modules.ts'
import type { ParamDescription } from '../wiki/modules/module-descriptions.ts'
import { readContinue } from '../wiki/parameters/continue-param.ts'
import {
  isClean,
  joinValues,
  type Params,
  splitValues
} from '../wiki/parameters/request-params.ts'
import { timestampDigits } from '../wiki/parameters/timestamps.ts'
import { isReadUnlisted } from '../wiki/parameters/unlisted-params.ts'
import {
  canonicalTitle,
  isVersionSince,
  type SiteFacts
} from '../wiki/site/site-facts.ts'
import type { ApiRequest } from './api-request.ts'
import { md5Of } from './request-key.ts'
import {
  alwaysSecret,
  isAuthField,
  isSecretPair,
  isSecretParam,
  nameOfValue,
  tokenKind
} from './secret-params.ts'

export type KeyStepRule =
  | 'transport'
  | 'write-guard'
  | 'ignored'
  | 'default'
  | 'unknown'
  | 'set'
  | 'title'
  | 'presence'
  | 'timestamp'
  | 'secret'
  | 'as-sent'

/** One parameter as sent, and its value in the key; `became` is undefined where it was dropped. */
export interface KeyStep {
  readonly name: string
  readonly sent: string
  readonly became: string | undefined
  readonly rule: KeyStepRule
  /** True for a value that is not in the key, and yet may change the answer. */
  readonly mayShow?: boolean
}

/** What the active modules say of each parameter sent. */
export type ParamDescriptions = ReadonlyMap<string, readonly ParamDescription[]>

export interface DerivationContext {
  readonly request: ApiRequest
  /** The active modules that the wiki has described. */
  readonly modules: readonly ActiveModule[]
  readonly params: ParamDescriptions
  /** True where every parameter that can have an effect is described; false for writes, which also read form fields. */
  readonly allParamsListed: boolean
  /** True where hooks of extensions may read what no module lists. */
  readonly runsHooks: boolean
  readonly writes: boolean
  /** Names of parameters that the cassette leaves out of keys. */
  readonly ignored: ReadonlySet<string>
  readonly site: SiteFacts | undefined
}

/**
 * Parameters of the transport, with the values that the wiki accepts without a warning. They are not part of the key, except
 * with `match: strict` (`exactSpelling` in derive.ts). A refused origin gets its own key (scoped-keys.ts).
 */
const transportParams: ReadonlyMap<string, RegExp> = new Map([
  ['origin', /^/],
  ['maxlag', /^\d{1,9}$/],
  ['smaxage', /^\d{1,9}$/],
  ['maxage', /^\d{1,9}$/]
])
/**
 * True of a parameter by which an edit is only refused, if it would not be: when it was begun; no time of the text that it
 * is based on; the right checksum of its text. Source: ApiEditPage::execute, MediaWiki 1.35 to 1.43
 */
function isIdleGuard(
  name: string,
  sent: string,
  { request: { params } }: DerivationContext
) {
  switch (name) {
    case 'starttimestamp':
      return true
    case 'basetimestamp':
      return sent === '' || sent === '0'
    case 'md5': {
      const parts = [params.get('prependtext'), params.get('appendtext')]
      const isPart = parts.some((one) => one !== undefined)
      const text = isPart ? parts.join('') : params.get('text')
      return text !== undefined && text === text.normalize('NFC') && md5Of(text) === sent
    }
    default:
      return false
  }
}

/** Read by MediaWiki outside the API (language converter, skins, resource loader), whatever `paraminfo` says. */
const ambientParams =
  /^(?:debug|linkconvert|mobileaction|redirect|redlink|safemode|setlang|useformat|uselang|useskin|variant)$/

export function keyStep(name: string, sent: string, context: DerivationContext): KeyStep {
  const make = (rule: KeyStepRule, became?: string) => ({
    name,
    sent,
    became,
    rule
  })
  const params = context.params.get(name) ?? []
  const [found] = params
  const isUnknown = !found && context.allParamsListed
  const { params: all } = context.request
  const called = nameOfValue(all, name)
  const isOwnSecret =
    (isUnknown ? alwaysSecret.test(name) : isSecretParam(name, sent, found)) ||
    (!found && isAuthField(all.get('action'), name))
  if (called === name ? isOwnSecret : isSecretPair(called, sent))
    return make('secret', tokenKind(sent))
  // Beside a callback the wiki reads it (ApiFormatJson::__construct), so that it does not warn of it.
  if (name === cacheBuster && context.request.envelope.kind === 'jsonp')
    return make('transport')
  const isEchoed = continuedParams(context.request.params).includes(name)
  // The wiki's warning quotes only the name of an unknown parameter, so its value does not count.
  if (isUnknown && !isEchoed) {
    if (ambientParams.test(name) || isReadUnlisted(name, all))
      return make('as-sent', sent)
    const mayShow = context.runsHooks && name !== cacheBuster && sent !== ''
    return { ...make('unknown', ''), ...(mayShow ? { mayShow } : {}) }
  }
  if (isTransport(name, sent, context)) return make('transport')
  if (context.ignored.has(name)) return make('ignored')
  if (context.writes && isIdleGuard(name, sent, context)) return make('write-guard')
  if (!found || params.length > 1 || isEchoed || !isCleanFor(found, sent))
    return make('as-sent', sent)
  return sent === found.default && showsDefault(name, found, context)
    ? make('as-sent', sent)
    : foldKnown(found, sent, make, context.site)
}

/** jQuery adds `_` with the time to what must not come from a cache (`cache: false`); nothing reads it. */
export const cacheBuster = '_'

/** Names before `||` in `continue`: the wiki repeats these parameters as sent (ApiContinuationManager). */
export const continuedParams = (params: Params): readonly string[] =>
  readContinue(params)?.repeated ?? []

/** True where a default that is sent is not as if it were absent: beside a parameter that it excludes, or of a generator. */
function showsDefault(
  name: string,
  param: ParamDescription,
  { modules, params }: DerivationContext
) {
  const [excluding, withParam = ''] = quirkNames('shows-default')
  return modules.some(({ path, prefix, description }) => {
    if (name !== prefix + param.name) return false
    const module = path.replace(/^query\+/, '')
    const isExcluded = hasQuirk('shows-default', module) && params.has(prefix + withParam)
    if (param.name === excluding && isExcluded) return true

    const isGenerator = prefix !== description?.prefix
    const isNamed = quirkNames('generator-defaults').includes(param.name)
    const hasOther = isNamed && hasQuirk('generator-defaults', module)
    return isGenerator && (hasOther || description?.isCore === false)
  })
}

function isTransport(name: string, sent: string, { request }: DerivationContext) {
  const isEnvelope =
    request.envelope.kind !== 'opaque' &&
    envelopeParams.has(name) &&
    (name === 'format' || !hasQuirk('own-form', request.params.get('action') ?? ''))
  return (isEnvelope || transportParams.get(name)?.test(sent) === true) && isClean(sent)
}

/** The wiki warns of a value that is not clean; U+001F is clean only as a separator. */
const isCleanFor = (param: ParamDescription, sent: string) =>
  param.multi && sent.startsWith('\u001f')
    ? splitValues(sent).every(isClean)
    : isClean(sent)

function foldKnown(
  param: ParamDescription,
  sent: string,
  make: (rule: KeyStepRule, became?: string) => KeyStep,
  site: SiteFacts | undefined
) {
  const { type } = param
  if (type === 'boolean') return make('presence', '')
  const isDeprecated =
    param.deprecated ||
    splitValues(sent).some((value) => param.deprecatedValues.has(value))
  if (sent === param.default && !isDeprecated) return make('default')
  const became = param.multi ? foldSet(param, sent, site) : foldValue(type, sent, site)
  if (became === sent) return make('as-sent', sent)
  return make(param.multi ? 'set' : type === 'timestamp' ? 'timestamp' : 'title', became)
}

/** Of more values the wiki uses the first fifty of an anonymous caller, or refuses the list: then the order matters. */
const maxFoldedValues = 50

/** Values sorted and once each, where the wiki takes them as a set: two orders of titles are one request. */
function foldSet(param: ParamDescription, sent: string, site: SiteFacts | undefined) {
  const sentValues = splitValues(sent)
  // U+001F separates values since 1.28; before, the wiki warned of it.
  const isOneValue = sent.startsWith('\u001f') && !isVersionSince(site?.generator, 28)
  if (sentValues.length > maxFoldedValues || isOneValue) return sent
  const isTitles = param.type === 'title' || param.name === 'titles'
  const values = sentValues.map((value) =>
    foldValue(isTitles ? 'title' : param.type, value, site)
  )
  // Of empty values the wiki warns; of none it does not. `*` stands for all values only by itself, and else is unknown.
  const isRepeated = values.length > 1 && values.every((value) => value === '*')
  if (isRepeated || values.every((value) => value === '')) return sent
  return joinValues(param.allowsDuplicates ? values : [...new Set(values)].sort())
}

function foldValue(type: string, sent: string, site: SiteFacts | undefined) {
  if (type === 'title' && site) return canonicalTitle(sent, site) ?? sent
  return type === 'timestamp' ? foldTimestamp(sent) : sent
}

/** `20260102030405` and `2026-01-02T03:04:05Z` are one moment. */
const foldTimestamp = (sent: string) =>
  timestampDigits(sent)?.replace(/^(....)(..)(..)(..)(..)(..)$/, '$1-$2-$3T$4:$5:$6Z') ??
  sent
