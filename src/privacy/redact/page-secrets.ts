/**
 * Secrets that a wiki's own pages hand out: in the fields of forms, in scripts, in links that do something, in the menu
 * of who is not logged in. Article text cannot hold any of these tags, so whatever else a page says is content.
 */
import { secretField } from '../secrets/secret-names.ts'
import { secretPairs, unescapeHtml } from '../secrets/secret-pairs.ts'
import { addressesIn, generatedShape, tokensIn } from '../secrets/secret-shapes.ts'
import type { Vault } from './secret-replacer.ts'

/** Notes what a page hands out. */
export function noteIssued(html: string, vault: Vault): void {
  for (const [tag] of html.matchAll(/<(?:input|meta|textarea)\s[^<>]{0,4096}>/gi)) noteField(tag, vault)
  for (const [script] of html.matchAll(/<script\b[^<]*(?:<(?!\/script)[^<]*)*/gi)) notePairs(script, vault)
  for (const [link] of html.matchAll(/\bhref=["'](?:\?|\/(?!\/))[^"'<>]{0,8192}/gi)) noteTokens(link, vault)
  for (const [link] of html.matchAll(/\bid=["']pt-anon(?:userpage|talk)["'][\s\S]{0,400}/g))
    for (const value of addressesIn(link)) vault.note({ kind: 'address', value, source: 'personal menu' })
  for (const [, told = ''] of html.matchAll(/<strong>([0-9a-v]{32})<\/strong>/g))
    if (told.search(generatedShape) === 0) vault.note({ kind: 'session', value: told, source: 'text' })
}

/** Notes what a script hands out without a page around it: `mw.user.tokens.set({"csrfToken":"…"})`. */
export function noteIssuedInScript(text: string, vault: Vault): void {
  for (const [call] of text.matchAll(/tokens\.set\([^)]{0,4096}/g)) notePairs(call, vault)
}

/** Notes every pair whose name and value look like a secret's. */
export function notePairs(text: string, vault: Vault): void {
  noteTokens(text, vault)
  for (const { kind, value, source } of secretPairs(text)) vault.note({ kind, value, source })
}

function noteTokens(text: string, vault: Vault): void {
  for (const { digits } of tokensIn(text)) vault.note({ kind: 'token', value: digits, source: 'page' })
}

function noteField(tag: string, vault: Vault): void {
  const name = /\sname=["']?([\w-]{1,64})/i.exec(tag)?.[1]
  const value = /\s(?:value|content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
  const spelled = value?.slice(1).find((one) => one !== undefined) ?? ''
  if (name === undefined || spelled.length < 6) return
  if (/\stype=["']?(?:submit|button|checkbox|radio)/i.test(tag)) return
  const plain = unescapeHtml(spelled)
  const kind = secretField(name, plain)
  if (kind === undefined) return
  const [token] = tokensIn(plain)
  vault.note({ kind, value: token?.digits ?? plain, source: name })
}
