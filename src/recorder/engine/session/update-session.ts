/** What an answer changes in its session: who the caller is, and that a write has begun a new epoch. */
import {
  bodyJson,
  type RecordedCookie,
  type RecordedResponse
} from '../../cassette/interaction.ts'
import { type JsonTree, memberAt, memberOf, textOf } from '../../json/json-tree.ts'
import {
  hasFailed,
  type Session,
  writeSetOfAnswer
} from '../../playback/session/session.ts'
import { type Identity, lacksOrigin } from '../../request/api-request.ts'
import { digest, type RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import { decodeQuery } from '../../text/percent-decoding.ts'
import { isPageView, loggedInUser } from '../../wiki/effects/request-effect.ts'
import { type WriteSet, writeSetOf } from '../../wiki/effects/write-set.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { apiParamsOf, type CallOutcome, type EpochlessCall } from '../call.ts'
import { isDeleted } from './caller-cookies.ts'
import {
  type CallerChange,
  createsAccount,
  logsInOrOut,
  mayChangeCaller
} from './caller-identities.ts'
import { isSameUser } from './known-callers.ts'
import type { SessionRegistry } from './session-registry.ts'

/** @returns the session of the caller from now on */
export function updateSession(
  call: EpochlessCall,
  outcome: CallOutcome,
  sessions: SessionRegistry,
  store: Store
): Session {
  const { incoming, session } = call
  const { response, key } = outcome
  let bound = session
  if (response) {
    const change = callerChangeIn(call, response, sessions)
    bound = sessions.bindSession(incoming.headers, session, response.cookies, change)
  }
  const writeSet = isSent(call, outcome)
    ? writeSetIn(call, response, store.manifest.site)
    : undefined
  if (!writeSet) return bound
  const hasSucceeded = response !== undefined && !hasFailed(response)
  const isMissed = outcome.reply.cassetteStatus === 'miss' && store.has(key)
  const made = isMissed ? keyOfMissed(key) : key
  sessions.addWrite(bound, { key: made, writeSet, hasSucceeded }, session)
  const isReplayed = outcome.reply.cassetteStatus === 'replayed'
  if (isReplayed) sessions.sent?.addUnsent(writeSet)
  return bound
}

/** A request that was sent, and may have changed the wiki although no answer came. */
export function noteUnanswered(
  call: EpochlessCall,
  key: RequestKey,
  site: SiteFacts | undefined
): void {
  const writeSet = mayWrite(call)
    ? writeSetOf(call.derivation.canonical, site)
    : undefined
  if (writeSet) call.session.addWrite({ key, writeSet, hasSucceeded: false })
}

/**
 * A missed write counts as made: the client goes on, and nothing is known of what it would have changed. One that met trouble
 * (`--trouble`) does not: the client sends it again.
 */
const isSent = (call: EpochlessCall, { reply }: CallOutcome): boolean =>
  mayWrite(call) &&
  !call.otherWiki &&
  reply.cassetteStatus !== 'trouble' &&
  !['write-refused', 'write-replayed', 'unread-body'].includes(reply.missReason ?? '')

/** The recorded one may have been made in another state: no answer from after it is for this one. */
const keyOfMissed = (key: RequestKey): RequestKey =>
  digest(`missed ${key}`, 12) as RequestKey

/** createaccount has effect `session`, and is a write as well. */
function mayWrite({ derivation, parsed: { request } }: EpochlessCall): boolean {
  const { effect, canonical } = derivation
  if (effect === 'write' || createsAccount(canonical)) return true
  return (
    request.kind === 'plain' &&
    isPageView(request.target, request.identity === 'anonymous')
  )
}

const writeSetIn = (
  { derivation: { canonical } }: EpochlessCall,
  response: RecordedResponse | undefined,
  site: SiteFacts | undefined
): WriteSet | undefined =>
  response ? writeSetOfAnswer(canonical, response, site) : writeSetOf(canonical, site)

function callerChangeIn(
  call: EpochlessCall,
  response: RecordedResponse,
  sessions: SessionRegistry
): CallerChange {
  const { canonical } = call.derivation
  const renewed =
    logsInOrOut(canonical) && !hasFailed(response)
      ? identityAfterRenewal(canonical.get('action'), bodyJson(response.body))
      : undefined
  if (renewed !== undefined) {
    const botPassword = botPasswordOf(call, response)
    const after =
      botPassword === undefined
        ? renewed
        : sessions.identities.afterBotLogin(botPassword, renewed)
    return { before: undefined, after, loggedInOrOut: true, botPassword }
  }
  const before = identityInAnswer(call, response, sessions)
  return {
    before,
    after: identityInCookies(response.cookies) ?? before,
    loggedInOrOut: false
  }
}

/** Who is logged in by a login or logout; undefined where nobody is, or the answer is in another format. */
function identityAfterRenewal(
  action: string | undefined,
  tree: JsonTree | undefined
): Identity | undefined {
  if (action === 'logout') return 'anonymous'
  const user = tree && loggedInUser(tree)
  return user === undefined ? undefined : `user:${user}`
}

/** The name that was logged in with, if that is a bot password's. Source: ApiLogin; BotPassword::canonicalizeLoginData. */
function botPasswordOf(
  { parsed: { request } }: EpochlessCall,
  { cookies }: RecordedResponse
): string | undefined {
  const name = apiParamsOf(request).get('lgname')
  const isBots =
    name?.includes('@') === true || cookies.some((one) => one.name.endsWith('_BPsession'))
  return isBots ? name : undefined
}

/** The caller, as this answer tells it; undefined where cookies cannot name one, or the answer does not say. */
export function identityInAnswer(
  { incoming, parsed: { request }, derivation }: EpochlessCall,
  response: RecordedResponse,
  { identities }: SessionRegistry
): Identity | undefined {
  if (lacksOrigin(request) || !identities.isNamedByCredentials(incoming.headers))
    return undefined
  const asksWho = splitValues(derivation.canonical.get('meta') ?? '').includes('userinfo')
  const identity = asksWho ? identityIn(bodyJson(response.body)) : undefined
  if (identity !== undefined)
    return isSameUser(request.identity, identity) ? request.identity : identity
  if (response.headers.get('mediawiki-api-error') === 'assertuserfailed')
    return 'anonymous'
  return mayChangeCaller(derivation) ? undefined : identityInCookies(response.cookies)
}

/** What `meta=userinfo` says. */
export function identityIn(tree: JsonTree | undefined): Identity | undefined {
  const info = memberAt(tree, 'query', 'userinfo')
  const id = memberOf(info, 'id')
  const name = textOf(memberOf(info, 'name'))
  if (id?.kind !== 'literal' || name === undefined) return undefined
  return id.text === '0' ? 'anonymous' : `user:${name}`
}

/** Whom these cookies name from now on. */
function identityInCookies(cookies: readonly RecordedCookie[]): Identity | undefined {
  const id = cookies.find(({ name }) => name.endsWith('UserID'))
  if (!id) return undefined
  if (isDeleted(id.value)) return 'anonymous'
  const name = cookies.find(
    (one) => one.name.endsWith('UserName') && !isDeleted(one.value)
  )
  return name ? `user:${decodeQuery(name.value)}` : 'unknown'
}
