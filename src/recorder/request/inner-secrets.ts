/**
 * Secrets inside a value that is none itself: in URLs, lists of named values, JSON, names of special pages. Which parameters
 * may hold some, `holdsCredentials` says; all others are content, whatever they look like.
 */

import { decodeQuery } from '../text/percent-decoding.ts'
import type { ParamPairs } from '../wiki/parameters/request-params.ts'
import { specialPageOf } from '../wiki/site/special-pages.ts'
import { isRandom, isSecretPair } from './secret-params.ts'

/** A value without its secrets, and these secrets with their names. */
export interface CleanValue {
  readonly clean: string
  readonly secrets: ParamPairs
}

/** `change=gender=male|watchlisttoken=…` of `action=options`; query strings and addresses to return to. */
const pairListNames = /^change$|^(?:wp)?returnto|returnurl$|^(?:url|redirecttarget)$/i

/** True for parameters in whose values a client sends credentials: the others are what people write, and stay as sent. */
const holdsCredentials = (name: string) => pairListNames.test(name)
/** Where a login returns to: a random value in its query belongs to that login. */
const loginReturnNames = /returnurl$|^redirecttarget$/i
const url = /^[a-z][a-z0-9+.-]{1,15}:\/\/[^\s/?#]*\S*$/i
const userInfo = /^([a-z][a-z0-9+.-]{1,15}:\/\/)([^\s/?#]*)@/i
const pair = /(?<=^|[?&#;|\u001f])([^=?&#;|\u001f\s]{1,128})=([^&#;|\u001f\s]*)/g

const secretPlaceholder = '(secret)'
/** What stands for a secret already. */
const placeholder = /^(?:\(secret\)|0{16,128}(?:\+\\)?|redacted-\w+)$/
/** Levels of values inside values that are searched. */
const maxDepth = 4

type NamedSecrets = (readonly [string, string])[]

export function cleanValue(name: string, value: string): CleanValue {
  const secrets: NamedSecrets = []
  const clean = cleanNested(name, value, secrets, 0)
  return secrets.length === 0 ? { clean: value, secrets } : { clean, secrets }
}

/** The same of a parameter that a module of the wiki has described: only some of these hold credentials. */
export function cleanListed(name: string, value: string): CleanValue {
  if (holdsCredentials(name)) return cleanValue(name, value)
  const secrets: NamedSecrets = []
  return { clean: cleanPath(value, secrets), secrets }
}

function cleanNested(
  name: string,
  value: string,
  secrets: NamedSecrets,
  depth: number
): string {
  if (depth > maxDepth) return value
  if (/^\s{0,64}[[{]/.test(value) && !isContent.test(name))
    return cleanJson(value, secrets, depth)
  const bare = cleanPath(value, secrets)
  const isUrl = url.test(bare)
  if (!isUrl && !pairListNames.test(name)) return bare
  const anonymous = bare.replace(userInfo, (whole, scheme: string, user: string) => {
    if (!isUrl || user === '') return whole
    secrets.push(['password', decodeQuery(user.slice(user.indexOf(':') + 1))])
    return `${scheme}${secretPlaceholder}@`
  })
  return anonymous.replace(pair, (whole, key: string, spelled: string) => {
    const plainKey = decodeQuery(key)
    const plain = decodeQuery(spelled)
    if (plain === '' || placeholder.test(plain)) return whole
    if (
      isSecretPair(plainKey, plain) ||
      (loginReturnNames.test(name) && isRandom(plain))
    ) {
      secrets.push([plainKey, plain])
      return `${key}=${secretPlaceholder}`
    }
    const inner = cleanNested(plainKey, plain, secrets, depth + 1)
    return inner === plain ? whole : `${key}=${encodeURIComponent(inner)}`
  })
}

/** Page text is content: two edits with different texts are two requests. */
const isContent =
  /text$|^(?:source|html|content|comment|summary|body|description|title|titles)$/i

function cleanJson(value: string, secrets: NamedSecrets, depth: number): string {
  const before = secrets.length
  const clean = (key: string, one: unknown): unknown => {
    // The items of a list have its name.
    if (Array.isArray(one))
      return one.map((item) => (Array.isArray(item) ? item : clean(key, item)))
    if (typeof one !== 'string' && typeof one !== 'number') return one
    const text = String(one)
    if (text === '' || placeholder.test(text)) return one
    if (!isSecretPair(key, text))
      return typeof one === 'number' ? one : cleanNested(key, text, secrets, depth + 1)
    secrets.push([key, text])
    return secretPlaceholder
  }
  try {
    const tree: unknown = JSON.parse(value, clean)
    return secrets.length === before ? value : JSON.stringify(tree)
  } catch {
    return value
  }
}

/** A title, escaped or not, with 32 hex digits behind its last slash. */
const tokenSubpage =
  /((?<![^\s/?#&=|])[^\s/?#&=|]{1,200}(?::|%3A)[^\s/?#&=|]{1,300}?(?:\/|%2F))([0-9a-f]{32})(?![\w-])/giu

/** A quick test that most texts fail. */
const endsInToken = /(?:\/|%2F)[0-9a-f]{32}(?![\w-])/i

/** Replaces the token of a link in a confirmation mail, in a path or in titles. Source: SpecialConfirmEmail::execute */
export const cleanPath = (text: string, secrets: NamedSecrets): string =>
  endsInToken.test(text)
    ? text.replace(tokenSubpage, (whole: string, page: string, secret: string) => {
        const special = specialPageOf(decodeQuery(page.replaceAll('+', '%2B')))
        if (special !== 'Confirmemail' && special !== 'Invalidateemail') return whole
        secrets.push(['confirmtoken', secret])
        return `${page}${secretPlaceholder}`
      })
    : text
