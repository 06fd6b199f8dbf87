/** Status, headers and cookies of two answers, compared; cookies apart, as an error sets none. */
import {
  type RecordedCookie,
  type RecordedResponse,
  recordedHeaders,
} from '../../recorder/cassette/interaction.ts'
import { jsonLiteral } from '../../recorder/json/json-tree.ts'
import { mediaType } from '../../recorder/wiki/answers/wiki-answer.ts'
import { withoutCookiePrefix } from '../../recorder/wiki/cookies/session-cookies.ts'
import { pathOf } from '../changes/change.ts'
import type { TreeWalk } from '../members/tree-walk.ts'

/** Headers that the body repeats, or that are compared by another rule. */
const comparedSeparately = new Set(['content-type', 'mediawiki-api-error'])

/** @returns false if the bodies are of different media types, and must not be compared */
export function compareTransport(
  a: RecordedResponse,
  b: RecordedResponse,
  walk: TreeWalk,
): boolean {
  if (a.status !== b.status) {
    const before = jsonLiteral(a.status)
    const after = jsonLiteral(b.status)
    walk.emit('status.changed', pathOf('status'), {
      before,
      after,
      mark: `${a.status} → ${b.status}`,
    })
  }
  compareDurations(a.seconds, b.seconds, walk)
  compareHeaders(a, b, walk)
  const before = mediaTypeOf(a)
  const after = mediaTypeOf(b)
  if (before === after && a.body.kind === b.body.kind) return true
  walk.emit('content-type.changed', pathOf('content-type'), {
    before,
    after,
    mark: `${before} → ${after}`,
  })
  return false
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

/** A body recorded as JSON is one thing, however it was wrapped on the wire. */
const mediaTypeOf = ({ body, headers }: RecordedResponse): string =>
  body.kind === 'json' ? 'application/json' : mediaType(headers) || body.kind

function compareHeaders(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk): void {
  for (const name of recordedHeaders) {
    const before = a.headers.get(name)
    const after = b.headers.get(name)
    if (before === after || comparedSeparately.has(name)) continue
    const path = pathOf('headers', name)
    if (after === undefined) walk.emit('header.removed', path, { before, scope: '*' })
    else if (before === undefined) walk.emit('header.added', path, { after, scope: '*' })
    else if (walk.context.stripHostA(before) !== walk.context.stripHostB(after))
      walk.emit('header.changed', path, { before, after, scope: '*' })
  }
}

export function compareCookies(a: RecordedResponse, b: RecordedResponse, walk: TreeWalk): void {
  const inA = describeCookies(a.cookies)
  const inB = describeCookies(b.cookies)
  for (const name of new Set([...inA.keys(), ...inB.keys()])) {
    const before = inA.get(name)
    const after = inB.get(name)
    if (before !== after) walk.emit('cookie.changed', pathOf('cookies', name), { before, after })
  }
}

/** By name without the wiki's prefix; dates are relative, to the minute. */
const describeCookies = (cookies: readonly RecordedCookie[]): ReadonlyMap<string, string> =>
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
