/** Status, headers and cookies of two answers, compared; cookies apart, as an error sets none. */
import {
  type RecordedCookie,
  type RecordedResponse,
  recordedHeaders,
} from '../../recorder/cassette/interaction.ts'
import { jsonLiteral, memberOf } from '../../recorder/json/json-tree.ts'
import { withoutCookiePrefix } from '../../recorder/wiki/cookies/session-cookies.ts'
import { pathOf } from '../changes/change.ts'
import { noteText } from '../changes/note.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

const errorHeader = 'mediawiki-api-error'
const isError = ({ body }: RecordedResponse): boolean =>
  body.kind === 'json' &&
  ['error', 'errors'].some((name) => memberOf(body.tree, name) !== undefined)

/** @returns false if one of the answers is no longer the API's, and nothing in it can be compared */
export function compareTransport(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk,
): boolean {
  compareDurations(a.seconds, b.seconds, walk)
  const formA = formOf(a)
  const formB = formOf(b)
  if (a.body.kind !== b.body.kind || isForeign(formA) !== isForeign(formB)) {
    // Its status and headers are those of another program, too.
    emitType(formA, formB, walk)
    return false
  }
  if (a.status !== b.status) {
    const before = jsonLiteral(a.status)
    const after = jsonLiteral(b.status)
    walk.emit('status.changed', pathOf('status'), {
      before,
      after,
      mark: `${a.status} → ${b.status}`,
    })
  }
  compareHeaders(a, b, walk)
  const typeA = contentTypeOf(a)
  const typeB = contentTypeOf(b)
  if (typeA !== typeB) emitType(typeA, typeB, walk)
  return true
}

function emitType(before: string, after: string, walk: TreeWalk): void {
  const note = { from: before, to: after }
  walk.emit('content-type.changed', pathOf('content-type'), {
    before,
    after,
    note,
    mark: noteText(note),
    scope: '*',
  })
}

/** What the body is, by its text: firewalls and gateways send what they like as `application/json`. */
function formOf({ status, body }: RecordedResponse): string {
  if (body.kind !== 'text') return body.kind === 'json' ? 'JSON' : 'bytes'
  const form = textForms.find(([, pattern]) => pattern.test(body.text))?.[0] ?? 'text'
  return isForeign(form) && status !== 200 ? `${form}, status ${status}` : form
}

const textForms: readonly (readonly [string, RegExp])[] = [
  ['no body', /^\s*$/],
  ['an HTML page', /^\s*<(?:!doctype html|html\b)/i],
  ['JSON behind other text', /^[^{[/].*[{[]".*[\]}]\s*$/s],
  ['JSON that breaks off', /^\s*[{[]/],
]

/** True for what no module of the API answers with. */
const isForeign = (form: string): boolean => /^(?:no body|an HTML page|JSON )/.test(form)

/** That of JSON is recorded only if it is not the usual one. */
const contentTypeOf = ({ body, headers }: RecordedResponse): string => {
  const usual = body.kind === 'json' ? 'application/json; charset=utf-8' : body.kind
  const type = headers.get('content-type') ?? usual
  return type
    .toLowerCase()
    .replaceAll('"', '')
    .replace(/\s*;\s*/g, '; ')
}

/** Up to a second is not recorded. */
function compareDurations(before: number | undefined, after = 0, walk: TreeWalk): void {
  if (after < 5 * (before ?? 1)) return
  const values = {
    before: before === undefined ? before : jsonLiteral(before),
    after: jsonLiteral(after),
  }
  walk.emit('answer.slower', pathOf('seconds'), {
    ...values,
    note: { from: String(before ?? 'up to 1'), to: `${after} s` },
  })
}

function compareHeaders(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk): void {
  const areErrors = isError(a) && isError(b)
  for (const name of recordedHeaders) {
    const before = a.headers.get(name)
    const after = b.headers.get(name)
    if (before === after || name === 'content-type') continue
    // The code of an error is compared in the body.
    if (name === errorHeader && (!areErrors || (before && after))) continue
    const path = pathOf('headers', name)
    if (after === undefined) walk.emit('header.removed', path, { before, scope: '*' })
    else if (before === undefined) walk.emit('header.added', path, { after, scope: '*' })
    else if (walk.context.stripHostA(before) !== walk.context.stripHostB(after))
      walk.emit('header.changed', path, { before, after, scope: '*' })
  }
}

export function compareCookies(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk,
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
  const [prefixA] = prefixesOf(a.cookies)
  const [prefixB] = prefixesOf(b.cookies)
  if (
    prefixA === undefined ||
    prefixB === undefined ||
    prefixA === prefixB ||
    !isSameWiki
  )
    return
  walk.emit('cookie.changed', pathOf('cookies', 'prefix'), {
    before: prefixA,
    after: prefixB,
  })
}

/** The name of the wiki's database, unless `$wgCookiePrefix` says otherwise. */
const prefixesOf = (cookies: readonly RecordedCookie[]): readonly string[] =>
  cookies.map(({ name }) => name.slice(0, -withoutCookiePrefix(name).length))

/** By name without the wiki's prefix; dates are relative, to the minute. */
const describeCookies = (
  cookies: readonly RecordedCookie[],
): ReadonlyMap<string, string> =>
  new Map(
    cookies.map((one) => [
      one.session ? '_session' : withoutCookiePrefix(one.name),
      describeCookie(one),
    ]),
  )

function describeCookie({ value, attributes, expiresIn }: RecordedCookie): string {
  const lasting = attributes.filter((one) => !/^(?:domain|expires|max-age)=/i.test(one))
  const expiry =
    expiresIn === undefined ? 'session' : `expires in ${Math.round(expiresIn / 60)} min`
  const state = value === '' || value === 'deleted' ? 'deleted' : 'set'
  return [state, expiry, ...lasting.map((one) => one.toLowerCase()).sort()].join('; ')
}
