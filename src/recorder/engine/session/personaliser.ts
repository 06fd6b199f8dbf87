/** Recorded answers as one client gets them on replay: with cookies that lead back to its session, and tokens of its own. */
import {
  bodyJson,
  type RecordedCookie,
  type RecordedResponse
} from '../../cassette/interaction.ts'
import { itemsOf, type JsonTree } from '../../json/json-tree.ts'
import { mapStrings } from '../../json/map-strings.ts'
import { isPlaceholder, nowPlaceholder } from '../../privacy/secrets/secret.ts'
import type { Derivation } from '../../request/derive.ts'
import { loggedInUser, loginOutcome } from '../../wiki/effects/request-effect.ts'
import { credentialsIn, isDeleted, isSessionCookie } from './caller-cookies.ts'
import { logsInOrOut, mayChangeCaller } from './caller-identities.ts'
import { issueToken, type TokenHolder } from './issued-tokens.ts'
import { issuedValue, newSessionId, sessionIdOf } from './issued-values.ts'

/** What `intoken` and `action=tokens` name apart and is one token now. Source: https://www.mediawiki.org/wiki/API:Tokens_(action) */
const editTokens = /^(?:edit|delete|protect|move|block|unblock|email|import|options)$/

const redactedToken = /^0{32,}\+\\$/

export function personalise(
  response: RecordedResponse,
  derivation: Derivation,
  { credentials, identity }: TokenHolder
): RecordedResponse {
  if (response.cookies.length === 0 && derivation.effect !== 'session') return response
  const id = credentials.map(sessionIdOf)[0] ?? newSessionId()
  const cookies = cookiesFor(response, derivation, credentials).map((cookie) =>
    isDeleted(cookie.value) ||
    !isPlaceholder(cookie.value) ||
    cookie.value === nowPlaceholder
      ? cookie
      : { ...cookie, value: derivedValueLike(cookie, id, credentials) }
  )
  const { body } = response
  if (derivation.effect !== 'session' || body.kind !== 'json')
    return { ...response, cookies }
  // A client without a session gets one with its token.
  const owned = credentials.length > 0 ? credentials : credentialsIn(cookies)
  const tree = withTokens(body.tree, { credentials: owned, identity })
  return { ...response, cookies, body: { ...body, tree } }
}

/** True where an answer gives its caller a session or a token: replayed while recording, the wiki would not accept it. */
export function issuesCredentials(
  response: RecordedResponse,
  derivation: Derivation,
  credentials: readonly string[]
): boolean {
  const { body } = response
  const cookies = cookiesFor(response, derivation, credentials)
  return (
    cookies.some(({ value }) => !isDeleted(value)) ||
    (body.kind === 'json' && hasToken(body.tree))
  )
}

/** A caller without a session has nothing to lose; one with a session gets none by a read. */
function cookiesFor(
  response: RecordedResponse,
  derivation: Derivation,
  credentials: readonly string[]
) {
  if (credentials.length > 0) return withoutSessionCookies(response, derivation).cookies
  return mayChangeCaller(derivation)
    ? response.cookies
    : response.cookies.filter(({ value }) => !isDeleted(value))
}

function withTokens(tree: JsonTree, holder: TokenHolder) {
  return mapStrings(tree, (value, { path }) => {
    const kind = /^(\w*?)token$/.exec(path.at(-1) ?? '')?.[1]
    if (kind === undefined || !redactedToken.test(value)) return value
    const type =
      kind === '' || kind === 'lg' ? 'login' : editTokens.test(kind) ? 'csrf' : kind
    return issueToken(type, value.length, holder)
  })
}

const hasToken = (tree: JsonTree) =>
  tree.kind === 'string' ? redactedToken.test(tree.value) : itemsOf(tree).some(hasToken)

/** As a caller with a session gets it: only a login that is done or a logout gives another session; cookies that name the caller stay. */
export function withoutSessionCookies(
  response: RecordedResponse,
  derivation: Derivation
): RecordedResponse {
  if (logsInOrOut(derivation.canonical) && !isUnfinishedLogin(response)) return response
  const named = mayChangeCaller(derivation)
  const cookies = response.cookies.filter(
    (one) => one.optedIn === true || (named && !isSessionCookie(one))
  )
  return { ...response, cookies }
}

/** Asks for a token or more fields, or refuses: the caller keeps the session that it has. */
function isUnfinishedLogin({ body }: RecordedResponse) {
  const tree = bodyJson(body)
  return (
    tree !== undefined &&
    loginOutcome(tree) !== undefined &&
    loggedInUser(tree) === undefined
  )
}

/** The same shape as what was redacted: session ids of PHP are 32 letters and digits. @param sent makes it another one than those */
function derivedValueLike(cookie: RecordedCookie, id: string, sent: readonly string[]) {
  const { value } = cookie
  const salt = [cookie.name, ...sent].join(' ')
  if (/^0+$/.test(value)) return issuedValue(id, salt, value.length)
  return isSessionCookie(cookie) ? issuedValue(id, salt, 32) : value
}
