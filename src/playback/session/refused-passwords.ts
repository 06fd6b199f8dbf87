/**
 * Tells a wrong password from others, where a login was recorded with both: a check of eight bits for each password that
 * the wiki refused, and none for one that it took (docs/decisions/0074).
 */
import { bodyJson, type Interaction, type RecordedResponse } from '../../cassette/interaction.ts'
import { digest, type RequestKey } from '../../request/request-key.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { loggedInUser, loginOutcome } from '../../wiki/effects/request-effect.ts'
import type { Params } from '../../wiki/parameters/request-params.ts'

/** Undefined for requests that log nobody in. */
function passwordCheck(params: Params): string | undefined {
  const action = params.get('action')
  const name = { login: 'lgname', clientlogin: 'username' }[action ?? '']
  const password = params.get(action === 'login' ? 'lgpassword' : 'password')
  return name === undefined || password === undefined
    ? undefined
    : digest(`${params.get(name)} ${password}`, 2)
}

/** Undefined for what is no end of a login. */
function isLoggedIn({ body }: RecordedResponse): boolean | undefined {
  const tree = bodyJson(body)
  const outcome = tree && loginOutcome(tree)
  return tree === undefined || !/^(?:Success|PASS|Fail|FAIL)/.test(outcome ?? '')
    ? undefined
    : loggedInUser(tree) !== undefined
}

interface Checks {
  readonly refused: Set<string>
  readonly taken: Set<string>
}

/** The passwords that logins were tried with in a run. */
export class TriedPasswords {
  readonly #checks = new Map<RequestKey, Checks>()

  note(login: RequestKey, params: Params, answer: RecordedResponse): void {
    const check = passwordCheck(params)
    const loggedIn = check === undefined ? undefined : isLoggedIn(answer)
    if (check === undefined || loggedIn === undefined) return
    const checks = getOrAdd(this.#checks, login, () => ({
      refused: new Set<string>(),
      taken: new Set<string>(),
    }))
    checks[loggedIn ? 'taken' : 'refused'].add(check)
  }

  /** For a recording; undefined unless this login both failed and succeeded, and the checks tell the one from the other. */
  refused(login: RequestKey, responses: readonly RecordedResponse[]): Interaction['refused'] {
    const { refused, taken } = this.#checks.get(login) ?? {}
    const ended = new Set(responses.map(isLoggedIn))
    if (refused === undefined || !ended.has(true) || !ended.has(false)) return undefined
    const isClear = [...refused].every((check) => taken?.has(check) === false)
    return isClear && refused.size > 0 ? [...refused].sort() : undefined
  }
}

/** False where a login would get the answer to another password. */
export function fitsPassword(
  params: Params,
  response: RecordedResponse,
  refused: Interaction['refused'],
): boolean {
  const check = refused && passwordCheck(params)
  const loggedIn = isLoggedIn(response)
  if (refused === undefined || check === undefined || loggedIn === undefined) return true
  return refused.includes(check) !== loggedIn
}
