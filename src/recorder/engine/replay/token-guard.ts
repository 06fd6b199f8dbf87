/** Refuses tokens of the wrong kind as the wiki does. Source: https://www.mediawiki.org/wiki/API:Tokens; measured on 1.35 and 1.43. */
import { bodyJson } from '../../cassette/interaction.ts'
import { renderReply } from '../../http/render-reply.ts'
import { memberOf, textOf } from '../../json/json-tree.ts'
import type { SessionMatch } from '../../playback/lookup/find-in-session.ts'
import type { RecordedMatch } from '../../playback/lookup/match.ts'
import { writeDependencyOf } from '../../playback/session/session.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { keyForTokenKind } from '../../request/scoped-keys.ts'
import { tokenKinds } from '../../request/secret-params.ts'
import type { Store } from '../../store/store.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { hasSucceeded } from '../../wiki/effects/request-effect.ts'
import { isVersionSince } from '../../wiki/site/site-facts.ts'
import type { AnswerPlan, Call } from '../call.ts'
import type { EngineParts } from '../engine-parts.ts'
import { isTokenOf, tokenTypeOf } from '../session/issued-tokens.ts'
import { tokenRefusal } from './api-error.ts'

/** Recordings that are searched for a reference to the wiki's documentation. */
const maxSearched = 500

/**
 * The wiki's refusal, where the token is for something else, or is none and the request was recorded with a right one.
 * `unknown` if the cassette does not show how this wiki words it.
 */
export function planRefusal(
  call: Call,
  { match }: SessionMatch,
  { context: { store, sessions, now }, lookup }: EngineParts
): AnswerPlan | 'unknown' | undefined {
  const { incoming, parsed, derivation, dependency } = call
  const { request } = parsed
  const accepted =
    match.kind === 'missing' ? findWithOtherToken(call, store, lookup) : undefined
  const credentials = sessions.credentialsOf(incoming.headers)
  if (!accepted && !isForOtherUse(request, derivation, credentials)) return undefined
  // A recorded refusal is replayed at its position in the sequence.
  if (
    match.kind === 'recorded' &&
    match.response.headers.get('mediawiki-api-error') === 'badtoken'
  )
    return undefined
  const response = refusalOf(request, store)
  const { key } = dependency.scoped
  const { rewriting } = incoming
  const serving = { status: 'synthesized', key, now: now(), rewriting } as const
  const reply = response && renderReply(response, request, serving)
  if (reply === undefined || typeof reply === 'string') return 'unknown'
  return { outcome: { reply, key, response }, match: accepted }
}

function findWithOtherToken(call: Call, store: Store, lookup: EngineParts['lookup']) {
  const { tokenTypes, canonical } = call.derivation
  for (const name of tokenTypes.keys())
    for (const kind of tokenKinds) {
      if (canonical.get(name) === kind) continue
      const derivation = keyForTokenKind(call.derivation, name, kind)
      const dependency = writeDependencyOf(derivation, call.session, store.manifest.site)
      const { match } = lookup({ ...call, derivation, dependency })
      if (match.kind === 'recorded' && wasAccepted(match)) return match
    }
  return undefined
}

/** A caller without an account has the same token for everything. */
const anonymousToken = '+\\'

/** True where a token was issued for something else, or to another session. */
function isForOtherUse(
  request: WikiRequest,
  { tokenTypes }: Derivation,
  credentials: readonly string[]
) {
  if (request.kind === 'plain') return false
  const { identity } = request
  return [...tokenTypes].some(([name, type]) => {
    const token = request.params.get(name) ?? ''
    if (token === anonymousToken) return false

    const kind = tokenTypeOf(token)
    return (
      kind !== undefined &&
      (kind !== type || !isTokenOf(token, { credentials, identity }))
    )
  })
}

/** By whether the session had a token before, and when the token was made. Source: ApiLogin, ApiCheckToken */
const answersInOwnWords: ReadonlySet<string> = new Set(['login', 'checktoken'])

/** Undefined where the wiki's refusal is not known. */
function refusalOf(request: WikiRequest, store: Store) {
  if (request.kind === 'plain' || request.envelope.kind === 'opaque') return undefined
  const generator = store.manifest.site?.generator
  const { params } = request
  if (!isVersionSince(generator, 27) || (params.get('errorformat') ?? 'bc') !== 'bc')
    return undefined
  if (answersInOwnWords.has(params.get('action') ?? '')) return undefined
  const docref = docrefOf(store)
  return docref === undefined ? undefined : tokenRefusal(params, generator, docref)
}

/** References to the documentation: empty where none was found. */
const docrefs = new WeakMap<Store, string>()

/** The reference to the documentation, the same in each error of a wiki. */
export const docrefOf = (store: Store): string | undefined =>
  getOrAdd(docrefs, store, () => searchDocref(store) ?? '') || undefined

function searchDocref(store: Store) {
  for (const [key] of [...store.paths()].slice(0, maxSearched)) {
    for (const { body } of store.get(key).interaction?.responses ?? []) {
      const error = memberOf(bodyJson(body), 'error')
      const docref = textOf(memberOf(error, '*') ?? memberOf(error, 'docref'))
      if (docref !== undefined) return docref
    }
  }
  return undefined
}

const wasAccepted = ({ interaction }: RecordedMatch) =>
  interaction.responses.some(({ headers, body }) => {
    const tree = bodyJson(body)
    const action = interaction.request.get('action') ?? ''
    return (
      !headers.has('mediawiki-api-error') &&
      tree !== undefined &&
      hasSucceeded(action, tree)
    )
  })
