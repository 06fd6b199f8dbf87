/** Status, headers and cookies of two answers, compared; cookies apart, as an error sets none. */
import {
  type RecordedCookie,
  type RecordedResponse,
  recordedHeaders
} from '../../recorder/cassette/interaction.ts'
import { hasMember, jsonLiteral, textAt } from '../../recorder/json/json-tree.ts'
import { withoutCookiePrefix } from '../../recorder/wiki/cookies/session-cookies.ts'
import { pathOf, turn } from '../changes/change.ts'
import { jsonIn } from '../inputs/cassette-side.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

const errorHeader = 'mediawiki-api-error'
const isError = (one: RecordedResponse) =>
  ['error', 'errors'].some((name) => hasMember(jsonIn(one), name))

const codeOf = (one: RecordedResponse) => textAt(jsonIn(one), 'error', 'code')

/** @returns false if one of the answers is no longer the API's, and nothing in it can be compared */
export function compareTransport(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk
): boolean {
  compareDurations(a.seconds, b.seconds, walk)
  const hasOtherStatus = a.status !== b.status
  const formA = formOf(a, hasOtherStatus)
  const formB = formOf(b, hasOtherStatus)
  if (a.body.kind !== b.body.kind || isForeign(formA) !== isForeign(formB)) {
    // Its status and headers are those of another program, too.
    emitType(formA, formB, walk)
    return false
  }
  if (hasOtherStatus)
    walk.emit('status.changed', pathOf('status'), {
      before: jsonLiteral(a.status),
      after: jsonLiteral(b.status),
      mark: `${a.status} → ${b.status}`
    })
  compareHeaders(a, b, walk)
  if (walk.isRest) compareValidators(a, b, walk)
  const typeA = contentTypeOf(a)
  const typeB = contentTypeOf(b)
  const plain = (type: string) => type.replace(/; profile=.*$/, '')
  if (plain(typeA) !== plain(typeB)) emitType(typeA, typeB, walk)
  else if (typeA !== typeB) emitHeader('content-type', typeA, typeB, walk)
  return true
}

/** By what a client asks again whether anything changed: there, and in one form. */
function compareValidators(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk) {
  for (const name of ['etag', 'last-modified']) {
    const before = a.headers.get(name)
    const after = b.headers.get(name)
    if (tagFormOf(before) !== tagFormOf(after)) emitHeader(name, before, after, walk)
  }
}

function emitHeader(
  name: string,
  before: string | undefined,
  after: string | undefined,
  walk: TreeWalk
) {
  const changed = before === undefined ? 'header.added' : 'header.changed'
  const kind = after === undefined ? 'header.removed' : changed
  walk.emit(kind, pathOf('headers', name), { before, after })
}

const tagFormOf = (tag = '') => tag.replace(/"[^"]*"/, '""').replace(/[^W"/]+/, 'x')

const emitType = (before: string, after: string, walk: TreeWalk) =>
  walk.emit('content-type.changed', pathOf('content-type'), {
    before,
    after,
    note: turn(before, after)
  })

/** What the body is, by its text: firewalls and gateways send what they like as `application/json`. */
function formOf({ status, body }: RecordedResponse, hasOtherStatus: boolean) {
  if (body.kind !== 'text') return body.kind === 'json' ? 'JSON' : 'bytes'
  const form = textForms.find(([, pattern]) => pattern.test(body.text))?.[0] ?? 'text'
  return isForeign(form) && hasOtherStatus && status !== 200
    ? `${form}, status ${status}`
    : form
}

const textForms: readonly (readonly [string, RegExp])[] = [
  ['no body', /^\s*$/],
  ['JSON behind a byte order mark', /^\uFEFF\s*[{[]/],
  ['an HTML page', /^\s*<(?:!doctype html|html\b)/i],
  ['JSON behind other text', /^[^{[/].*[{[]".*[\]}]\s*$/s],
  ['JSON that breaks off', /^\s*[{[]/]
]

/** True for what no module of the API answers with. */
const isForeign = (form: string) => /^(?:no body|an HTML page|JSON )/.test(form)

/** That of JSON is recorded only if it is not the usual one. */
const contentTypeOf = ({ body, headers }: RecordedResponse) => {
  const usual = body.kind === 'json' ? 'application/json; charset=utf-8' : body.kind
  const type = headers.get('content-type') ?? usual
  return type
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\s*;\s*/g, '; ')
}

/** Up to a second is not recorded. */
function compareDurations(before: number | undefined, after = 0, walk: TreeWalk) {
  if (after < 5 * (before ?? 1)) return
  walk.emit('answer.slower', pathOf('seconds'), {
    before: before === undefined ? before : jsonLiteral(before),
    after: jsonLiteral(after),
    note: turn(String(before ?? 'up to 1'), `${after} s`)
  })
}

function compareHeaders(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk) {
  const areErrors = isError(a) && isError(b)
  for (const name of recordedHeaders) {
    const before = a.headers.get(name)
    const after = b.headers.get(name)
    if (before === after || name === 'content-type') continue
    // The code of an error is compared in the body.
    const isSaid = before && after && codeOf(a) !== codeOf(b)
    if (name === errorHeader && (!areErrors || isSaid)) continue
    const { stripHostA, stripHostB } = walk.context
    if (before && after && stripHostA(before) === stripHostB(after)) continue
    emitHeader(name, before, after, walk)
  }
}

export function compareCookies(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk
): void {
  const { requestRef, isSameWiki } = walk.context
  const action = requestRef.request.get('action') ?? ''
  const inA = describeCookies(a.cookies)
  const inB = describeCookies(b.cookies)
  for (const name of new Set([...inA.keys(), ...inB.keys()])) {
    const before = inA.get(name)
    const after = inB.get(name)
    const other = after === undefined && /login|createaccount/.test(action)
    if (before !== after)
      walk.emit('cookie.changed', pathOf('cookies', name), { before, after, other })
  }
  const before = prefixOf(a.cookies)
  const after = prefixOf(b.cookies)
  if (before !== undefined && after !== undefined && before !== after && isSameWiki)
    walk.emit('cookie.changed', pathOf('cookies', 'prefix'), { before, after })
}

/** The name of the wiki's database, unless `$wgCookiePrefix` says otherwise. */
const prefixOf = ([first]: readonly RecordedCookie[]) =>
  first?.name.slice(0, -withoutCookiePrefix(first.name).length)

/** By name without the wiki's prefix; dates are relative, to the minute. */
const describeCookies = (cookies: readonly RecordedCookie[]) =>
  new Map(
    cookies.map(({ name, session, value, attributes, expiresIn }) => {
      const state = value === '' || value === 'deleted' ? 'deleted' : 'set'
      const minutes = Math.round((expiresIn ?? 0) / 60)
      const expiry = expiresIn === undefined ? 'session' : `expires in ${minutes} min`
      const lasting = attributes
        .filter((one) => !/^(?:domain|expires|max-age)=/i.test(one))
        .map((one) => one.toLowerCase())
      return [
        session ? '_session' : withoutCookiePrefix(name),
        [state, expiry, ...lasting.sort()].join('; ')
      ]
    })
  )
