/** Status, headers and cookies: what a client sees of an answer before its body. */
import { type RecordedCookie, type RecordedResponse, recordedHeaders } from '../../cassette/interaction.ts'
import { jsonLiteral, jsonString } from '../../json/json-tree.ts'
import { withoutCookiePrefix } from '../../wiki/cookies/session-cookies.ts'
import { memberPath, pathOf } from '../changes/path.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** Told by the body, or compared by itself. */
const comparedSeparately: ReadonlySet<string> = new Set(['content-type', 'mediawiki-api-error'])

/** @returns false where the bodies are of different media types, so that comparing them says nothing */
export function compareTransport(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk): boolean {
  if (a.status !== b.status) {
    walk.emit('status.changed', pathOf('status'), {
      before: jsonLiteral(a.status),
      after: jsonLiteral(b.status),
      mark: `${a.status} → ${b.status}`,
    })
  }
  compareHeaders(a, b, walk)
  compareCookies(a.cookies, b.cookies, walk)
  const [typeA, typeB] = [mediaTypeOf(a), mediaTypeOf(b)]
  if (typeA === typeB && a.body.kind === b.body.kind) return true
  const values = { before: jsonString(typeA), after: jsonString(typeB) }
  walk.emit('content-type.changed', pathOf('content-type'), { ...values, mark: `${typeA} → ${typeB}` })
  return false
}

function mediaTypeOf(response: RecordedResponse): string {
  const type = response.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? ''
  // However it was wrapped on the wire, a body kept as JSON is one thing.
  return response.body.kind === 'json' ? 'application/json' : type || response.body.kind
}

function compareHeaders(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk): void {
  for (const name of recordedHeaders) {
    const [before, after] = [a.headers.get(name), b.headers.get(name)]
    if (before === after || comparedSeparately.has(name)) continue
    const path = memberPath(pathOf('headers'), name)
    if (after === undefined)
      walk.emit('header.removed', path, { before: jsonString(before ?? ''), scope: '*' })
    else if (before === undefined) walk.emit('header.added', path, { after: jsonString(after), scope: '*' })
    else if (walk.stripHostA(before) !== walk.stripHostB(after)) {
      walk.emit('header.changed', path, { before: jsonString(before), after: jsonString(after), scope: '*' })
    }
  }
}

function compareCookies(a: readonly RecordedCookie[], b: readonly RecordedCookie[], walk: TreeWalk): void {
  const [inA, inB] = [describeCookies(a), describeCookies(b)]
  for (const name of new Set([...inA.keys(), ...inB.keys()])) {
    const [before, after] = [inA.get(name), inB.get(name)]
    if (before === after) continue
    walk.emit('cookie.changed', memberPath(pathOf('cookies'), name), {
      before: before === undefined ? undefined : jsonString(before),
      after: after === undefined ? undefined : jsonString(after),
    })
  }
}

/** By name without the wiki's prefix; dates are relative, to the minute. */
const describeCookies = (cookies: readonly RecordedCookie[]): ReadonlyMap<string, string> =>
  new Map(
    cookies.map((one) => [
      one.session === true ? '_session' : withoutCookiePrefix(one.name),
      describeCookie(one),
    ]),
  )

function describeCookie({ value, attributes, expiresIn }: RecordedCookie): string {
  const shownAttributes = attributes
    .filter((one) => !/^(?:domain|expires|max-age)=/i.test(one))
    .map((one) => one.toLowerCase())
  const expiry = expiresIn === undefined ? 'session' : `expires in ${Math.round(expiresIn / 60)} min`
  return [value === '' || value === 'deleted' ? 'deleted' : 'set', expiry, ...shownAttributes.sort()].join(
    '; ',
  )
}
