/** Which parameters are secret. A key shows only that a secret was sent, and of which kind. */

import { wordSet } from '../text/words.ts'
import type { ParamDescription } from '../wiki/modules/module-descriptions.ts'
import type { Params } from '../wiki/parameters/request-params.ts'

/**
 * What a name says of its value. `secret`: it is one. `doubtful`: it is one if it looks generated (`code` may be a
 * language). `hinted`: it is one if it looks random.
 */
export type SecretHint = 'secret' | 'doubtful' | 'hinted' | 'nothing'

/** Names that older wikis do not describe as sensitive, or that belong to other programs on the host. */
const secretNames =
  /passw(?:or)?d|passphrase|passcode|retype$|token$|secret$|sess(?:ion)?_?id$|^oauth|e?mail(?:_?address)?$|api_?key$|access_?key$|private_?key$|code_?verifier$|(?:recovery|backup|scratch|verification|authorization|auth|device)_?codes?$/
const secretWords = wordSet(
  'pwd pass pin otp totp jwt auth bearer authorization credential credentials'
)
const doubtfulNames = /(?:^|_)(?:code|assertion|signature|sig|sid|nonce|ticket)$/
const hintPattern =
  /token|secret|session|jwt|passw|pwd|credential|otp$|(?:api|access|private|secret|auth)_?key|(?:^|_)auth(?:_|$)/

/** Names like a secret's that are none: they choose a kind of token, or say what is wrong with one. */
const harmless =
  /^(?:(?:in|rc|rv|us|bad|no|need)token|captchaword|oauth(_?)(?:version|signature\1method|timestamp|callback\1confirmed))$/

/** PHP's array form (`token[]`, `user[password]`) holds the same secret. */
export function secretHint(name: string): SecretHint {
  if (name.length < 3 || name.length > 64) return 'nothing'
  const cached = hintCache.get(name)
  if (cached !== undefined) return cached
  const hint = computeHint(name)
  if (hintCache.size < maxCachedNames) hintCache.set(name, hint)
  return hint
}

/** A body of some MB has ten thousands of pairs with few names. */
const hintCache = new Map<string, SecretHint>()
const maxCachedNames = 10_000

function computeHint(name: string) {
  const parts = name
    .toLowerCase()
    .replaceAll('-', '_')
    .split(/[[\].]+/)
  const hints = parts.map(partHint)
  return (
    (['secret', 'doubtful', 'hinted'] as const).find((one) => hints.includes(one)) ??
    'nothing'
  )
}

function partHint(part: string) {
  if (harmless.test(part)) return 'nothing'
  if (secretWords.has(part) || secretNames.test(part)) return 'secret'
  if (doubtfulNames.test(part)) return 'doubtful'
  return hintPattern.test(part) ? 'hinted' : 'nothing'
}

/** True for values that a program made. */
const looksGenerated = (value: string) => isRandom(value) || isOfMixedCase(value)

/** OAuth's authorization codes may hold few digits (RFC 6749: `SplxlOBeZQQYbYS6WxSbIA`). */
const isOfMixedCase = (value: string) =>
  /^[\w.~+/=-]{10,4096}$/.test(value) && (value.match(/[a-z\d][A-Z]/g) ?? []).length >= 3

/** A JSON Web Token is a secret under any name. Source: RFC 7519. */
const isJwt = (value: string) => /^eyJ[\w-]{8}[\w-]*\.[\w-]{8}[\w-]*\.[\w-]*$/.test(value)

/** True where a name and value that no wiki has described are a secret. */
export function isSecretPair(name: string, value: string): boolean {
  if (isJwt(value)) return true
  const hint = secretHint(name)
  if (hint === 'doubtful') return looksGenerated(value)
  // People name these options as they like.
  if (name.startsWith('userjs-')) return hint !== 'nothing' && isRandom(value)
  return hint === 'secret' || (hint === 'hinted' && isRandom(value) && !isFileKey(value))
}

/** A `filekey`, which older wikis call `sessionkey`, ends in the file's extension. Source: UploadStash::KEY_FORMAT_REGEX */
const isFileKey = (value: string) => /^\w[\w.-]*\.[a-z]\w{1,4}$/.test(value)

/**
 * The same where any page may have such a parameter (`Special:PostCode?code=10115`, `pin=red`): only the longer names count
 * by themselves.
 */
export function isSecretInAddress(name: string, value: string): boolean {
  const part = name.toLowerCase().replaceAll('-', '_')
  return isSecretPair(name, value) && (!secretWords.has(part) || looksGenerated(value))
}

/** Modules whose forms the wiki's authentication providers make: nobody can list the names of their fields. */
const authModules = wordSet(
  'clientlogin createaccount linkaccount unlinkaccount changeauthenticationdata removeauthenticationdata'
)
/** Source: ApiAuthManagerHelper::getStandardParams, ApiMain, AuthenticationRequest subclasses of MediaWiki 1.27 to 1.43. */
const harmlessFields =
  /^(?:action|ascii|assert(?:user)?|callback|captcha(?:id|word)|curtimestamp|domain|email|error(?:format|lang|suselocal)|format(?:version)?|language|mailpassword|maxage|maxlag|name|origin|provider|realname|reason|rememberme|requestid|responselanginfo|servedby|skipreset|smaxage|titles|usedomain|uselang|user(?:name)?|utf8|(?:login|create|link|unlink|change|remove|auth)?(?:continue|mergerequestfields|messageformat|preservestate|requests?|returnurl))$/i

/** True for a field of a login or the like that is not known to be harmless. */
export const isAuthField = (action: string | undefined, name: string): boolean =>
  authModules.has(action ?? '') && !harmlessFields.test(name)

/** How often letters and digits, or small and capital letters, alternate inside of a word. */
export const changesIn = (value: string): number =>
  value.slice(0, 256).match(/[a-z](?=[A-Z\d])|[A-Z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0

/**
 * True for 16 and more characters in which letters and digits, or cases, alternate as no word's do: tokens, hex numbers.
 * Titles (`Battle_of_Stalingrad_1942`), names of classes, prose and source code do not pass.
 */
export function isRandom(value: string): boolean {
  if (value.length < 16 || value.length > 8192) return false
  const changes = changesIn(value)
  if (/^[0-9a-f]{16,128}(?:\+\\?)?$/.test(value))
    return changes > 2 && new Set(value.slice(0, 64)).size >= 6
  const isOneWord = /^[A-Za-z\d]*$/.test(value)
  if (
    changes < (isOneWord ? 3 : 4) ||
    changes * (isOneWord ? 10 : 6) < Math.min(value.length, 256) ||
    !/^[\w.~+/=:%@!\\-]+$/.test(value)
  )
    return false
  const digits = value.replace(/\D+/g, '').length
  return digits >= 2 && digits < value.length - 2 && entropy(value.slice(0, 256)) >= 3.2
}

/** Shannon's entropy, in bits a character. */
function entropy(value: string) {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values())
    bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Names whose values are secret even where the wiki describes them as strings. */
export const alwaysSecret: RegExp =
  /password|retype$|token$|secret$|^oauth_|^(?:wp)?e-?mail(?:address)?$/i

/**
 * True where the value must reach neither a key nor a disk. A parameter described as a choice, a number or a title is
 * no secret, whatever its name: its values give different answers.
 */
export function isSecretParam(
  name: string,
  value: string,
  param: ParamDescription | undefined
): boolean {
  if (param?.sensitive || param?.tokenType !== undefined) return true
  if (!param) return isSecretPair(name, value)
  const [stem = ''] = name.split('[')
  if (alwaysSecret.test(stem) && !harmless.test(stem)) return true
  return /^(?:string|password|raw)$/.test(param.type) && secretHint(name) === 'secret'
}

/** True for a password or code, which an answer may be about; tokens and the like only say who asks. */
export const asksAboutPassword = (name: string, value: string): boolean =>
  tokenKind(value) === '(secret)' && /pass|pwd|retype|otp|pin$|code$|^data$/i.test(name)

/** The name that a value belongs to: `action=options` has the name of an option in another parameter. */
export const nameOfValue = (params: Params, name: string): string =>
  name === 'optionvalue' ? (params.get('optionname') ?? name) : name

export const tokenKinds = [
  '(token)',
  '(anonymous token)',
  '(secret)',
  '(empty)',
  '(list)'
] as const

/** The kind of a secret: an answer may depend on it (`badtoken`), but never on its characters. */
export function tokenKind(value: string): (typeof tokenKinds)[number] {
  if (value === '') return '(empty)'
  if (value === '+\\') return '(anonymous token)'
  // Read as values of their own, which the wiki refuses where it wants one. Source: ApiBase::parseMultiValue, ParamValidator
  if (value.startsWith('\u001f')) return '(list)'
  return /^[0-9a-f]{32,48}\+\\$/.test(value) ? '(token)' : '(secret)'
}
