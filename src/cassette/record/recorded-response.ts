/** From a wiki's answer to the response that a cassette keeps: stripped, lossless, checked. */

import { finished, type Steps } from '../../json/cooperative-task.ts'
import { cutMembers } from '../../json/cut-members.ts'
import { isWithin, type JsonTree, withoutMember } from '../../json/json-tree.ts'
import { readJson } from '../../json/read-json.ts'
import { defaultLimits } from '../../json/tokenizer.ts'
import { writeCompact } from '../../json/write-json.ts'
import type { ApiRequest, WikiRequest } from '../../request/api-request.ts'
import { stripDebuginfo, stripDebuginfoText } from '../../wiki/answers/debuginfo.ts'
import { unknownErrorForm, unwrap } from '../../wiki/answers/envelope.ts'
import { sameButVolatile, withoutReports } from '../../wiki/answers/volatile.ts'
import { bodyTextSteps, isText, mediaType, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import { type SessionNames, sessionCookies } from '../../wiki/cookies/session-cookies.ts'
import { parseSetCookie } from '../../wiki/cookies/set-cookie.ts'
import { unsendable } from '../header-values.ts'
import {
  keptHeaders,
  type RecordedBody,
  type RecordedCookie,
  type RecordedResponse,
  sameTexts,
} from '../interaction.ts'
import { withText } from '../recorded-body.ts'

/** A response ready for redaction, or why this answer must not be recorded. */
export type Taking =
  | {
      readonly kind: 'taken'
      readonly response: RecordedResponse
      readonly engine: string | undefined
      /** `Set-Cookie` headers of no wiki: for the client that asked, not for a cassette. */
      readonly aside: readonly string[]
    }
  | { readonly kind: 'refused'; readonly why: string }

/** Bytes of text beyond which an answer is not recorded: MediaWiki itself ends a result at 8 MB by default. */
const mostText = 32 * 1024 * 1024
/** Values beyond which JSON is kept as the text it is; a batch of 5,000 with all its props has some 100,000. */
const mostValues = 150_000
/** Characters beyond which JSON is kept as the text it is: what is done with a tree of more takes too long in one turn. */
const mostTree = 8 * 1024 * 1024

/** Cookies that are kept beside those whose names tell that they are a session's. */
export interface KeptCookies {
  /** Names of those that the operator wants. */
  readonly wanted: readonly string[]
  /** Names of those that the wiki has proven to be its session's. */
  readonly sessions: SessionNames
}

/** @param now the moment of the answer in milliseconds, which cookie dates are counted from */
export const takeResponse = (
  request: WikiRequest,
  answer: WikiAnswer,
  now: number,
  keep: KeptCookies = { wanted: [], sessions: [] },
): Taking => finished(takingSteps(request, answer, now, keep))

/** The same for a server, which has others waiting. */
export function* takingSteps(
  request: WikiRequest,
  answer: WikiAnswer,
  now: number,
  keep: KeptCookies,
): Steps<Taking> {
  const taken = yield* takeBody(request, answer)
  if (typeof taken === 'string') return { kind: 'refused', why: taken }
  const { cookies, aside } = takeCookies(answer, now, keep)
  // The content type of JSON follows from the envelope that it is served in.
  const implied = taken.body.kind === 'json' ? 'content-type' : ''
  const anyOrigin = answer.headers.get('access-control-allow-origin') === '*'
  const kept = (name: string): boolean =>
    // What `origin=*` gets is the same on every wiki, and is made afresh for callers that send it.
    keptHeaders.has(name) && name !== implied && !(anyOrigin && name.startsWith('access-control-'))
  const spelled = (value: string): string => (implied === '' ? value : namedAs('json', value))
  const headers = new Map(
    [...answer.headers]
      .filter(([name]) => kept(name))
      .map(([name, value]) => [name, name === 'content-disposition' ? spelled(value) : value] as const)
      .sort(),
  )
  const wrong = unsendable(headers, cookies)
  if (wrong !== undefined)
    return {
      kind: 'refused',
      why: `a header of it holds ${JSON.stringify(wrong.slice(0, 80))}, which cannot be sent again`,
    }
  return {
    kind: 'taken',
    response: { status: answer.status, headers, cookies, body: taken.body },
    engine: taken.engine,
    aside,
  }
}

function takeCookies(
  { headers, setCookies }: WikiAnswer,
  now: number,
  keep: KeptCookies,
): { readonly cookies: readonly RecordedCookie[]; readonly aside: readonly string[] } {
  const moment = Date.parse(headers.get('date') ?? '')
  const all = setCookies.map((sent): RecordedCookie & { readonly sent: string } => {
    const cookie = parseSetCookie(sent, Number.isNaN(moment) ? now : moment)
    const [kept, session] = [keep.wanted.includes(cookie.name), keep.sessions.includes(cookie.name)]
    return { ...cookie, sent, ...(kept ? { kept } : {}), ...(session ? { session } : {}) }
  })
  const counting = new Set(sessionCookies(all))
  return {
    cookies: [...counting].map(({ sent: _sent, ...cookie }) => cookie),
    aside: all.flatMap((cookie) => (counting.has(cookie) ? [] : [cookie.sent])),
  }
}

/** `Content-Disposition` for an envelope: MediaWiki names its answers `api-result.json`, `.js` or `.html`. */
export const namedAs = (ending: 'json' | 'js' | 'html', disposition: string): string =>
  disposition.replace(/(filename=api-result)\.(?:json|js|html)$/, `$1.${ending}`)

interface TakenBody {
  readonly body: RecordedBody
  readonly engine: string | undefined
}

/** The body, or why it must not be recorded. */
function* takeBody(request: WikiRequest, answer: WikiAnswer): Steps<TakenBody | string> {
  if (answer.body.length > mostText && isText(answer))
    return `its text has ${answer.body.length} bytes; at most ${mostText} are recorded`
  const errorForm = request.kind === 'api' ? unknownErrorForm(request.envelope) : undefined
  if (errorForm !== undefined && answer.headers.has('mediawiki-api-error'))
    return `it is an error: ${errorForm}`
  const text = yield* bodyTextSteps(answer)
  yield
  if (text === undefined) return { body: { kind: 'binary', bytes: alone(answer.body) }, engine: undefined }
  const type = mediaType(answer.headers)
  const announced = type === 'application/json' || (type === 'text/javascript' && isJsonp(request))
  if (request.kind === 'api' && request.envelope.kind !== 'opaque' && announced)
    return yield* takeJson(request, answer, text)
  const stripped = stripDebuginfoText(text, type)
  if (stripped === undefined) return `debuginfo cannot be cut out of ${type} with certainty`
  return { body: { kind: 'text', text: stripped.rest }, engine: stripped.engine }
}

const isJsonp = (request: WikiRequest): boolean => request.kind === 'api' && request.envelope.kind === 'jsonp'

function* takeJson(request: ApiRequest, answer: WikiAnswer, text: string): Steps<TakenBody | string> {
  const json = unwrap(request.envelope, text)
  const reading = json === undefined ? undefined : readJson(json, json.length > mostTree ? 0 : mostValues)
  if (json === undefined || reading === undefined)
    return 'the answer is not in the JSONP envelope that was asked for'
  const spelling = request.envelope.kind === 'opaque' ? 'utf8' : request.envelope.spelling
  if (!reading.ok && reading.tooMany !== true) {
    const { line, column, message } = reading.fault
    return `JSON was announced, but at line ${line}, column ${column}: ${message}`
  }
  if (reading.ok) {
    yield
    const { rest, engine } = stripDebuginfo(reading.tree)
    const tree = withoutMember(rest, 'requestid')
    const exact = writeCompact(reading.tree, spelling) === json
    yield
    if (exact && survivesDisk(tree)) {
      const body = { kind: 'json', tree, spelling } as const
      const bytes = json === text ? answer.body : Buffer.from(json)
      return { body: tree === reading.tree ? withText(body, bytes) : body, engine }
    }
  }
  const cut = yield* cutMembers(json, ['debuginfo', 'requestid'])
  if (cut === undefined) return 'JSON was announced, and this is none'
  const engine = reading.ok ? stripDebuginfo(reading.tree).engine : undefined
  return { body: { kind: 'text', text: cut, spelling }, engine }
}

/** True where the readable form on disk, four levels deep in its file, can be read again: nothing else stands against it. */
const survivesDisk = (tree: JsonTree): boolean => isWithin(tree, defaultLimits.maxDepth - 4)

/** True where a new recording says nothing that the old one did not: the file is then left as it stands. */
export function sameRecording(old: RecordedResponse, fresh: RecordedResponse): boolean {
  return (
    old.status === fresh.status &&
    sameTexts(old.headers, fresh.headers) &&
    JSON.stringify(old.cookies) === JSON.stringify(fresh.cookies) &&
    sameBody(old.body, fresh.body)
  )
}

function sameBody(a: RecordedBody, b: RecordedBody): boolean {
  if (a.kind === 'json' && b.kind === 'json') return sameButVolatile(a.tree, b.tree)
  if (a.kind === 'text' && b.kind === 'text')
    return a.text === b.text || withoutReports(a.text) === withoutReports(b.text)
  return a.kind === 'binary' && b.kind === 'binary' && Buffer.compare(a.bytes, b.bytes) === 0
}

/** The same bytes without the room around them, which would go along wherever they are handed to. */
const alone = (bytes: Uint8Array): Uint8Array =>
  bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
