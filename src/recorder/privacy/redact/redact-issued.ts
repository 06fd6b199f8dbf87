/** Texts without fields: what an endpoint for credentials issues, and pages of others than the wiki. */
import { decodeQuery } from '../../text/percent-decoding.ts'
import {
  isLocalAddress,
  isPlaceholder,
  looksRandom,
  mapAddresses,
  placeholderFor
} from '../secrets/secret.ts'
import { headerSecrets, secretPairs } from '../secrets/secret-names.ts'
import type { SecretReplacer } from './secret-replacer.ts'

const jwt = /(?<![\w-])eyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,4096}/g

/** What an endpoint for credentials answers in plain text: a form, a JWT, or random words. */
export function noteIssued(text: string, replacer: SecretReplacer): void {
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
export function redactForeign(text: string, replacer: SecretReplacer): string {
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
