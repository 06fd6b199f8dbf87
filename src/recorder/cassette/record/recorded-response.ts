/** The response that a cassette holds of a wiki's answer: without debuginfo, lossless, checked. */
import { cutMembers } from '../../json/edit-json.ts'
import { textAtFault } from '../../json/json-fault.ts'
import { isWithinDepth, withoutMember } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { defaultLimits } from '../../json/tokenizer.ts'
import { writeCompact } from '../../json/write-json.ts'
import type { ApiRequest, WikiRequest } from '../../request/api-request.ts'
import { wordSet } from '../../text/words.ts'
import {
  emptyPageBlocks,
  holdsPageBlock,
  stripDebuginfo,
  stripDebuginfoText
} from '../../wiki/answers/debuginfo.ts'
import { unknownErrorFormat, unwrapEnvelope } from '../../wiki/answers/envelope.ts'
import {
  bodyText,
  isText,
  mediaType,
  type WikiAnswer
} from '../../wiki/answers/wiki-answer.ts'
import {
  parseSetCookie,
  type SessionCookieNames,
  selectSessionCookies
} from '../../wiki/cookies/session-cookies.ts'
import { restNames } from '../../wiki/effects/rest-routes.ts'
import {
  findUnsendable,
  type RecordedBody,
  type RecordedCookie,
  type RecordedResponse,
  recordedHeaders,
  withText
} from '../interaction.ts'

/** A response ready for redaction, or why this answer must not be recorded. */
export type ResponseConversion =
  | {
      readonly kind: 'converted'
      readonly response: RecordedResponse
      readonly engine: string | undefined
      /** `Set-Cookie` headers that are not the wiki's: sent to the client, but not recorded. */
      readonly unrecordedCookies: readonly string[]
    }
  /** `stray`: what stands where JSON was expected. */
  | { readonly kind: 'refused'; readonly reason: string; readonly stray?: string }

/** A text of more bytes is not recorded; MediaWiki ends a result at 8 MB by default. */
const maxTextBytes = 32 * 1024 * 1024
/** JSON of more values is recorded as text; a batch of 5,000 rows with all its props has some 100,000. */
const maxTreeValues = 150_000
/** So is JSON of more characters, whose tree would take too long to work on in one step. */
const maxTreeCharacters = 8 * 1024 * 1024

/** By them a client asks whether what it has is still so (304). */
const validators = wordSet('etag last-modified')

/** Cookies that are recorded although their names do not say that they are a session's. */
export interface CookieSelection {
  /** Names that the user asked for. */
  readonly optedIn: readonly string[]
  /** Names that the wiki has proven to be its session's. */
  readonly sessions: SessionCookieNames
}

/** @param now time of the answer in milliseconds, from which cookie dates are counted */
export function convertResponse(
  request: WikiRequest,
  answer: WikiAnswer,
  now: number,
  selection: CookieSelection
): ResponseConversion {
  const converted = convertBody(request, answer)
  if (typeof converted === 'string') return { kind: 'refused', reason: converted }
  if ('stray' in converted) return { ...converted, kind: 'refused' }
  const { status, seconds = 0 } = answer
  const { cookies, unrecordedCookies } = convertCookies(answer, now, selection)
  // The content type of JSON follows from the envelope that it is served in, unless it names no UTF-8.
  const isJson = converted.body.kind === 'json'
  const implied = isJson && !isOtherCharset(answer.headers) ? 'content-type' : ''
  const anyOrigin = answer.headers.get('access-control-allow-origin') === '*'
  // Elsewhere they may be others each time.
  const isOfRevision = request.kind === 'plain' && restNames(request.target) !== undefined
  const isRecorded = (name: string) =>
    (isOfRevision && validators.has(name)) ||
    // The answer to `origin=*` is the same on every wiki; replay makes it for callers that send it.
    (recordedHeaders.has(name) &&
      name !== implied &&
      !(anyOrigin && name.startsWith('access-control-')))
  const spelled = (value: string) => (isJson ? withFileExtension('json', value) : value)
  const headers = new Map(
    [...answer.headers]
      .filter(([name]) => isRecorded(name))
      .map(
        ([name, value]) =>
          [name, name === 'content-disposition' ? spelled(value) : value] as const
      )
      .sort()
  )
  const invalidText = findUnsendable(headers, cookies)
  if (invalidText !== undefined) {
    const shown = JSON.stringify(invalidText.slice(0, 80))
    return {
      kind: 'refused',
      reason: `one of its headers contains ${shown}, which cannot be sent again`
    }
  }
  const { body, engine } = converted
  const response = { status, headers, cookies, body, ...(seconds > 1 ? { seconds } : {}) }
  return { kind: 'converted', response, engine, unrecordedCookies }
}

/** Of JSON alone: a callback's type is that of the envelope. */
const isOtherCharset = (headers: WikiAnswer['headers']) =>
  mediaType(headers) === 'application/json' &&
  !/;\s*charset="?utf-8/i.test(headers.get('content-type') ?? '')

function convertCookies(
  { headers, setCookies }: WikiAnswer,
  now: number,
  selection: CookieSelection
): {
  readonly cookies: readonly RecordedCookie[]
  readonly unrecordedCookies: readonly string[]
} {
  const moment = Date.parse(headers.get('date') ?? '')
  const all = setCookies.map((sent) => {
    const cookie = parseSetCookie(sent, Number.isNaN(moment) ? now : moment)
    const optedIn = selection.optedIn.includes(cookie.name)
    const session = selection.sessions.includes(cookie.name)
    return {
      ...cookie,
      sent,
      ...(optedIn ? { optedIn } : {}),
      ...(session ? { session } : {})
    }
  })
  const recorded = new Set(selectSessionCookies(all))
  return {
    cookies: [...recorded].map(({ sent: _sent, ...cookie }) => cookie),
    unrecordedCookies: all.flatMap((cookie) =>
      recorded.has(cookie) ? [] : [cookie.sent]
    )
  }
}

/** `Content-Disposition` for an envelope: MediaWiki names its answers `api-result.json`, `.js` or `.html`. */
export const withFileExtension = (
  ending: 'json' | 'js' | 'html',
  disposition: string
): string =>
  disposition.replace(/(filename=api-result)\.(?:json|js|html)$/, `$1.${ending}`)

type ConvertedBody = { readonly body: RecordedBody; readonly engine: string | undefined }

interface NotJson {
  readonly reason: string
  readonly stray: string
}

function convertBody(
  request: WikiRequest,
  answer: WikiAnswer
): ConvertedBody | NotJson | string {
  if (answer.body.length > maxTextBytes && isText(answer))
    return `its text has ${answer.body.length} bytes; at most ${maxTextBytes} are recorded`
  const errorForm =
    request.kind === 'api' ? unknownErrorFormat(request.envelope) : undefined
  if (errorForm !== undefined && answer.headers.has('mediawiki-api-error'))
    return `it is an error: ${errorForm}`
  const text = bodyText(answer)
  if (text === undefined)
    return { body: { kind: 'binary', bytes: answer.body }, engine: undefined }
  const type = mediaType(answer.headers)
  const envelope = request.kind === 'api' ? request.envelope.kind : 'opaque'
  const isJson =
    type === 'application/json' || (type === 'text/javascript' && envelope === 'jsonp')
  if (request.kind === 'api' && envelope !== 'opaque' && isJson)
    return convertJson(request, answer, text)
  const stripped = stripDebuginfoText(text, type, request.kind === 'api')
  if (!stripped) return unstrippable(type)
  return { body: { kind: 'text', text: stripped.rest }, engine: stripped.engine }
}

function convertJson(
  request: ApiRequest,
  answer: WikiAnswer,
  text: string
): ConvertedBody | NotJson | string {
  const json = unwrapEnvelope(request.envelope, text)
  if (json === undefined)
    return 'the answer is not in the JSONP envelope that was requested'
  const reading = readJson(json, json.length > maxTreeCharacters ? 0 : maxTreeValues)
  const spelling = request.envelope.kind === 'opaque' ? 'utf8' : request.envelope.spelling
  if (!reading.ok && !reading.tooMany) {
    const { line, column, message } = reading.fault
    const reason = `expected JSON, but at line ${line}, column ${column}: ${message}`
    return {
      reason,
      stray: textAtFault(json, reading.fault).slice(0, maxStrayCharacters)
    }
  }
  if (reading.ok) {
    const { rest, engine } = stripDebuginfo(reading.tree)
    let tree = withoutMember(rest, 'requestid')
    if (holdsPageBlock(json)) {
      tree = emptyPageBlocks(tree)
      if (holdsPageBlock(writeCompact(tree, 'utf8')))
        return unstrippable('a page in its values')
    }
    const exact = writeCompact(reading.tree, spelling) === json
    // On disk the tree is nested four levels deeper.
    if (exact && isWithinDepth(tree, defaultLimits.maxDepth - 4)) {
      const body = { kind: 'json', tree, spelling } as const
      const bytes = json === text ? answer.body : Buffer.from(json)
      return { body: tree === reading.tree ? withText(body, bytes) : body, engine }
    }
  }
  const cut = cutMembers(json, ['debuginfo', 'requestid'])
  if (cut === undefined) return 'expected JSON, but the body is not JSON'
  if (holdsPageBlock(cut)) return unstrippable('a page in its values')
  const engine = reading.ok ? stripDebuginfo(reading.tree).engine : undefined
  return { body: { kind: 'text', text: cut, spelling }, engine }
}

/** Of what is no JSON, as many as a message needs to show whose it is. */
const maxStrayCharacters = 8000

const unstrippable = (what: string) => `debuginfo cannot be removed from ${what} reliably`
