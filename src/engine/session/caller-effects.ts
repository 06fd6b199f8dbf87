/** Which requests may change who their caller is. */
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'

/** True of actions after which the caller's session is another one. */
export const logsInOrOut = (canonical: CanonicalRequest): boolean =>
  /^(?:login|clientlogin|logout)$/.test(canonical.get('action') ?? '')

/** True of what may make its caller another one: an edit can give a temporary account, a form of the wiki log in. */
export const mayChangeCaller = ({ effect, canonical }: Derivation): boolean =>
  effect === 'write' || canonical.has('plain body') || logsInOrOut(canonical)

/** True of `createaccount`: it hands out a session, and its account exists for all callers afterwards. */
export const createsAccount = (canonical: CanonicalRequest): boolean =>
  canonical.get('action') === 'createaccount'
