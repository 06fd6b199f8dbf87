/** What a session learns from an answer: who asks, who is logged in now, and that a write has begun a new epoch. */

import type { RecordedCookie, RecordedResponse } from '../../cassette/interaction.ts'
import { jsonOf } from '../../cassette/recorded-body.ts'
import { type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import { hasFailed, reachAnswered } from '../../playback/session/answer-write-set.ts'
import type { Identity } from '../../request/api-request.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { loggedIn } from '../../wiki/effects/request-effect.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { type Outcome, paramsOf, type ReadCall } from '../call.ts'
import { isGone } from './caller-cookies.ts'
import { type Caller, changesCaller, renewing, type Sessions } from './session-registry.ts'

export function learn(
  call: ReadCall,
  { response, key }: Outcome,
  sessions: Sessions,
  site: SiteFacts | undefined,
): void {
  if (response === undefined) return
  const { exchange, derivation, session } = call
  const caller = callerIn(call, response, sessions)
  const settled = sessions.settle(exchange, session, response.cookies, caller)
  const { effect, canonical } = derivation
  const mayChange = effect === 'write' || makesAccount(canonical)
  const reach = mayChange ? reachAnswered(canonical, response, site) : undefined
  if (reach !== undefined) settled.wrote({ key, reach })
}

/** It hands out what belongs to a session, and yet an account is there for all afterwards. */
export const makesAccount = (canonical: CanonicalRequest): boolean =>
  canonical.get('action') === 'createaccount'

function callerIn(call: ReadCall, response: RecordedResponse, sessions: Sessions): Caller {
  const { derivation } = call
  const action = derivation.canonical.get('action') ?? ''
  const outcome =
    renewing.test(action) && !hasFailed(response) ? renewedIn(action, jsonOf(response.body)) : undefined
  if (outcome !== undefined) return { before: undefined, after: outcome, renewed: true }
  const before = callerOf(call, response, sessions)
  return { before, after: namedIn(response.cookies) ?? before, renewed: false }
}

/** Who is logged in by a login or logout; undefined where nobody is, or the answer is in another format. */
function renewedIn(action: string, tree: JsonTree | undefined): Identity | undefined {
  if (action === 'logout') return 'anonymous'
  const user = tree && loggedIn(tree)
  return user === undefined ? undefined : `user:${user}`
}

/** Whom the wiki took the caller of this very answer for, where their cookies may name them and the answer says so. */
export function callerOf(
  { exchange, understood: { request }, derivation }: ReadCall,
  response: RecordedResponse,
  sessions: Sessions,
): Identity | undefined {
  if (!sessions.isNamedByCookies(exchange.headers, paramsOf(request))) return undefined
  const asksWho = splitValues(derivation.canonical.get('meta') ?? '').includes('userinfo')
  const told = asksWho ? identityIn(jsonOf(response.body)) : undefined
  if (told !== undefined) return told
  if (response.headers.get('mediawiki-api-error') === 'assertuserfailed') return 'anonymous'
  return changesCaller(derivation) ? undefined : namedIn(response.cookies)
}

/** What `meta=userinfo` says. */
export function identityIn(tree: JsonTree | undefined): Identity | undefined {
  const info = memberAt(tree, 'query', 'userinfo')
  const [id, name] = [memberOf(info, 'id'), textOf(memberOf(info, 'name'))]
  if (id?.kind !== 'literal' || name === undefined) return undefined
  return id.text === '0' ? 'anonymous' : `user:${name}`
}

/** Whom these cookies name from now on. */
function namedIn(cookies: readonly RecordedCookie[]): Identity | undefined {
  const id = cookies.find(({ name }) => name.endsWith('UserID'))
  if (id === undefined) return undefined
  if (isGone(id.value)) return 'anonymous'
  const name = cookies.find((one) => one.name.endsWith('UserName') && !isGone(one.value))
  return name === undefined ? 'unknown' : `user:${decodeQuery(name.value)}`
}
