/** Redaction of bodies other than JSON: XML, PHP's serialized form, HTML pages, and other text. */
import { mapStrings } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { mapPhpStrings } from '../../wiki/answers/php-serialized.ts'
import { unescapeHtml } from '../encodings/spellings.ts'
import {
  addressesIn,
  generatedSecret,
  isAddress,
  isLoopback,
  isWholeToken,
  looksRandom,
  tokensIn,
} from '../secrets/secret.ts'
import {
  answerSecretKind,
  fieldSecretKind,
  headerSecrets,
  pairSecretKind,
  requestSecretKind,
  secretPairs,
} from '../secrets/secret-names.ts'
import type { SecretReplacer } from './secret-replacer.ts'

/** @param fromApi true for an answer of api.php in any format: its pairs are fields, not content */
export function redactTextBody(text: string, replacer: SecretReplacer, fromApi: boolean): string {
  // Two passes: a secret that is found late may stand earlier in the text too.
  const noted = mapPhpStrings(text, (value, path) => redactField(value, path, replacer))
  const php = noted && mapPhpStrings(noted, (value) => replacer.replaceKnown(value))
  if (php !== undefined) return php
  if (/^\s{0,9}<(?:\?xml|api\b)/.test(text)) return replacer.replaceKnown(redactXml(text, replacer))
  if (fromApi) {
    noteNamedSecrets(text, replacer)
    for (const { kind, value, source } of headerSecrets(text)) replacer.note({ kind, value, source })
  }
  if (text.includes('<')) notePageSecrets(text, replacer)
  noteScriptSecrets(text, replacer)
  return replacer.replaceKnown(text)
}

/** The redacted value of a member or attribute; secrets in it are noted. */
export function redactField(value: string, path: readonly string[], replacer: SecretReplacer): string {
  const name = path.at(-1) ?? ''
  const kind = answerSecretKind(name, value) ?? (isWholeToken(value) ? 'token' : undefined)
  if (kind !== undefined) return replacer.redact(kind === 'credentials' ? 'oauth' : kind, value, name)
  if (isOwnName(path) && isAddress(value) && !isLoopback(value))
    return replacer.redact('address', value, 'userinfo')
  if (name === 'redirecttarget')
    return replacer.redactQuery(
      value,
      (key, one) => requestSecretKind(key, one) ?? (looksRandom(one) ? 'token' : undefined),
    )
  // The key for an authenticator app, from authmanagerinfo.
  if (name === 'key' && path.at(-2) === 'metadata' && /^[\w+/=-]{6,}$/.test(value))
    return replacer.redact('oauth', value, 'metadata.key')
  noteNested(value, replacer, 1)
  // Only a parsed page contains forms and scripts of the wiki itself.
  if (path[0] === 'parse' && value.includes('<')) notePageSecrets(value, replacer)
  return value
}

/** In JSON in a string, which may be content, only MediaWiki's tokens count; in JSON inside of that, names count too. */
function noteNested(text: string, replacer: SecretReplacer, depth: number): void {
  if (depth > 4 || !/^\s{0,64}[[{]/.test(text)) return
  const reading = readJson(text)
  if (!reading.ok) return
  mapStrings(reading.tree, (value, path) => {
    const name = path.at(-1) ?? ''
    const kind = pairSecretKind(name, value)
    if (kind !== undefined && (depth > 1 || isWholeToken(value))) replacer.note({ kind, value, source: name })
    else noteNested(value, replacer, depth + 1)
    return value
  })
}

/** `query.userinfo.name`, which is the IP address of a caller who is not logged in (spec, Authentication 2). */
const isOwnName = (path: readonly string[]): boolean => path.at(-1) === 'name' && path.at(-2) === 'userinfo'

/** A form field that the wiki fills in: `<_v type="password" value="…">`. */
const isPassword = /\stype="password"/
const attribute = /(?<![\w:.-])([\w:.-]{1,64})="([^"]*)"/g
const tag = /<[A-Za-z][^<>]*>/g

/** Redacts attributes: `<` and `"` are escaped inside of XML values. The text between tags is content. */
function redactXml(text: string, replacer: SecretReplacer): string {
  const own = /<userinfo\s[^<>]{0,200}?\bname="([^"]{0,64})"/.exec(text)?.[1]
  if (own !== undefined) redactField(own, ['userinfo', 'name'], replacer)
  return text.replace(tag, (whole) =>
    whole.replace(attribute, (pair, name: string, spelled: string) => {
      const value = unescapeHtml(spelled)
      const isFilled = name === 'value' && value !== '' && isPassword.test(whole)
      const redacted = isFilled
        ? replacer.redact('password', value, 'password field')
        : redactField(value, [name], replacer)
      return redacted === value ? pair : `${name}="${redacted}"`
    }),
  )
}

/** Of a wiki's own page: fields, scripts, links with tokens, the anonymous menu. Article text cannot contain these tags. */
export function notePageSecrets(html: string, replacer: SecretReplacer): void {
  for (const [tag] of html.matchAll(/<(?:input|meta|textarea)\s[^<>]{0,4096}>/gi)) noteField(tag, replacer)
  for (const [script] of html.matchAll(/<script\b[^<]*(?:<(?!\/script)[^<]*)*/gi))
    noteNamedSecrets(script, replacer)
  for (const [link] of html.matchAll(/\bhref=["'](?:\?|\/(?!\/))[^"'<>]{0,8192}/gi))
    noteTokens(link, replacer)
  for (const [link] of html.matchAll(/\bid=["']pt-anon(?:userpage|talk)["'][\s\S]{0,400}/g))
    for (const value of addressesIn(link)) replacer.note({ kind: 'address', value, source: 'personal menu' })
  for (const [, digits = ''] of html.matchAll(/<strong>([0-9a-v]{32})<\/strong>/g))
    if (digits.search(generatedSecret) === 0)
      replacer.note({ kind: 'session', value: digits, source: 'text' })
}

/** Notes tokens in a script without a page: `mw.user.tokens.set({"csrfToken":"…"})`. */
export function noteScriptSecrets(text: string, replacer: SecretReplacer): void {
  for (const [call] of text.matchAll(/tokens\.set\([^)]{0,4096}/g)) noteNamedSecrets(call, replacer)
}

/** Notes tokens, and pairs whose name and value look like a secret's. */
function noteNamedSecrets(text: string, replacer: SecretReplacer): void {
  noteTokens(text, replacer)
  for (const { kind, value, source } of secretPairs(text)) replacer.note({ kind, value, source })
}

function noteTokens(text: string, replacer: SecretReplacer): void {
  for (const { digits } of tokensIn(text)) replacer.note({ kind: 'token', value: digits, source: 'page' })
}

function noteField(tag: string, replacer: SecretReplacer): void {
  const name = /\sname=["']?([\w-]{1,64})/i.exec(tag)?.[1]
  const value = /\s(?:value|content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
  const spelled = value?.slice(1).find((one) => one !== undefined) ?? ''
  if (name === undefined || spelled.length < 6) return
  if (/\stype=["']?(?:submit|button|checkbox|radio)/i.test(tag)) return
  const plain = unescapeHtml(spelled)
  const kind = fieldSecretKind(name, plain)
  if (kind === undefined) return
  const [token] = tokensIn(plain)
  replacer.note({ kind, value: token?.digits ?? plain, source: name })
}
