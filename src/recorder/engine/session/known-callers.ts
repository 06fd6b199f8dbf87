/** Callers whom their requests do not name, as the cassette knows them: by `Authorization`, or by a bot password. */
import type { KnownCaller } from '../../cassette/format/manifest.ts'
import type { Identity } from '../../request/api-request.ts'

export type KnownCallers = readonly KnownCaller[] | undefined

/** Whom an `Authorization` header names; undefined where none was recorded, or not since the wiki is asked. */
export function callerByHeader(
  callers: KnownCallers,
  session: string
): Identity | undefined {
  const all = (callers ?? []).filter(({ login }) => login === undefined)
  const own = all.filter((one) => session !== '' && one.session === session)
  return onlyOne(own.length > 0 ? own : all)
}

/** Whom a session of a bot password is of. @param login the name that was logged in with, where it is known */
export function callerByBotPassword(
  callers: KnownCallers,
  login?: string
): Identity | undefined {
  const all = (callers ?? []).filter((one) => one.login !== undefined)
  const own = all.filter((one) => one.login === login)
  return onlyOne(login === undefined ? all : own)
}

function onlyOne(callers: readonly KnownCaller[]) {
  const [first, ...others] = new Set(callers.map(({ as }) => as))
  if (first === undefined) return undefined
  return others.length > 0 ? 'unknown' : (first as Identity)
}

/** True where an answer that names only the user says nothing new of a caller. */
export const isSameUser = (known: Identity, named: Identity): boolean =>
  known === named || known.startsWith(`${named} [`)

/** @returns undefined where the cassette knows it already */
export function withCaller(callers: KnownCallers, fresh: KnownCaller): KnownCallers {
  const { as, login, session } = fresh
  const isKnown = callers?.some(
    (one) => one.as === as && one.login === login && one.session === session
  )
  return isKnown ? undefined : [...(callers ?? []), fresh]
}
