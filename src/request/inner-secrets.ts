/** Secrets inside a value that is none itself: in URLs, lists of named values, JSON, names of special pages. */
import { decodeQuery } from '../text/percent-decoding.ts'
import { isSecretPair, looksRandom } from './secret-params.ts'

/** A value without its secrets, and these secrets with their names. */
export interface CleanValue {
  readonly clean: string
  readonly secrets: readonly (readonly [string, string])[]
}

/** `change=gender=male|watchlisttoken=…` of `action=options`; query strings and addresses to return to. */
const pairListNames = /^change$|query$|^returnto|(?:url|target)$/i
/** Where a login returns to: a random value in its query belongs to that login. */
const loginReturnNames = /returnurl$|^redirecttarget$/i
const url = /^[a-z][a-z0-9+.-]{1,15}:\/\/[^\s/?#]*\S*$/i
const userInfo = /^([a-z][a-z0-9+.-]{1,15}:\/\/)([^\s/?#]*)@/i
const pair = /(?<=^|[?&#;|\u001f])([^=?&#;|\u001f\s]{1,128})=([^&#;|\u001f\s]*)/g

const secretPlaceholder = '(secret)'
/** Levels of values inside values that are searched. */
const maxDepth = 4

type NamedSecrets = (readonly [string, string])[]

export function cleanValue(name: string, value: string): CleanValue {
  const secrets: NamedSecrets = []
  const clean = cleanNested(name, value, secrets, 0)
  return secrets.length === 0 ? { clean: value, secrets } : { clean, secrets }
}

function cleanNested(name: string, value: string, secrets: NamedSecrets, depth: number): string {
  if (depth > maxDepth) return value
  if (/^\s{0,64}[[{]/.test(value) && !isContent.test(name)) return cleanJson(value, secrets, depth)
  const bare = cleanPath(value, secrets)
  const isUrl = url.test(bare)
  if (!isUrl && !pairListNames.test(name)) return bare
  const anonymous = bare.replace(userInfo, (whole, scheme: string, user: string) => {
    if (!isUrl || user === '') return whole
    secrets.push(['password', decodeQuery(user.slice(user.indexOf(':') + 1))])
    return `${scheme}${secretPlaceholder}@`
  })
  return anonymous.replace(pair, (whole, key: string, spelled: string) => {
    const [plainKey, plain] = [decodeQuery(key), decodeQuery(spelled)]
    if (plain === '' || plain === secretPlaceholder) return whole
    if (isSecretPair(plainKey, plain) || (loginReturnNames.test(name) && looksRandom(plain))) {
      secrets.push([plainKey, plain])
      return `${key}=${secretPlaceholder}`
    }
    const inner = cleanNested(plainKey, plain, secrets, depth + 1)
    return inner === plain ? whole : `${key}=${encodeURIComponent(inner)}`
  })
}

/** Page text is content: two edits with different texts are two requests. */
const isContent = /text$/i

function cleanJson(value: string, secrets: NamedSecrets, depth: number): string {
  const before = secrets.length
  const clean = (key: string, one: unknown): unknown => {
    // The items of a list have its name.
    if (Array.isArray(one)) return one.map((item) => (Array.isArray(item) ? item : clean(key, item)))
    if (typeof one !== 'string' && typeof one !== 'number') return one
    const text = String(one)
    if (text === '' || text === secretPlaceholder) return one
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

/** `Special:ConfirmEmail/…` in most languages, in a path or in titles, escaped or not. */
const specialPage =
  /((?<![\p{L}\d_])(?:special(?::|%3A)[^\s/?#&=|]{1,200}|[^\s/:?#&=|]{1,200}(?::|%3A)[^\s/?#&=|]{0,100}(?:mail|courriel|correo|%D0%BF%D0%BE%D1%87%D1%82|почт)[^\s/?#&=|]{0,100}?)(?:\/|%2F))([0-9a-f]{32})(?![\w-])/giu

/** A quick test that most texts fail. */
const tokenSubpage = /(?:\/|%2F)[0-9a-f]{32}(?![\w-])/i

/** Replaces the token of a link in a confirmation mail. */
export const cleanPath = (text: string, secrets: NamedSecrets): string =>
  tokenSubpage.test(text)
    ? text.replace(specialPage, (_, page: string, secret: string) => {
        secrets.push(['confirmtoken', secret])
        return `${page}${secretPlaceholder}`
      })
    : text
