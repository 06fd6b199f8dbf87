/** Secrets in bodies that are no JSON: XML, PHP's serialized form, HTML pages, and what else a wiki sends as text. */
import { secretField } from './names.ts'
import { type FoundSecret, secretLines, secretPairs, unescapeHtml } from './pairs.ts'
import { mapPhpStrings } from './php.ts'
import { addressesIn, generatedShape, isAddress, isLoopback } from './shapes.ts'
import type { Vault } from './vault.ts'

/** The text less its secrets. */
export function redactText(text: string, vault: Vault): string {
  return redactPhp(text, vault) ?? redactMarkup(text, vault)
}

/** Notes what a member or attribute of an answer says, and tells what is to stand there. */
export function redactField(value: string, path: readonly string[], vault: Vault): string {
  const name = path.at(-1) ?? ''
  const kind = secretField(name, value)
  if (kind !== undefined) return vault.redact(kind, value, name)
  if (isOwnName(path) && isAddress(value) && !isLoopback(value))
    return vault.redact('address', value, 'userinfo')
  return value
}

/** `query.userinfo.name`: who is not logged in is called by the address (spec, Authentication 2). */
const isOwnName = (path: readonly string[]): boolean => path.at(-1) === 'name' && path.at(-2) === 'userinfo'

/** Two passes: what is found late in the text may have stood in it before. */
function redactPhp(text: string, vault: Vault): string | undefined {
  const noted = mapPhpStrings(text, (value, path) => redactField(value, path, vault))
  if (noted === undefined) return undefined
  return mapPhpStrings(noted, (value) => vault.redactText(value))
}

function redactMarkup(text: string, vault: Vault): string {
  const isXml = /^\s{0,9}<(?:\?xml|api\b)/.test(text)
  // Tokens first: the suffix is spelled in many ways, and stays as it is.
  const tokenless = vault.redactTokens(text)
  const structured = isXml ? redactXml(tokenless, vault) : redactPage(tokenless, vault)
  const lineless = redactFound(structured, secretLines(structured), vault)
  return vault.redactText(redactFound(lineless, secretPairs(lineless), vault))
}

const attribute = /(?<![\w:.-])([\w:.-]{1,64})="([^"]*)"/g

/** `<` and `"` are escaped inside of XML values, so attributes cannot be mistaken. */
function redactXml(text: string, vault: Vault): string {
  const own = /<userinfo\s[^<>]{0,200}?\bname="([^"]{0,64})"/.exec(text)?.[1]
  if (own !== undefined) redactField(own, ['userinfo', 'name'], vault)
  return text.replace(attribute, (whole, name: string, spelled: string) => {
    const value = unescapeHtml(spelled)
    const redacted = redactField(value, [name], vault)
    return redacted === value ? whole : `${name}="${redacted}"`
  })
}

/** Fields of forms and meta elements, whichever of name and value comes first; the address of who is not logged in. */
function redactPage(text: string, vault: Vault): string {
  for (const [link] of text.matchAll(/\bid=["']pt-anon(?:userpage|talk)["'][\s\S]{0,400}/g)) {
    for (const address of addressesIn(link)) vault.redact('address', address, 'personal menu')
  }
  return text
    .replace(/<(?:input|meta|textarea)\s[^<>]{0,4096}>/gi, (tag) => redactTag(tag, vault))
    .replace(generatedShape, (value) => vault.redact('session', value, 'text'))
}

function redactTag(tag: string, vault: Vault): string {
  const name = /\sname=["']?([\w-]{1,64})/i.exec(tag)?.[1]
  const value = /\s(?:value|content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
  const spelled = value?.slice(1).find((one) => one !== undefined) ?? ''
  if (name === undefined || value === null || spelled.length < 6) return tag
  if (/\stype=["']?(?:submit|button|checkbox|radio)/i.test(tag)) return tag
  const plain = unescapeHtml(spelled)
  const kind = secretField(name, plain)
  if (kind === undefined) return tag
  const redacted = value[0].replace(spelled, () => vault.redact(kind, plain, name))
  return tag.slice(0, value.index) + redacted + tag.slice(value.index + value[0].length)
}

function redactFound(text: string, found: Iterable<FoundSecret>, vault: Vault): string {
  let clean = ''
  let at = 0
  for (const { kind, value, source, start, end } of found) {
    if (start < at) continue
    clean += text.slice(at, start) + vault.redact(kind, value, source)
    at = end
  }
  return clean + text.slice(at)
}
