/**
 * Redaction of an answer of the wiki, for a cassette. Where a text comes from decides what is a secret in it
 * (sources/answer-source.ts). Besides, values of cookies and secrets in `Location` are replaced, and what the client sent,
 * wherever it stands.
 */
import type {
  RecordedBody,
  RecordedCookie,
  RecordedResponse
} from '../../cassette/interaction.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { decodeText } from '../encodings/decode-text.ts'
import {
  isPlaceholder,
  nowPlaceholder,
  placeholderFor,
  type Secret
} from '../secrets/secret.ts'
import { cookieKind } from '../secrets/secret-names.ts'
import { type AnswerSource, sourceOfMember } from '../sources/answer-source.ts'
import { mapFields } from '../sources/fields.ts'
import { fieldRedactor, noteBlockedAddresses } from './redact-fields.ts'
import { redactText } from './redact-text.ts'
import { redactLocation } from './redact-url.ts'
import { type RedactionCounts, SecretReplacer } from './secret-replacer.ts'

export interface RedactedResponse {
  readonly response: RecordedResponse
  /** What was replaced, for the registry. */
  readonly secrets: readonly Secret[]
  /** Replacements in the body. */
  readonly bodyCounts: RedactionCounts
}

/** Members of an answer of the API. */
export const apiAnswer: AnswerSource = {
  source: 'own',
  isApi: true,
  form: 'page',
  page: ''
}

/** An answer without secrets is returned unchanged. @param known what it may contain */
export function redactResponse(
  response: RecordedResponse,
  known: readonly Secret[] = [],
  answer: AnswerSource = apiAnswer
): RedactedResponse {
  const replacer = new SecretReplacer(known)
  const cookies = response.cookies.map((cookie) => redactCookie(cookie, replacer))
  // Only replacements in the body are counted.
  replacer.drainCounts()
  // The body first: its secrets may stand in headers too.
  const body = redactBody(response.body, replacer, answer)
  const bodyCounts = replacer.drainCounts()
  const headers = new Map(
    [...response.headers].map(
      ([name, value]) => [name, redactHeader(name, value, replacer)] as const
    )
  )
  const same =
    body === response.body &&
    cookies.every((cookie, at) => cookie === response.cookies[at]) &&
    [...headers].every(([name, value]) => value === response.headers.get(name))
  return {
    response: same ? response : { ...response, headers, cookies, body },
    secrets: replacer.secrets(),
    bodyCounts
  }
}

function redactCookie(cookie: RecordedCookie, replacer: SecretReplacer): RecordedCookie {
  const { name, value } = cookie
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return cookie
  const kind = cookieKind(name)
  if (kind === 'user-name') return cookie
  if (kind === 'logged-out' && /^\d{9,11}$/.test(value))
    return { ...cookie, value: nowPlaceholder }
  // User ids stand in answers as ordinary numbers: they are replaced here and not searched for elsewhere.
  if (kind === 'user' || kind === 'logged-out')
    return { ...cookie, value: placeholderFor('cookie', '') }
  return { ...cookie, value: replacer.redact(kind, decodeQuery(value), `cookie ${name}`) }
}

function redactHeader(name: string, value: string, replacer: SecretReplacer): string {
  const withoutTokens = replacer.redactTokens(value)
  return replacer.redactText(
    name === 'location' ? redactLocation(withoutTokens, replacer) : withoutTokens
  )
}

function redactBody(
  body: RecordedBody,
  replacer: SecretReplacer,
  answer: AnswerSource
): RecordedBody {
  switch (body.kind) {
    case 'json': {
      noteBlockedAddresses(body.tree, replacer)
      // Two passes: a secret that is found late may stand earlier in the tree too.
      const noted = mapFields(body.tree, fieldRedactor(replacer, answer))
      const tree = replacer.isEmpty
        ? noted
        : mapStrings(noted, (value, { path }) =>
            replacer.replaceKnown(value, sourceOfMember(path, answer))
          )
      return tree === body.tree ? body : { ...body, tree }
    }
    case 'text': {
      // UTF-16 whose characters are ASCII is UTF-8, too.
      if (body.text.includes('\0')) return redactWideText(body, replacer, answer)
      const text = redactText(body.text, replacer, answer, body.spelling !== undefined)
      return text === body.text ? body : { ...body, text }
    }
    case 'binary': {
      const bytes = redactBytes(body.bytes, replacer, answer)
      return bytes === body.bytes ? body : { kind: 'binary', bytes }
    }
  }
}

function redactWideText(
  body: Extract<RecordedBody, { readonly kind: 'text' }>,
  replacer: SecretReplacer,
  answer: AnswerSource
): RecordedBody {
  const bytes = Buffer.from(body.text, 'utf8')
  const clean = redactBytes(bytes, replacer, answer)
  if (clean === bytes) return body
  const text = Buffer.from(clean).toString('utf8')
  return text.includes('\ufffd') ? { kind: 'binary', bytes: clean } : { ...body, text }
}

/** Bytes may be text of another media type or encoding; images and the like are neither UTF-8 nor UTF-16. */
function redactBytes(
  bytes: Uint8Array,
  replacer: SecretReplacer,
  answer: AnswerSource
): Uint8Array {
  const decoded = decodeText(bytes)
  if (!decoded) return bytes
  const clean = redactText(decoded.text, replacer, answer, false)
  return clean === decoded.text ? bytes : decoded.encode(clean)
}
