/**
 * One client's progress in a cassette: its position in each sequence of answers, and its writes, each of which begins an
 * *epoch*; and the writes that the answer to a request depends on.
 */
import {
  bodyJson,
  type Interaction,
  type RecordedResponse
} from '../../cassette/interaction.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest, RequestKey } from '../../request/request-key.ts'
import { keyForEpoch, keyWithoutGuards } from '../../request/scoped-keys.ts'
import {
  namedPagesRead,
  type ReadSet,
  readSetOf,
  whyAffected
} from '../../wiki/effects/read-set.ts'
import { isEarlyError, writeOutcome } from '../../wiki/effects/request-effect.ts'
import {
  type WriteSet,
  writeSetOf,
  writeSetOfDone
} from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import {
  epochAfter,
  type OthersWrites,
  type OtherWrite,
  type SessionWrite,
  sortedByKey,
  WriteLog,
  writesAffecting
} from './write-log.ts'

/** Consecutive answers of one recording that a session got: `count` of them, from index `position` on. */
export interface AnsweredRange {
  readonly key: RequestKey
  readonly position: number
  readonly count: number
  /** They were served in another order or spelling than recorded. */
  readonly reordered: boolean
}

/** A session as JSON: sets as lists. */
export interface SessionState {
  readonly writes: readonly RequestKey[]
  readonly history: readonly (readonly [RequestKey, readonly AnsweredRange[]])[]
}

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for a session known by its cookies alone. */
  readonly name: string | undefined
  readonly #writeLog: WriteLog
  readonly #begunAt: number
  #writes: SessionWrite[] = []
  /** By exact key: the key of the request as it was spelled. */
  readonly #history = new Map<RequestKey, readonly AnsweredRange[]>()

  constructor(name: string | undefined, writeLog: WriteLog = new WriteLog()) {
    this.name = name
    this.#writeLog = writeLog
    this.#begunAt = writeLog.size
  }

  addWrite(write: SessionWrite): void {
    this.#writes.push(write)
    this.#writeLog.add(this, write)
  }

  removeWrite(write: SessionWrite): void {
    this.#writes = this.#writes.filter((one) => one !== write)
    this.#writeLog.remove(this, write)
  }

  /**
   * Those of other sessions that may have changed an answer; of before this session only those of the very pages. A client that
   * names its session wants to be free of others.
   * @param named the pages that the request is about, if it is about these alone
   */
  othersWrites(readSet: ReadSet, named: ReadSet | undefined): readonly OtherWrite[] {
    if (this.name !== undefined) return []
    return this.#writeLog.notBy(this, this.#begunAt).flatMap((one) => {
      if (isOfPages(one, named)) return [{ ...one, isNew: true }]
      return whyAffected(one.writeSet, readSet) === undefined ? [] : [one]
    })
  }

  /** In the order made. */
  get writes(): readonly SessionWrite[] {
    return this.#writes
  }

  /** The keys that older versions named an epoch by: successful writes, in any order. */
  get ownWrites(): readonly SessionWrite[] {
    return this.#writes.filter(({ hasSucceeded }) => hasSucceeded !== false)
  }

  /** How many answers this session got to a request. */
  position(exactKey: RequestKey): number {
    return this.history(exactKey).reduce((sum, { count }) => sum + count, 0)
  }

  advance(
    exactKey: RequestKey,
    { key, position, reordered }: Omit<AnsweredRange, 'count'>
  ): void {
    const history = this.history(exactKey)
    const last = history.at(-1)
    const continues =
      last?.key === key &&
      last.reordered === reordered &&
      last.position + last.count === position
    const ranges = continues
      ? [...history.slice(0, -1), { ...last, count: last.count + 1 }]
      : [...history, { key, position, reordered, count: 1 }]
    this.#history.set(exactKey, ranges)
  }

  /** Takes over the history of another key, where this one has none. */
  inherit(exactKey: RequestKey, from: RequestKey): void {
    if (!this.#history.has(exactKey)) this.#history.set(exactKey, this.history(from))
  }

  state(): SessionState {
    return { writes: this.writes.map(({ key }) => key), history: [...this.#history] }
  }

  /** Replaces what it has done by a state that was written elsewhere. */
  restore(
    { writes, history }: SessionState,
    writeSetOf: (key: RequestKey) => WriteSet
  ): void {
    const made = writes.map((key) => ({ key, writeSet: writeSetOf(key) }))
    this.#writes = []
    for (const write of made) this.addWrite(write)
    this.#history.clear()
    for (const [key, ranges] of history) this.#history.set(key, ranges)
  }

  history(exactKey: RequestKey): readonly AnsweredRange[] {
    return this.#history.get(exactKey) ?? []
  }
}

const isOfPages = ({ writeSet }: SessionWrite, named: ReadSet | undefined) =>
  writeSet.kind === 'pages' &&
  named !== undefined &&
  whyAffected(writeSet, named) !== undefined

/** Of all callers without credentials: each may be a client that has just begun, and asks for a page as it is. */
export class CommonSession extends Session {
  override othersWrites(
    readSet: ReadSet,
    named: ReadSet | undefined
  ): readonly OtherWrite[] {
    const others = super.othersWrites(readSet, named)
    return named ? others.filter((one) => isOfPages(one, named)) : others
  }
}

/** The answer at a position of a sequence; the last one repeats. */
export const responseAt = <T>(responses: readonly [T, ...T[]], position: number): T =>
  responses[Math.min(position, responses.length - 1)] ?? responses[0]

export interface WriteDependency extends OthersWrites {
  /** The request in its present epoch: after the writes that may have changed its answer. */
  readonly scoped: Derivation
  readonly relevantWrites: readonly SessionWrite[]
  /** Why the last of them is relevant; undefined where there is none. */
  readonly reason: string | undefined
}

export function writeDependencyOf(
  derivation: Derivation,
  session: Session,
  site: SiteFacts | undefined
): WriteDependency {
  const readSet = readSetOf(derivation.canonical, derivation.effect, site)
  const relevantWrites = writesAffecting(session.writes, readSet)
  const last = relevantWrites.at(-1)
  const scoped = keyForEpoch(derivation, epochAfter(relevantWrites, readSet.isOrdered))
  const reason = last && whyAffected(last.writeSet, readSet)
  // An account is there for all sessions, so that creating it is answered by what others wrote.
  const createsAccount = derivation.canonical.get('action') === 'createaccount'
  const shown = createsAccount ? readSetOf(derivation.canonical, 'write', site) : readSet
  const others = () =>
    session.othersWrites(shown, namedPagesRead(derivation.canonical, shown, site))
  return { scoped, relevantWrites, reason, readSet, others }
}

/** The present key, then those that an older version would have given: by the session's own writes, sorted. */
export function* equivalentDerivations(
  derivation: Derivation,
  session: Session,
  { scoped, relevantWrites }: WriteDependency,
  isOlder: boolean
): IterableIterator<Derivation> {
  yield scoped
  if (!isOlder) return
  const own = session.ownWrites
  const relevant = own.filter((one) => relevantWrites.includes(one))
  const plain = derivation.effect === 'write' ? keyWithoutGuards(derivation) : derivation
  for (const writes of [relevant, own]) {
    const older = keyForEpoch(plain, epochAfter(sortedByKey(writes), true))
    if (older.key !== scoped.key) yield older
  }
}

/** True if the wiki reports a failure by its status or a header. */
export const hasFailed = ({ headers, status }: RecordedResponse): boolean =>
  headers.has('mediawiki-api-error') || status >= 400

/** Undefined if the wiki refused it before anything could change. */
export function writeSetOfAnswer(
  request: CanonicalRequest,
  response: RecordedResponse,
  site: SiteFacts | undefined
): WriteSet | undefined {
  const { headers } = response
  // What a wiki shows if it found no parameters in the request, e.g. because its body is JSON.
  const isHelp = headers.get('content-disposition')?.includes('api-help.html')
  if (isHelp || isEarlyError(headers.get('mediawiki-api-error') ?? '')) return undefined
  const outcome = writeOutcome(request.get('action') ?? '', bodyJson(response.body))
  return hasFailed(response)
    ? writeSetOf(request, site, outcome)
    : writeSetOfDone(request, outcome, site)
}

/** Undefined if it changed nothing, or was made more than once: then nothing tells which answer is meant. */
export function writeSetOfInteraction(
  { request, responses }: Interaction,
  site: SiteFacts | undefined
): WriteSet | undefined {
  const [writeSet, another] = responses.flatMap(
    (response) => writeSetOfAnswer(request, response, site) ?? []
  )
  return another ? undefined : writeSet
}
