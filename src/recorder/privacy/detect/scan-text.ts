/** Detection of secrets in one text, by their shape and their context. */
import { decodeQuery } from '../../text/percent-decoding.ts'
import {
  generatedSecret,
  isPlaceholder,
  looksRandom,
  queryPair,
  type SecretKind,
  tokensIn
} from '../secrets/secret.ts'
import {
  fieldSecretKind,
  headerSecrets,
  nameSecretKind,
  secretPairs
} from '../secrets/secret-names.ts'

/** What `check` can find: besides the secrets of a wiki, those that people paste. */
export type DetectedKind = SecretKind | 'credentials' | 'private-key'

export interface SecretHit {
  readonly kind: DetectedKind
  readonly value: string
  readonly start: number
}

type DetectionRule = (text: string) => Iterable<SecretHit>

/** All hits that do not overlap, up to a limit. */
export function scanText(text: string): readonly SecretHit[] {
  const hits: SecretHit[] = []
  for (const rule of rules) {
    for (const hit of rule(text)) {
      const end = hit.start + hit.value.length
      if (
        !hits.some((one) => hit.start < one.start + one.value.length && one.start < end)
      )
        hits.push(hit)
      if (hits.length >= maxHits) return hits
    }
  }
  return hits
}

const maxHits = 100

/** Matches of a pattern whose first group, or else the whole, is the secret; only in texts that contain `sign`. */
const patternRule =
  (kind: DetectedKind, sign: string, pattern: RegExp): DetectionRule =>
  (text) =>
    (text.includes(sign) ? [...text.matchAll(pattern)] : []).flatMap((match) => {
      const value = match[1] ?? match[0]
      const start = match.index + match[0].lastIndexOf(value)
      return isPlaceholder(value) ? [] : [{ kind, value, start }]
    })

const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----/g
const jwt = /(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g
const urlPassword =
  /(?<![\w+.-])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s/@:"'<>]{1,256}:([^\s/@"'<>]{1,256})@/gi

/** Pairs of query strings and form bodies. (A body has no `?` in front of its first pair.) */
function* queries(text: string) {
  if (!text.includes('=')) return
  const isForm = /^[\w.-]{1,64}=[^\s&]*&[\w.-]{1,64}=/.test(text)
  for (const pair of (isForm ? `&${text}` : text).matchAll(queryPair)) {
    const [all, name = '', spelled = ''] = pair
    const kind = querySecretKind(name, decodeQuery(spelled))
    const start = pair.index + all.length - spelled.length - (isForm ? 1 : 0)
    if (kind !== undefined) yield { kind, value: spelled, start }
  }
}

/** Values in the examples of the API's own documentation (`action=help`). */
const exampleValue =
  /^(?:123ABC|password|ExamplePassword|foobar|test123|querty|true|1|\.+|…|user@example\.com)$/

function querySecretKind(name: string, value: string) {
  const kind = nameSecretKind(name)
  if (
    kind === undefined ||
    fieldSecretKind(name, value) === undefined ||
    exampleValue.test(value)
  )
    return undefined
  return kind === 'email' || kind === 'password' || looksRandom(value) ? kind : undefined
}

const rules: readonly DetectionRule[] = [
  (text) =>
    tokensIn(text).map(({ digits, start }) => ({ kind: 'token', value: digits, start })),
  patternRule('private-key', '-----BEGIN', privateKey),
  patternRule('oauth', 'eyJ', jwt),
  patternRule('credentials', '@', urlPassword),
  headerSecrets,
  queries,
  secretPairs,
  patternRule('session', '', generatedSecret)
]
