/**
 * Secrets in a wiki's own pages: in form fields, scripts, links with tokens, and the menu of a caller who is not logged in.
 * Article text cannot contain these tags; all else in a page is content.
 */
import { unescapeHtml } from '../encodings/unescape.ts'
import { fieldSecretKind } from '../secrets/secret-names.ts'
import { secretPairs } from '../secrets/secret-pairs.ts'
import { addressesIn, generatedSecret, tokensIn } from '../secrets/secret-shapes.ts'
import type { SecretReplacer } from './secret-replacer.ts'

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
export function noteNamedSecrets(text: string, replacer: SecretReplacer): void {
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
