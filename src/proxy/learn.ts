/** What a session learns from an answer: who is logged in, and that a write has begun a new epoch. */
import { jsonOf } from '../cassette/body.ts'
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { JsonTree } from '../json/tree.ts'
import { hasFailed, reachAnswered } from '../playback/reach-answered.ts'
import type { Identity } from '../request/api-request.ts'
import { loggedIn } from '../wiki/effects.ts'
import type { SiteFacts } from '../wiki/site.ts'
import type { Question, Served } from './question.ts'
import { decodeCookie, type Sessions } from './sessions.ts'

export function learn(
  question: Question,
  { response, key }: Served,
  sessions: Sessions,
  site: SiteFacts | undefined,
): void {
  if (response === undefined) return
  const { exchange, derivation, session } = question
  // What is kept as a text is read for it: only where it may say who is logged in.
  const tree = derivation.effect === 'session' ? jsonOf(response.body) : undefined
  const { effect, canonical } = derivation
  const user =
    effect === 'session' && !hasFailed(response)
      ? userAfter(canonical.get('action'), response, tree)
      : undefined
  const settled = sessions.settle(exchange, session, response.cookies, user)
  const action = canonical.get('action') ?? ''
  // An account that is made gives its maker a session, and is there for all afterwards.
  const mayChange = effect === 'write' || action === 'createaccount'
  const reach = mayChange ? reachAnswered(canonical, response, site) : undefined
  if (reach !== undefined) settled.wrote({ key, reach })
}

function userAfter(
  action: string | undefined,
  { cookies }: RecordedResponse,
  tree: JsonTree | undefined,
): Identity | undefined {
  if (action === 'logout') return 'anonymous'
  const named = cookies.find(({ name, value }) => name.endsWith('UserName') && value !== 'deleted')?.value
  const user = tree === undefined ? named && decodeCookie(named) : loggedIn(tree)
  return user === undefined ? undefined : `user:${user}`
}
