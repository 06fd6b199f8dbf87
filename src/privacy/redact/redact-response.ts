/**
 * Redaction of an answer of the wiki, for a cassette.
 *
 * Redacted are: tokens, session ids, passwords, OAuth fields and e-mail addresses among the fields of JSON, XML and PHP;
 * secrets in forms and scripts of the wiki's own pages; the address of a caller who is not logged in (loopback stays); values
 * of cookies; secrets in `Location`; each of these, and what the client sent, wherever it stands in the answer. All else is
 * content and stays, whatever it looks like.
 */
import type { RecordedBody, RecordedCookie, RecordedResponse } from '../../cassette/interaction.ts'
import { mapJsonStrings } from '../../json/edit-json.ts'
import { itemsOf, type JsonTree, mapStrings, memberOf, textOf } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { addressesIn, isPlaceholder, nowPlaceholder, placeholderFor, type Secret } from '../secrets/secret.ts'
import { cookieKind, requestSecretKind } from '../secrets/secret-names.ts'
import { splitCredentials } from './redact-message.ts'
import { redactField, redactTextBody } from './redact-text.ts'
import { type RedactionCounts, SecretReplacer } from './secret-replacer.ts'

export interface RedactedResponse {
  readonly response: RecordedResponse
  /** What was replaced, for the registry. */
  readonly secrets: readonly Secret[]
  /** Replacements in the body. */
  readonly bodyCounts: RedactionCounts
}

/** An answer without secrets is returned unchanged. @param known what it may contain. @param fromApi else text is content */
export function redactResponse(
  response: RecordedResponse,
  known: readonly Secret[] = [],
  fromApi = true,
): RedactedResponse {
  const replacer = new SecretReplacer(known)
  const cookies = response.cookies.map((cookie) => redactCookie(cookie, replacer))
  // Only replacements in the body are counted.
  replacer.drainCounts()
  // The body first: its secrets may stand in headers too.
  const body = redactBody(response.body, replacer, fromApi)
  const bodyCounts = replacer.drainCounts()
  const headers = new Map(
    [...response.headers].map(([name, value]) => [name, redactHeader(name, value, replacer)] as const),
  )
  const same =
    body === response.body &&
    cookies.every((cookie, at) => cookie === response.cookies[at]) &&
    [...headers].every(([name, value]) => value === response.headers.get(name))
  return {
    response: same ? response : { ...response, headers, cookies, body },
    secrets: replacer.secrets(),
    bodyCounts,
  }
}

function redactCookie(cookie: RecordedCookie, replacer: SecretReplacer): RecordedCookie {
  const { name, value } = cookie
  if (value === '' || value === 'deleted' || isPlaceholder(value)) return cookie
  const kind = cookieKind(name)
  if (kind === 'user-name') return cookie
  if (kind === 'logged-out' && /^\d{9,11}$/.test(value)) return { ...cookie, value: nowPlaceholder }
  // User ids stand in answers as ordinary numbers: they are replaced here and not searched for elsewhere.
  if (kind === 'user' || kind === 'logged-out') return { ...cookie, value: placeholderFor('cookie', '') }
  return { ...cookie, value: replacer.redact(kind, decodeQuery(value), `cookie ${name}`) }
}

function redactHeader(name: string, value: string, replacer: SecretReplacer): string {
  if (name !== 'location') return replacer.redactText(value)
  const { url, credentials } = splitCredentials(value)
  for (const secret of credentials) replacer.note(secret)
  return replacer.redactText(replacer.redactQuery(url, requestSecretKind))
}

function redactBody(body: RecordedBody, replacer: SecretReplacer, fromApi: boolean): RecordedBody {
  switch (body.kind) {
    case 'json': {
      // Two passes: a secret that is found late may stand earlier in the tree too.
      const noted = redactMembers(body.tree, replacer)
      const tree = mapStrings(noted, (value) => replacer.replaceKnown(value))
      return tree === body.tree ? body : { ...body, tree }
    }
    case 'text': {
      const text = redactAnyText(body.text, replacer, fromApi, body.spelling !== undefined)
      return text === body.text ? body : { ...body, text }
    }
    case 'binary': {
      // Bytes may be text of another media type; images and the like are not valid UTF-8.
      const { buffer, byteOffset, byteLength } = body.bytes
      const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
      const clean = text.includes('\ufffd') ? text : redactAnyText(text, replacer, fromApi, false)
      return clean === text ? body : { kind: 'binary', bytes: Buffer.from(clean, 'utf8') }
    }
  }
}

/** The first pass. @param onChange called with each value that is replaced */
function redactMembers(
  tree: JsonTree,
  replacer: SecretReplacer,
  onChange: (from: string, to: string) => void = () => undefined,
): JsonTree {
  const passwordValues = passwordFieldValues(tree)
  const noted = mapStrings(tree, (value, path) => {
    const isPassword = path.at(-1) === 'value' && passwordValues.has(value) && !isPlaceholder(value)
    const redacted = isPassword
      ? replacer.redact('password', value, 'password field')
      : redactField(value, path, replacer)
    if (redacted !== value) onChange(value, redacted)
    return redacted
  })
  noteBlockedAddresses(tree, replacer)
  return noted
}

/** Values of password fields in the forms of authmanagerinfo: `{"type":"password","value":"…"}`. */
function passwordFieldValues(tree: JsonTree, found: Set<string> = new Set()): ReadonlySet<string> {
  const value = textOf(memberOf(tree, 'value')) ?? ''
  if (value !== '' && textOf(memberOf(tree, 'type')) === 'password') found.add(value)
  for (const inner of itemsOf(tree)) passwordFieldValues(inner, found)
  return found
}

/** The message to a blocked caller (`blockedtext`) contains the caller's address. */
function noteBlockedAddresses(tree: JsonTree, replacer: SecretReplacer): void {
  const errors = [memberOf(tree, 'error'), ...itemsOf(memberOf(tree, 'errors'))]
  for (const error of errors) {
    if (error === undefined || !/block/i.test(textOf(memberOf(error, 'code')) ?? '')) continue
    mapStrings(error, (value) => {
      for (const address of addressesIn(value))
        replacer.note({ kind: 'address', value: address, source: 'block message' })
      return value
    })
  }
}

/** In JSON, whose spelling must stay, only strings with secrets are written again. */
function redactAnyText(text: string, replacer: SecretReplacer, fromApi: boolean, isJson: boolean): string {
  const reading = isJson || /^\s{0,64}[[{]/.test(text) ? readJson(text) : undefined
  if (reading?.ok !== true) return redactTextBody(text, replacer, fromApi)
  const changes = new Map<string, string>()
  redactMembers(reading.tree, replacer, (from, to) => changes.set(from, to))
  return mapJsonStrings(text, (value) => replacer.replaceKnown(changes.get(value) ?? value))
}
