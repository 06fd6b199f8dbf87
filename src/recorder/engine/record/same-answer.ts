/** Whether two recorded answers mean the same to a client. */
import {
  bodyJson,
  type RecordedResponse,
  sameRecording
} from '../../cassette/interaction.ts'
import type { Derivation } from '../../request/derive.ts'
import { loginOutcome } from '../../wiki/effects/request-effect.ts'
import { isDeleted } from '../session/caller-cookies.ts'
import { withoutSessionCookies } from '../session/personaliser.ts'

/** True where two answers are equal but for the cookies of a new session, or are the same login. */
export const isSameAnswer = (
  old: RecordedResponse,
  fresh: RecordedResponse,
  derivation: Derivation
): boolean =>
  sameRecording(
    withoutSessionCookies(old, derivation),
    withoutSessionCookies(fresh, derivation)
  ) ||
  (derivation.effect === 'session' && sameLogin(old, fresh))

/** True for logins with the same outcome and cookies; other differences mean nothing to the caller. */
function sameLogin(old: RecordedResponse, fresh: RecordedResponse) {
  const effectOf = ({ body, cookies, status }: RecordedResponse) => {
    const tree = bodyJson(body)
    const outcome = tree && loginOutcome(tree)
    const set = cookies.map(({ name, value }) => `${name} ${isDeleted(value)}`).sort()
    return outcome && [outcome, status, ...set].join('\n')
  }
  return effectOf(old) !== undefined && effectOf(old) === effectOf(fresh)
}

/** True where replay can serve the old answer in place of the fresh one. */
export const canReplay = (
  old: RecordedResponse,
  fresh: RecordedResponse,
  derivation: Derivation
): boolean =>
  old.cookies.length >= fresh.cookies.length && isSameAnswer(old, fresh, derivation)
