/**
 * Pages of HTML. Of an article, only what its text cannot contain is the wiki's own: fields, scripts, addresses of links. Of
 * a page that shows credentials, all is.
 */
import { decodePercent } from '../../text/percent-decoding.ts'
import { unescapeHtml } from '../encodings/spellings.ts'
import {
  addressesIn,
  isFoundInContent,
  looksRandom,
  tokensIn
} from '../secrets/secret.ts'
import { fieldSecretKind, isEmail, secretPairs } from '../secrets/secret-names.ts'
import type { AnswerSource } from '../sources/answer-source.ts'
import { contentRanges, mapParts } from '../sources/page-parts.ts'
import type { SecretReplacer } from './secret-replacer.ts'

export function redactPage(
  html: string,
  replacer: SecretReplacer,
  answer: AnswerSource
): string {
  const ranges = contentRanges(html)
  const isCredential = answer.source === 'credential'
  const fields = mapParts(html, ranges, {
    own: (text) => redactFields(text, replacer, isCredential),
    content: String
  })
  const note = (text: string) => {
    notePageSecrets(text, replacer)
    if (isCredential) noteShownSecrets(text, replacer)
    return text
  }
  mapParts(fields, contentRanges(fields), { own: note, content: String })
  return mapParts(fields, contentRanges(fields), {
    own: (text) =>
      replaceInOwn(isCredential ? withoutImages(text) : text, replacer, answer),
    content: (text) => replacer.replaceKnown(text, 'content')
  })
}

/** What text of an article cannot contain. */
const ownTag =
  /<(?:input|meta|link)\s[^<>]{0,4096}>|<script\b[^<]*(?:<(?!\/script)[^<]*)*|\b(?:href|action)=["'](?:\?|\/(?!\/))[^"'<>]{0,8192}/gi

function replaceInOwn(text: string, replacer: SecretReplacer, { source }: AnswerSource) {
  if (source === 'credential') return replacer.replaceKnown(text)
  return replacer
    .replaceKnown(text, 'content')
    .replace(ownTag, (tag) => replacer.replaceKnown(tag))
}

/** The tags of a page in which known secrets are searched for whatever they are. */
export const ownTagsOf = (html: string): readonly string[] => html.match(ownTag) ?? []

/** Notes tokens and pairs of scripts and links, and the address in the menu of an anonymous caller. */
export function notePageSecrets(html: string, replacer: SecretReplacer): void {
  for (const [tag] of html.matchAll(ownTag)) {
    if (tag.startsWith('<')) noteNamedSecrets(tag, replacer)
    else noteLinkSecrets(tag, replacer)
  }
  for (const [link] of html.matchAll(
    /\bid=["']pt-anon(?:userpage|talk)["'][\s\S]{0,400}/g
  ))
    for (const value of addressesIn(link))
      replacer.note({ kind: 'address', value, source: 'personal menu' })
}

/** Of an address, which an article may have too, only MediaWiki's own tokens count. */
function noteLinkSecrets(link: string, replacer: SecretReplacer) {
  for (const { digits } of tokensIn(link))
    replacer.note({ kind: 'token', value: digits, source: 'link' })
  for (const [, value = ''] of link.matchAll(/[?&;]wltoken=([0-9a-f]{40})(?![0-9a-f])/g))
    replacer.note({ kind: 'token', value, source: 'wltoken' })
}

/** Notes MediaWiki's tokens, and pairs whose name and value look like a secret's. */
export function noteNamedSecrets(text: string, replacer: SecretReplacer): void {
  for (const { digits } of tokensIn(text))
    replacer.note({ kind: 'token', value: digits, source: 'page' })
  for (const { kind, value, source } of secretPairs(text))
    replacer.note({ kind, value, source })
}

/** Notes the tokens and options that `load.php` gives a caller. Source: ResourceLoader\UserOptionsModule */
export function noteScriptSecrets(text: string, replacer: SecretReplacer): void {
  for (const [call] of text.matchAll(/(?:tokens|options)\.set\(\{[^)]{0,16384}/g))
    noteNamedSecrets(call, replacer)
}

/** Values that the wiki fills into fields. */
const redactFields = (html: string, replacer: SecretReplacer, isCredential: boolean) =>
  html.replace(/<(?:input|meta)\s[^<>]{0,4096}>/gi, (tag) =>
    redactFieldTag(tag, replacer, isCredential)
  )

function redactFieldTag(tag: string, replacer: SecretReplacer, isCredential: boolean) {
  const name = /\sname=["']?([\w-]{1,64})/i.exec(tag)?.[1]
  const value = /\s(?:value|content)=(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag)
  const spelled = value?.slice(1).find((one) => one !== undefined) ?? ''
  if (
    name === undefined ||
    spelled === '' ||
    /\stype=["']?(?:submit|button|checkbox|radio)/i.test(tag)
  )
    return tag
  const plain = unescapeHtml(spelled)
  const kind = fieldSecretKind(name, plain)
  if (kind === undefined) return tag
  const [token] = tokensIn(plain)
  const secret = { kind, value: token?.digits ?? plain, source: name }
  // An e-mail in a form is the caller's; of words, a page of content may have any.
  if (kind === 'email' || isFoundInContent(secret)) {
    replacer.note(secret)
    return tag
  }
  return isCredential
    ? tag.replace(spelled, () => replacer.redactHere(kind, plain, name))
    : tag
}

/** Keys of authenticator apps and recovery codes, in groups of four. Source: TOTPEnableForm::tokenFormatterFunction */
const base32Groups =
  /(?<![A-Z2-7])(?:[A-Z2-7]{4}(?: |%20|\+)){1,15}[A-Z2-7]{1,4}(?![A-Za-z0-9])/g
const shownText = /\bvalue=["']([^"'<>]{1,4096})["']|>([^<]{1,65536})(?=<)/g
const shownEmail = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

/** Notes what a page of credentials shows: everything in it that no word is, e-mail addresses, and pairs in any address. */
function noteShownSecrets(html: string, replacer: SecretReplacer) {
  noteNamedSecrets(unescapeHtml(html), replacer)
  for (const [group] of html.matchAll(base32Groups)) {
    const value = decodePercent(group).replaceAll('+', ' ')
    if (!/\d/.test(value) && value.length < 14) continue
    for (const one of [value, value.replaceAll(' ', '')])
      replacer.note({ kind: 'oauth', value: one, source: 'page' })
  }
  const withoutScripts = html.replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*/gi, '')
  for (const [, field, text] of withoutScripts.matchAll(shownText)) {
    const plain = unescapeHtml(field ?? text ?? '')
    for (const [value] of plain.matchAll(shownEmail))
      if (isEmail(value)) replacer.note({ kind: 'email', value, source: 'page' })
    for (const word of plain.split(/[\s"'(),;]+/))
      if (looksRandom(word)) replacer.note({ kind: 'token', value: word, source: 'page' })
  }
}

/** A QR code shows the key too. */
const withoutImages = (html: string) =>
  html.replace(
    /(\ssrc=["'])data:image\/[^"'<>]*/gi,
    (_, before: string) => `${before}data:,`
  )
