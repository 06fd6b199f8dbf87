/** Requests in flight while recording: each waits for earlier ones of its session that could change its answer, so that it has one epoch. */
import { setTimeout } from 'node:timers/promises'
import type { Session } from '../playback/session/session.ts'
import { lacksOrigin } from '../request/api-request.ts'
import { getOrAdd } from '../text/group-by.ts'
import { type ReadSet, whyAffected } from '../wiki/effects/read-set.ts'
import { type WriteSet, writeSetOf } from '../wiki/effects/write-set.ts'
import type { SiteFacts } from '../wiki/site/site-facts.ts'
import type { Call, EpochlessCall } from './call.ts'
import type { EngineParts } from './engine-parts.ts'
import { createsAccount, logsInOrOut } from './session/caller-identities.ts'

/**
 * @returns `ready` gives the call once it is its turn, and who asks may be another by then; it throws UpstreamError.
 * `end` is to be called once the session has been updated
 */
export function joinFlight(
  call: Call,
  { context: { store, sessions }, calls, ownRequests }: EngineParts
): { readonly ready: () => Promise<EpochlessCall>; readonly end: () => void } {
  const { incoming, parsed, session } = call
  const { turn, uncertainty, end } = enterRace(
    call,
    store.manifest.site,
    session === sessions.common
  )
  const ready = async () => {
    const waitedMs = turn && (await turn)
    const { identities } = sessions
    const isAnonymous = lacksOrigin(parsed.request)
    const isKnown = isAnonymous || !identities.mustBeRequested(incoming.headers)
    const caller = isKnown ? undefined : await ownRequests?.askIdentity(incoming.headers)
    // The wiki may also have said it beside its description.
    const isSame =
      isAnonymous || identities.identityOf(incoming) === parsed.request.identity
    const isUnchanged = waitedMs === undefined && caller === undefined && isSame
    return {
      ...(isUnchanged ? call : await calls.reread(incoming, caller)),
      uncertainty,
      waitedMs
    }
  }
  return { ready, end }
}

type RaceEffect =
  | { readonly kind: 'read'; readonly reads: ReadSet }
  | { readonly kind: 'write'; readonly reads: ReadSet; readonly writes: WriteSet }
  | { readonly kind: 'token' }
  | { readonly kind: 'login' }

interface EnteredRace {
  /** Resolves to the milliseconds waited; undefined where there is nothing to wait for. */
  readonly turn: Promise<number> | undefined
  /** Why its answer may be from before or after a write; undefined where that is certain. */
  readonly uncertainty: () => string | undefined
  readonly end: () => void
}

interface RaceEntry {
  readonly effect: RaceEffect
  readonly ended: Promise<void>
  uncertainty?: string
}

/** Of all engines: several may serve one session, each in another mode. */
const entriesBySession = new WeakMap<Session, Set<RaceEntry>>()

/**
 * @param isCommon true of the common session, which no login or logout changes
 * @param limit milliseconds after which a request no longer waits: many clients give up after 30 s
 */
export function enterRace(
  call: Call,
  site: SiteFacts | undefined,
  isCommon: boolean,
  limit = 30_000
): EnteredRace {
  const { session, incoming } = call
  const entries = getOrAdd(entriesBySession, session, () => new Set())
  let resolve = (): void => undefined
  const ended = new Promise<void>((done) => {
    resolve = done
  })
  const entry: RaceEntry = { effect: raceEffectOf(call, site, isCommon), ended }
  const before = [...entries].filter((other) => conflict(other.effect, entry.effect))
  entries.add(entry)
  return {
    turn:
      before.length === 0 ? undefined : waitFor(entry, before, limit, incoming.signal),
    uncertainty: () => entry.uncertainty,
    end: () => {
      entries.delete(entry)
      resolve()
    }
  }
}

async function waitFor(
  entry: RaceEntry,
  before: readonly RaceEntry[],
  limit: number,
  signal: AbortSignal | undefined
) {
  const startedAt = performance.now()
  const ended = Promise.all(before.map((one) => one.ended))
  // After a timeout only a read does not know its epoch.
  if (await isOverdue(ended, limit, signal))
    for (const one of [entry, ...before])
      if (isRead(one)) one.uncertainty = overdueText(limit)
  return performance.now() - startedAt
}

function raceEffectOf(
  { derivation, dependency }: Call,
  site: SiteFacts | undefined,
  isCommon: boolean
): RaceEffect {
  const { effect, canonical } = derivation
  switch (createsAccount(canonical) ? 'write' : effect) {
    case 'read':
      return { kind: 'read', reads: dependency.readSet }
    case 'write':
      return {
        kind: 'write',
        reads: dependency.readSet,
        writes: writeSetOf(canonical, site)
      }
    case 'session':
      return { kind: !isCommon && logsInOrOut(canonical) ? 'login' : 'token' }
  }
}

/** True where one can change the answer to the other: edits of two pages cannot, moves and uploads can. */
const conflict = (one: RaceEffect, other: RaceEffect): boolean =>
  one.kind === 'login' ||
  other.kind === 'login' ||
  changes(one, other) ||
  changes(other, one)

const changes = (one: RaceEffect, other: RaceEffect) =>
  one.kind === 'write' &&
  'reads' in other &&
  whyAffected(one.writes, other.reads) !== undefined

const isRead = ({ effect: { kind } }: RaceEntry) => kind === 'read' || kind === 'token'

const overdueText = (limit: number) =>
  `a write or login of the same session took longer than ${limit / 1000} s, so it is unknown whether this was answered before or after it`

/** True where the limit passes before the end, and the client has not gone. */
function isOverdue(
  ended: Promise<unknown>,
  limit: number,
  client: AbortSignal | undefined
) {
  const controller = new AbortController()
  void ended.then(() => controller.abort())
  const signal = AbortSignal.any(
    client ? [controller.signal, client] : [controller.signal]
  )
  return setTimeout(limit, true, { signal }).catch(() => false)
}
