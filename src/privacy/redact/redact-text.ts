/** Secrets in bodies that are no JSON: XML, PHP's serialized form, HTML pages, and what else a wiki sends as text. */

import { mapStrings } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { mapPhpStrings } from '../encodings/php-strings.ts'
import { looksRandom } from '../secrets/secret.ts'
import { issuedField, secretPair, sentSecret } from '../secrets/secret-names.ts'
import { secretLines, unescapeHtml } from '../secrets/secret-pairs.ts'
import { isAddress, isLoopback, wholeToken } from '../secrets/secret-shapes.ts'
import { noteIssued, noteIssuedInScript, notePairs } from './page-secrets.ts'
import type { Vault } from './secret-replacer.ts'

/** @param fromApi true for an answer of api.php, in whichever format: its pairs are fields, not content */
export function redactText(text: string, vault: Vault, fromApi: boolean): string {
  return redactPhp(text, vault) ?? redactMarkup(text, vault, fromApi)
}

/** Notes what a member or attribute of an answer says, and tells what is to stand there. */
export function redactField(value: string, path: readonly string[], vault: Vault): string {
  const name = path.at(-1) ?? ''
  const kind = issuedField(name, value) ?? (wholeToken(value) ? 'token' : undefined)
  if (kind !== undefined) return vault.redact(kind === 'credentials' ? 'oauth' : kind, value, name)
  if (isOwnName(path) && isAddress(value) && !isLoopback(value))
    return vault.redact('address', value, 'userinfo')
  if (name === 'redirecttarget')
    return vault.redactQuery(
      value,
      (key, one) => sentSecret(key, one) ?? (looksRandom(one) ? 'token' : undefined),
    )
  // The key of an authenticator's app, as authmanagerinfo hands it out.
  if (name === 'key' && path.at(-2) === 'metadata' && /^[\w+/=-]{6,}$/.test(value))
    return vault.redact('oauth', value, 'metadata.key')
  noteNested(value, vault, 1)
  // Only a parsed page brings the forms and scripts of the wiki itself.
  if (path[0] === 'parse' && value.includes('<')) noteIssued(value, vault)
  return value
}

/**
 * JSON in a string may be content, of which only tokens of MediaWiki's own shape are taken out; JSON inside of JSON in
 * a string is what programs pass on, and its names count.
 */
function noteNested(text: string, vault: Vault, depth: number): void {
  if (depth > 4 || !/^\s{0,64}[[{]/.test(text)) return
  const reading = readJson(text)
  if (!reading.ok) return
  mapStrings(reading.tree, (value, path) => {
    const name = path.at(-1) ?? ''
    const kind = secretPair(name, value)
    if (kind !== undefined && (depth > 1 || wholeToken(value))) vault.note({ kind, value, source: name })
    else noteNested(value, vault, depth + 1)
    return value
  })
}

/** `query.userinfo.name`: who is not logged in is called by the address (spec, Authentication 2). */
const isOwnName = (path: readonly string[]): boolean => path.at(-1) === 'name' && path.at(-2) === 'userinfo'

/** Two passes: what is found late in the text may have stood in it before. */
function redactPhp(text: string, vault: Vault): string | undefined {
  const noted = mapPhpStrings(text, (value, path) => redactField(value, path, vault))
  if (noted === undefined) return undefined
  return mapPhpStrings(noted, (value) => vault.replaceKnown(value))
}

function redactMarkup(text: string, vault: Vault, fromApi: boolean): string {
  if (/^\s{0,9}<(?:\?xml|api\b)/.test(text)) return vault.replaceKnown(redactXml(text, vault))
  if (fromApi) {
    notePairs(text, vault)
    for (const { kind, value, source } of secretLines(text)) vault.note({ kind, value, source })
  }
  if (text.includes('<')) noteIssued(text, vault)
  noteIssuedInScript(text, vault)
  return vault.replaceKnown(text)
}

/** A field of a form that the wiki fills in itself: `<_v type="password" value="…">`. */
const isPassword = /\stype="password"/
const attribute = /(?<![\w:.-])([\w:.-]{1,64})="([^"]*)"/g
const tag = /<[A-Za-z][^<>]*>/g

/** `<` and `"` are escaped inside of XML values, so attributes cannot be mistaken; the text between tags is content. */
function redactXml(text: string, vault: Vault): string {
  const own = /<userinfo\s[^<>]{0,200}?\bname="([^"]{0,64})"/.exec(text)?.[1]
  if (own !== undefined) redactField(own, ['userinfo', 'name'], vault)
  return text.replace(tag, (whole) =>
    whole.replace(attribute, (pair, name: string, spelled: string) => {
      const value = unescapeHtml(spelled)
      const isFilled = name === 'value' && value !== '' && isPassword.test(whole)
      const redacted = isFilled
        ? vault.redact('password', value, 'password field')
        : redactField(value, [name], vault)
      return redacted === value ? pair : `${name}="${redacted}"`
    }),
  )
}
