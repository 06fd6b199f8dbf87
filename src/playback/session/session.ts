/**
 * One client's progress in a cassette: its writes, each the start of an *epoch*, and its position in each sequence of
 * answers; and the writes that the answer to a request depends on.
 */
import { bodyJson, type Interaction, type RecordedResponse } from '../../cassette/interaction.ts'
import type { Derivation } from '../../request/derive.ts'
import { type CanonicalRequest, digest, type RequestKey } from '../../request/request-key.ts'
import { keyForEpoch } from '../../request/scoped-keys.ts'
import { type ReadSet, readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import { hasChangedWiki, pagesInAnswer } from '../../wiki/effects/request-effect.ts'
import { type WriteSet, writeSetFromJson, writeSetOf, writeSetToJson } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'

/** A write that succeeded, by the key of its recording. */
export interface SessionWrite {
  readonly key: RequestKey
  readonly writeSet: WriteSet
}

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
  readonly writes: readonly (readonly [RequestKey, writeSet: Readonly<Record<string, unknown>>])[]
  readonly history: readonly (readonly [RequestKey, readonly AnsweredRange[]])[]
}

/** Up to this many writes are listed by key; more become a count and a digest. */
const maxNamedWrites = 40

export class Session {
  /** As the client named it (`X-Cassette-Session`); undefined for a session known by its cookies alone. */
  readonly name: string | undefined
  readonly #writes: SessionWrite[] = []
  /** By exact key: the key of the request as it was spelled. */
  readonly #history = new Map<RequestKey, readonly AnsweredRange[]>()

  constructor(name: string | undefined) {
    this.name = name
  }

  addWrite(write: SessionWrite): void {
    this.#writes.push(write)
  }

  removeWrite(write: SessionWrite): void {
    const at = this.#writes.indexOf(write)
    if (at >= 0) this.#writes.splice(at, 1)
  }

  /** In the order made. */
  get writes(): readonly SessionWrite[] {
    return this.#writes
  }

  /** How many answers this session got to a request. */
  position(exactKey: RequestKey): number {
    return this.history(exactKey).reduce((sum, { count }) => sum + count, 0)
  }

  advance(exactKey: RequestKey, { key, position, reordered }: Omit<AnsweredRange, 'count'>): void {
    const history = this.history(exactKey)
    const last = history.at(-1)
    const continues =
      last?.key === key && last.reordered === reordered && last.position + last.count === position
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
    const writes = this.#writes.map(({ key, writeSet }) => [key, writeSetToJson(writeSet)] as const)
    return { writes, history: [...this.#history] }
  }

  /** Replaces what it has done by a state that was written elsewhere. */
  restore({ writes, history }: SessionState): void {
    this.#writes.splice(0)
    for (const [key, writeSet] of writes) this.#writes.push({ key, writeSet: writeSetFromJson(writeSet) })
    this.#history.clear()
    for (const [key, ranges] of history) this.#history.set(key, ranges)
  }

  history(exactKey: RequestKey): readonly AnsweredRange[] {
    return this.#history.get(exactKey) ?? []
  }
}

/** The name of the epoch after these writes, in whatever order they ended; empty before the first. */
export function epochAfter(writes: readonly SessionWrite[]): string {
  const keys = writes.map(({ key }) => key).sort()
  const names = keys.join(' ')
  return keys.length <= maxNamedWrites ? names : `${keys.length} writes ${digest(names, 12)}`
}

/** The answer at a position of a sequence; the last one repeats. */
export const responseAt = <T>(responses: readonly [T, ...T[]], position: number): T =>
  responses[Math.min(position, responses.length - 1)] ?? responses[0]

const maxEpochsTried = 50

export interface WriteDependency {
  /** The request in its present epoch: after the writes that may have changed its answer. */
  readonly scoped: Derivation
  readonly relevantWrites: readonly SessionWrite[]
  /** Why the last of them is relevant; undefined where there is none. */
  readonly reason: string | undefined
  readonly readSet: ReadSet
}

export function writeDependencyOf(
  derivation: Derivation,
  session: Session,
  site: SiteFacts | undefined,
): WriteDependency {
  const readSet = readSetOf(derivation.canonical, derivation.effect, site)
  const relevantWrites = session.writes.filter(({ writeSet }) => whyAffected(writeSet, readSet) !== undefined)
  const last = relevantWrites.at(-1)
  const scoped = keyForEpoch(derivation, epochAfter(relevantWrites))
  return { scoped, relevantWrites, reason: last && whyAffected(last.writeSet, readSet), readSet }
}

/** The present key, then those that version 0.1 named by every write of an epoch in which nothing relevant was written. */
export function* equivalentDerivations(
  derivation: Derivation,
  session: Session,
  { scoped, relevantWrites }: WriteDependency,
): IterableIterator<Derivation> {
  yield scoped
  const { writes } = session
  const last = relevantWrites.at(-1)
  const oldest = last === undefined ? 1 : writes.lastIndexOf(last) + 1
  for (let count = writes.length; count >= Math.max(oldest, writes.length - maxEpochsTried); count -= 1) {
    const older = keyForEpoch(derivation, epochAfter(writes.slice(0, count)))
    if (older.key !== scoped.key) yield older
  }
}

/** True where the wiki reports a failure by its status or a header. */
export const hasFailed = ({ headers, status }: RecordedResponse): boolean =>
  headers.has('mediawiki-api-error') || status >= 400

/** What a wiki shows where it found no parameters in the request, e.g. because its body is JSON. */
const isHelpPage = ({ headers }: RecordedResponse): boolean =>
  headers.get('content-disposition')?.includes('api-help.html') === true

/** Undefined where the write changed nothing. */
export function writeSetOfAnswer(
  request: CanonicalRequest,
  response: RecordedResponse,
  site: SiteFacts | undefined,
): WriteSet | undefined {
  const action = request.get('action') ?? ''
  const tree = bodyJson(response.body)
  if (hasFailed(response) || isHelpPage(response) || !hasChangedWiki(action, tree)) return undefined
  const { titles, ids } = pagesInAnswer(action, tree)
  return writeSetOf(request, titles, ids, site)
}

/** Undefined where it changed nothing, or succeeded more than once: then nothing tells which answer is meant. */
export function writeSetOfInteraction(
  { request, responses }: Interaction,
  site: SiteFacts | undefined,
): WriteSet | undefined {
  const [writeSet, another] = responses.flatMap((response) => writeSetOfAnswer(request, response, site) ?? [])
  return another === undefined ? writeSet : undefined
}
