/** Secrets inside of a value that is none itself: in a URL, and in lists of named values. */
import { isSecretPair } from './secrets.ts'

/** A value fit for a key, and the secrets that were taken out of it, each with its name. */
export interface CleanValue {
  readonly clean: string
  readonly secrets: readonly (readonly [string, string])[]
}

/** `change=gender=male|watchlisttoken=…` of `action=options`; query strings to return to. */
const listsOfPairs = /^change$|query$/i
const url = /^[a-z][a-z0-9+.-]{1,15}:\/\/[^\s/?#]*\S*$/i
const userInfo = /^([a-z][a-z0-9+.-]{1,15}:\/\/)([^\s/?#]*)@/i
const pair = /(?<=^|[?&#;|\u001f])([^=?&#;|\u001f\s]{1,128})=([^&#;|\u001f\s]*)/g

/** What stands in a value for a secret. */
const hidden = '(secret)'

export function cleanValue(name: string, value: string): CleanValue {
  const isUrl = url.test(value)
  if (!isUrl && !listsOfPairs.test(name)) return { clean: value, secrets: [] }
  const secrets: (readonly [string, string])[] = []
  const bare = value.replace(userInfo, (whole, scheme: string, user: string) => {
    if (!isUrl || user === '') return whole
    secrets.push(['password', decoded(user.slice(user.indexOf(':') + 1))])
    return `${scheme}${hidden}@`
  })
  const clean = bare.replace(pair, (whole, key: string, spelled: string) => {
    const [plainKey, plain] = [decoded(key), decoded(spelled)]
    if (plain === '' || plain === hidden || !isSecretPair(plainKey, plain)) return whole
    secrets.push([plainKey, plain])
    return `${key}=${hidden}`
  })
  return secrets.length === 0 ? { clean: value, secrets } : { clean, secrets }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}
