/** Named secrets in running text: pairs as in JavaScript, PHP and HTML, and header lines. */
import { secretHint } from '../../request/secret-params.ts'
import { unescapeHtml } from '../encodings/unescape.ts'
import { looksRandom, type Secret } from './secret.ts'
import { cookieSecretKind, pairSecretKind } from './secret-names.ts'

/** A secret and the range of its spelling in the text; `source` is the name in front of it. */
export interface FoundSecret extends Secret {
  readonly start: number
  readonly end: number
}

/**
 * `"csrfToken":"…"`, `sessionid=&quot;…`, `[sessionid] => …`, `'email' => '…'`: a name, what stands between, and the quote in
 * front of the value, if any.
 */
const pairStart =
  /(?<![\w.-])([A-Za-z][\w-]{2,63})(?:\\?["']|&quot;|&#0?3[49];|%22)?\]?\s{0,4}(?:=(?:>|&gt;)?|:|%3D|%3A|;s:\d{1,6}:)\s{0,9}(?:string\(\d{1,6}\)\s)?(\\?["']|&quot;|&#0?3[49];|%22)?/g

const secretNamePart =
  /token|pass|pwd|pin|otp|retype|sess|auth|jwt|bearer|credential|secret|key|code|sig|assertion|mail/i

/**
 * The pairs of a text whose name and value both look like a secret's.
 * @param kindOf the kind of a pair, if it is a secret; by default only for values that look random
 */
export function* secretPairs(
  text: string,
  kindOf: typeof pairSecretKind = pairSecretKind,
): Generator<FoundSecret> {
  if (!secretNamePart.test(text)) return
  const heads = new RegExp(pairStart)
  for (let head = heads.exec(text); head !== null; head = heads.exec(text)) {
    const [, name = '', quote] = head
    if (secretHint(name) === 'nothing') continue
    const start = heads.lastIndex
    const end = valueEnd(text, start, quote)
    const value = unescapePair(text.slice(start, end))
    const kind = kindOf(name, value)
    if (kind === undefined) continue
    yield { kind, value, source: name, start, end }
    heads.lastIndex = end
  }
}

/** A value without quotes: no `:`, and `=` only at its end, so that the pattern takes linear time. */
const bareValue = /[^\s"'<>&;,)}\]%:=]{0,8192}={0,2}/y

/** The end of the value: the closing quote, or behind the last character that a bare value may have. */
function valueEnd(text: string, start: number, quote: string | undefined): number {
  const end = quote === undefined ? -1 : text.slice(start, start + 8192).indexOf(quote)
  if (end >= 0) return start + end
  bareValue.lastIndex = start
  return start + (bareValue.exec(text)?.[0].length ?? 0)
}

/** JavaScript and JSON double the backslash at the end of a token. */
const unescapePair = (spelled: string): string =>
  unescapeHtml(spelled.includes('\\') ? spelled.replaceAll('\\\\', '\\').replaceAll('\\/', '/') : spelled)

const cookieLine = /cookie(?:\\?["']|&quot;)?\s{0,4}:\s{0,4}(?:\\?["']|&quot;)?([^\r\n"'<>\\]{1,8192})/gi
const cookiePair = /(?<=^|[;\s])([\w!#$%*+.^`|~-]{1,128})=([^;\s,"&]{1,4096})/g
const authorizationScheme =
  /(?:(basic)\s{1,4}([A-Za-z0-9+/]{6,1024}={0,2})|(?:bearer|token)\s{1,4}([\w.~+/-]{16,4096}={0,2}))/gi

/** Cookies and credentials in header lines, as in debugging output and recordings of HTTP. */
export function* headerSecrets(text: string): Generator<FoundSecret> {
  for (const line of text.matchAll(cookieLine)) {
    const header = line[1] ?? ''
    const from = line.index + line[0].length - header.length
    for (const { 0: pair, 1: name = '', 2: value = '', index } of header.matchAll(cookiePair)) {
      const end = from + index + pair.length
      const kind = cookieSecretKind(name, value)
      if (kind !== undefined) yield { kind, value, source: `cookie ${name}`, start: end - value.length, end }
    }
  }
  for (const { 0: all, 1: basic, 2: pair = '', 3: bearer = '', index } of text.matchAll(
    authorizationScheme,
  )) {
    const [value, is] = basic === undefined ? [bearer, looksRandom(bearer)] : [pair, isBasicCredentials(pair)]
    const end = index + all.length
    if (is) yield { kind: 'oauth', value, source: 'authorization', start: end - value.length, end }
  }
}

/** True where the base64 text is `user:password`. */
const isBasicCredentials = (credentials: string): boolean =>
  /^[\x20-\x7e]{0,256}:[\x20-\x7e]{1,512}$/.test(Buffer.from(credentials, 'base64').toString('latin1'))
