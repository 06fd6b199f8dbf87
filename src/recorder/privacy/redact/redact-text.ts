/** Redaction of bodies that are text: JSON as it is spelled, XML, PHP's serialized form, pages, and other text. */
import { mapJsonStrings } from '../../json/edit-json.ts'
import { readJson } from '../../json/read-json.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { mapPhpStrings } from '../../wiki/answers/php-serialized.ts'
import { unescapeHtml } from '../encodings/spellings.ts'
import {
  isLocalAddress,
  isPlaceholder,
  looksRandom,
  mapAddresses,
  placeholderFor
} from '../secrets/secret.ts'
import { headerSecrets, secretPairs } from '../secrets/secret-names.ts'
import { type AnswerSource, sourceOfMember } from '../sources/answer-source.ts'
import { type Field, mapFields } from '../sources/fields.ts'
import { fieldRedactor, noteBlockedAddresses } from './redact-fields.ts'
import { noteScriptSecrets, redactPage } from './redact-page.ts'
import { isApiXml, xmlFields } from './redact-xml.ts'
import type { SecretReplacer } from './secret-replacer.ts'

/** @param isJson true where the text is known to be JSON */
export function redactText(
  text: string,
  replacer: SecretReplacer,
  answer: AnswerSource,
  isJson: boolean
): string {
  if (answer.source === 'foreign') return redactForeign(text, replacer)
  if (answer.source === 'content') return redactContent(text, replacer, answer)
  const json =
    isJson || /^\ufeff?\s{0,64}[[{]/.test(text)
      ? redactJsonText(text, replacer, answer)
      : undefined
  if (json !== undefined) return json
  // Two passes: a secret that is found late may stand earlier in the text too.
  const field = fieldRedactor(replacer, answer)
  const noted = mapPhpStrings(text, (value, path) =>
    field(value, { name: path.at(-1) ?? '', path })
  )
  const php =
    noted &&
    mapPhpStrings(noted, (value, path) =>
      replacer.replaceKnown(value, sourceOfMember(path, answer))
    )
  if (php !== undefined) return php
  if (isApiXml(text)) return redactXml(text, replacer, answer)
  const formatted = answer.isApi ? redactFormatted(text, replacer, answer) : undefined
  if (formatted !== undefined) return formatted
  if (text.includes('<')) return redactPage(text, replacer, answer)
  if (answer.source === 'own') {
    noteShownPairs(text, replacer)
    return replacer.replaceKnown(text, 'content')
  }
  noteIssued(text, replacer)
  return replacer.replaceKnown(text)
}

/** Of content, only pages and scripts have something of the wiki's own in them. */
function redactContent(text: string, replacer: SecretReplacer, answer: AnswerSource) {
  if (answer.form === 'page' && text.includes('<'))
    return redactPage(text, replacer, answer)
  if (answer.form === 'script') noteScriptSecrets(text, replacer)
  return replacer.replaceKnown(text, 'content')
}

/** In JSON, whose spelling must stay, only strings with secrets are written again. */
function redactJsonText(text: string, replacer: SecretReplacer, answer: AnswerSource) {
  const reading = readJson(text)
  if (!reading.ok) return undefined
  noteBlockedAddresses(reading.tree, replacer)
  const redacted: (readonly [string, Field['path']])[] = []
  const field = fieldRedactor(replacer, answer)
  mapFields(reading.tree, (value, one) => {
    redacted.push([field(value, one), [...one.path]])
    return value
  })
  let at = 0
  return mapJsonStrings(text, (value) => {
    const [clean = value, path = []] = redacted[at] ?? []
    at += 1
    return replacer.replaceKnown(clean, sourceOfMember(path, answer))
  })
}

function redactXml(text: string, replacer: SecretReplacer, answer: AnswerSource) {
  return replacer.replaceKnown(
    redactXmlFields(text, replacer, answer, (at) => at),
    'content'
  )
}

/** @param text of `xml`; `placeOf` gives the place in it of a place in `xml` */
function redactXmlFields(
  xml: string,
  replacer: SecretReplacer,
  answer: AnswerSource,
  placeOf: (at: number) => number,
  text: string = xml
) {
  const field = fieldRedactor(replacer, answer)
  const fields = [...xmlFields(xml)].map((one) => ({
    ...one,
    clean: field(one.value, one.field)
  }))
  let clean = ''
  let at = 0
  for (const { field: one, value, start, end, clean: noted } of fields) {
    const from = placeOf(start)
    const spelled = text.slice(from, placeOf(end))
    const known = replacer.replaceKnown(spelled, sourceOfMember(one.path, answer))
    clean += text.slice(at, from) + (noted === value ? known : noted)
    at = from + spelled.length
  }
  return clean + text.slice(at)
}

const prettyContent = /<pre[^<>]{0,256}>/i

/** The API's page around a result (`format=xmlfm`), which may be highlighted: its fields are those of the result. */
function redactFormatted(html: string, replacer: SecretReplacer, answer: AnswerSource) {
  const head = prettyContent.exec(html)
  const end = html.lastIndexOf('</pre>')
  if (head === null || end < head.index) return undefined
  const start = head.index + head[0].length
  const shown = html.slice(start, end)
  const { text, places } = shownText(shown)
  const placeOf = (at: number) => places[at] ?? shown.length
  const inner = isApiXml(text)
    ? redactXmlFields(text, replacer, answer, placeOf, shown)
    : notedResult(shown, text, replacer, answer)
  // The head may hold the caller's tokens (ResourceLoader\UserOptionsModule; measured on 1.35 and 1.39).
  const around = (part: string) => redactPage(part, replacer, answer)
  const redacted = replacer.replaceKnown(inner, 'content')
  return around(html.slice(0, start)) + redacted + around(html.slice(end))
}

/** Of a result in JSON or PHP, what it holds is noted, to be replaced wherever the page shows it. */
function notedResult(
  shown: string,
  text: string,
  replacer: SecretReplacer,
  answer: AnswerSource
) {
  if (redactJsonText(text.trim(), replacer, answer) === undefined) {
    const field = fieldRedactor(replacer, answer)
    const read = mapPhpStrings(text.trim(), (value, path) =>
      field(value, { name: path.at(-1) ?? '', path })
    )
    if (read === undefined) noteShownPairs(text, replacer)
  }
  return shown
}

/** In front of a value in PHP's dumps, YAML and the like. */
const headOfField =
  /(?:^|\n)(?:[\s[{"'(]|[ais]:\d{1,9}[:;])*[\w-]{1,64}[^A-Za-z\d\n]{0,12}(?:gt;|s:\d{1,9}:|string\(\d{1,9}\))?[^A-Za-z\d\n]{0,12}$/

/** Fields at the beginning of their lines, with values that look random. */
function noteShownPairs(text: string, replacer: SecretReplacer) {
  for (const { kind, value, source, start } of secretPairs(text))
    if (headOfField.test(text.slice(Math.max(0, start - 160), start)))
      replacer.note({ kind, value, source })
}

/** The text that a page shows, and where each of its characters is in the HTML. */
function shownText(html: string) {
  let text = ''
  const places: number[] = []
  for (const { 0: part, index } of html.matchAll(/<[^<>]*>|&[#\w]{1,12};|[^<&]+|[<&]/g)) {
    if (part.length > 1 && part.startsWith('<')) continue
    const plain = part.startsWith('&') ? unescapeHtml(part) : part
    for (let at = 0; at < plain.length; at += 1)
      places.push(index + (part.startsWith('&') ? 0 : at))
    text += plain
  }
  places.push(html.length)
  return { text, places }
}

const jwt = /(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g

/** What an endpoint for credentials answers in plain text: a form, a JWT, or random words. */
function noteIssued(text: string, replacer: SecretReplacer) {
  for (const [value] of text.matchAll(jwt))
    replacer.note({ kind: 'oauth', value, source: 'text' })
  for (const pair of text.trim().split('&')) {
    const cut = pair.indexOf('=')
    const value = decodeQuery(pair.slice(cut + 1))
    const isIssued = value.length >= 4 && !isPlaceholder(value)
    if (isIssued && cut > 0 && !/^oauth_callback_confirmed$/.test(pair.slice(0, cut)))
      replacer.note({ kind: 'oauth', value, source: pair.slice(0, cut) })
  }
  for (const word of text.split(/[\s"'<>&=,;]+/))
    if (looksRandom(word)) replacer.note({ kind: 'oauth', value: word, source: 'text' })
}

/** Nothing is known of it but shapes: pairs, header lines, tokens, addresses. */
function redactForeign(text: string, replacer: SecretReplacer) {
  const jwts = [...text.matchAll(jwt)].map(({ 0: value, index }) => ({
    kind: 'oauth' as const,
    value,
    source: 'text',
    start: index,
    end: index + value.length
  }))
  const found = [...secretPairs(text), ...headerSecrets(text), ...jwts].sort(
    (a, b) => a.start - b.start
  )
  let clean = ''
  let at = 0
  for (const { kind, value, source, start, end } of found) {
    if (start < at || isPlaceholder(value)) continue
    clean += text.slice(at, start) + replacer.redactHere(kind, value, source)
    at = end
  }
  clean = replacer.replaceKnown(clean + text.slice(at))
  return mapAddresses(clean, (spelled, canonical) =>
    isLocalAddress(canonical) || isPlaceholder(canonical)
      ? spelled
      : placeholderFor('address', canonical)
  )
}
