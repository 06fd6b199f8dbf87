/** The writes of a session that the answer to a request depends on, and the keys that follow from them; what an answered write has changed. */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { bodyJson } from '../../cassette/recorded-body.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { keyForEpoch } from '../../request/scoped-keys.ts'
import { type ReadSet, readSetOf, whyAffected } from '../../wiki/effects/read-set.ts'
import { hasChangedWiki, pagesInAnswer } from '../../wiki/effects/request-effect.ts'
import { type WriteSet, writeSetOf } from '../../wiki/effects/write-set.ts'
import type { SiteFacts } from '../../wiki/site/site-facts.ts'
import { epochAfter, type Session, type SessionWrite } from './session.ts'

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
