/** Synthesizes answers from the recordings of a folder: parts of listings, and compositions of recorded pages. */
import {
  answerDigest,
  type Interaction,
  type RecordedResponse,
  selectBodyMembers
} from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import { mayHaveAll, type NameChoice } from '../../cassette/name-search.ts'
import { renderReply } from '../../http/render-reply.ts'
import { type JsonTree, memberAt } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import type { Listing } from '../../paging/joining/listing.ts'
import { type Listings, readListings } from '../../paging/joining/listings.ts'
import { endsByTime, keepsKeys } from '../../paging/reading/batch.ts'
import { synthesize } from '../../paging/synthesize.ts'
import type { Trial } from '../../playback/decide.ts'
import {
  type LoopGuard,
  type WalkStep,
  walkStepOf
} from '../../playback/session/loop-guard.ts'
import {
  equivalentDerivations,
  type Session,
  writeSetOfInteraction
} from '../../playback/session/session.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import type { WriteSet } from '../../wiki/effects/write-set.ts'
import { type AnswerPlan, type Call, wikiFactsOf } from '../call.ts'
import { listingParams, usefulFor } from './choose-by-name.ts'
import { composeAny } from './compose-any.ts'
import { FolderSnapshot } from './folder-snapshot.ts'
import {
  showingEntities,
  showingErrors,
  showingIds,
  showingPages,
  warningOfUnknown
} from './other-folders.ts'
import {
  lacking,
  mayAnswer,
  type SynthesisResult,
  sharedHeaders,
  synthesisResultOf,
  writtenAnswer
} from './synthesis-result.ts'
import {
  plainRecording,
  sameButUnknown,
  warnOfUnknown,
  withoutIdle
} from './unknown-params.ts'

export class Synthesizer {
  readonly #store: Store
  readonly #snapshot: FolderSnapshot
  readonly #trust: WikiFacts['trust']
  /** The listings of one folder, batches joined; of a large one, of the recordings that have the parameters of one listing. */
  readonly listingsIn: (folder: string, choice?: NameChoice) => Listings

  /** @param trust `learned` where only recordings count, and nothing that is known of MediaWiki */
  constructor(
    store: Store,
    trust?: WikiFacts['trust'],
    snapshot: FolderSnapshot = new FolderSnapshot(store)
  ) {
    this.#store = store
    this.#snapshot = snapshot
    this.#trust = trust
    this.listingsIn = snapshot.memoize(this.listingsOf)
  }

  /** The listings of these recordings, batches joined. @param interactions all that a folder has */
  readonly listingsOf = (interactions: readonly Interaction[]): Listings =>
    readListings(this.#forAll(interactions), this.#facts, () =>
      showingIds(this.#store, this.#snapshot)
    )

  /** Without answers that a request header chose, or a write of another session: what is made of them would be for none in particular. */
  #forAll(found: readonly Interaction[]): readonly Interaction[] {
    const facts = this.#facts
    return found
      .filter(
        ({ chosenBy, responses }) =>
          chosenBy === undefined &&
          responses.every(({ afterOthers }) => afterOthers === undefined)
      )
      .map((one) => plainRecording(one, facts))
  }

  /** Read when they are needed. */
  #forAllOf(found: () => Iterable<Interaction>): Iterable<Interaction> {
    return { [Symbol.iterator]: () => this.#forAll([...found()]).values() }
  }

  readonly #showingPages = (derivation: Derivation, ofAnyProps = false) =>
    this.#forAllOf(() =>
      showingPages(derivation, this.#store, this.#snapshot, ofAnyProps)
    )

  get #facts(): WikiFacts {
    return wikiFactsOf(this.#store, this.#trust)
  }

  /** The recorder's own description of a module. */
  readonly #describe = (path: string): JsonTree | undefined =>
    this.#store.manifest.describesItself
      ? readTree(this.#store.moduleText(path))
      : undefined

  readonly #writeSetOf = (write: RequestKey): WriteSet | undefined => {
    const found = this.#store.get(write).interaction
    return found && writeSetOfInteraction(found, this.#facts.site)
  }

  /** @param session its writes decide which recorded pages are current */
  answer(
    request: WikiRequest,
    derivation: Derivation,
    session: Session
  ): SynthesisResult {
    if (!mayAnswer(request, derivation)) return { kind: 'nothing' }
    const warning = () => warningOfUnknown(derivation, this.#store, this.#snapshot)
    const wanted = withoutIdle(derivation, this.#facts, warning) ?? derivation
    const folders = [derivation, wanted].map(({ canonical }) => folderOf(canonical))
    let found: SynthesisResult = { kind: 'nothing' }
    for (const folder of new Set(folders))
      if (found.kind !== 'synthesized')
        found = this.#find(wanted, session, folder, wanted !== derivation)
    if (found.kind !== 'synthesized') return found
    const body = warnOfUnknown(found.body, derivation, wanted, this.#facts)
    const hasKeys = body && keepsKeys(memberAt(body, 'query', 'pages'))
    return hasKeys && !endsByTime(body) ? { ...found, body } : { kind: 'nothing' }
  }

  /** @param isPlain true where it was sent with more that says nothing */
  #find(
    derivation: Derivation,
    session: Session,
    folder: string,
    isPlain: boolean
  ): SynthesisResult {
    const why = this.#snapshot.whyNotSearched(folder)
    if (why !== undefined) return lacking('param-differs', `${why}.`)
    const facts = this.#facts
    const found = this.#fromListing(derivation, folder)
    if (found.kind === 'synthesized') return found
    // Read only by a composition that fits the request.
    const shown = usefulFor(derivation.canonical)
    const all = (): readonly Interaction[] => this.#snapshot.interactionsIn(folder, shown)
    const recordings = this.#forAllOf(all)
    const isOlder = this.#store.manifest.writes === undefined
    const writes = isOlder ? session.ownWrites : session.writes
    const history = { writes, writeSetOf: this.#writeSetOf, isOlder }
    const composed =
      (isPlain ? sameButUnknown(derivation, recordings) : undefined) ??
      composeAny(derivation, {
        recordings,
        entities: [
          recordings,
          this.#forAllOf(() => showingEntities(derivation, this.#snapshot))
        ],
        otherProps: this.#showingPages(derivation),
        anyProps: this.#showingPages(derivation, true),
        errors: showingErrors(this.#store, this.#snapshot),
        describe: this.#describe,
        facts,
        history
      })
    if (composed?.kind === 'composed') {
      const headers = sharedHeaders(composed.from, this.#store, composed.body)
      return { ...composed, kind: 'synthesized', headers }
    }
    if (found.kind === 'lacking' || !composed) return found
    const reason = composed.inOtherEpoch ? 'state-differs' : 'param-differs'
    return lacking(reason, `Its pages are recorded, but ${composed.why}.`)
  }

  /** Out of the whole folder where it is small, else of the recordings that may be of its listing. */
  #fromListing(derivation: Derivation, folder: string): SynthesisResult {
    const facts = this.#facts
    const params = listingParams(derivation, facts)
    if (!params) return { kind: 'nothing' }
    if (!this.#snapshot.choosesByName(folder))
      return synthesisResultOf(synthesize(derivation, this.listingsIn(folder), facts))

    const listings = this.listingsIn(folder, mayHaveAll(params))
    const synthesis = synthesize(derivation, listings, facts)
    // Hidden parts of continue values may be shown by other listings.
    if (synthesis.kind === 'synthesized' || !listings.hasHiddenParts())
      return synthesisResultOf(synthesis)
    return synthesisResultOf(synthesize(derivation, this.listingsIn(folder), facts))
  }

  /** The answer to a call, in its present epoch first. */
  plan(call: Call, loops: LoopGuard, now: number): Trial<AnswerPlan> {
    const { incoming, parsed, derivation, session, dependency } = call
    let obstacle: Trial<AnswerPlan> | undefined
    for (const scoped of equivalentDerivations(
      derivation,
      session,
      dependency,
      this.#store.manifest.writes === undefined
    )) {
      const found = this.answer(parsed.request, scoped, session)
      if (found.kind === 'lacking') obstacle ??= found
      if (found.kind !== 'synthesized') continue
      const { body, headers, from, by } = found
      const written = writtenAnswer(body, headers, parsed.request)
      if (!written) continue
      const response = { status: 200, cookies: [], ...written }
      const step = this.walkStep(scoped, response)
      const circle = loops.circleReason(session, step)
      if (circle !== undefined) return { kind: 'circle', why: circle }
      const { key } = dependency.scoped
      const serving = {
        status: 'synthesized',
        key,
        now,
        rewriting: incoming.rewriting
      } as const
      const reply = renderReply(response, parsed.request, serving)
      if (typeof reply === 'string') return { kind: 'not-renderable', why: reply }
      // Addresses of this server are in no cassette.
      const answer = incoming.rewriting ? undefined : answerDigest(reply.body)
      const outcome = { reply: { ...reply, from, by, answer }, key, response: undefined }
      return { kind: 'ready', plan: { outcome, step } }
    }
    return obstacle ?? { kind: 'nothing' }
  }

  /** The step of an answer in a walk; undefined where it has none. */
  walkStep(derivation: Derivation, { body }: RecordedResponse): WalkStep | undefined {
    if (body.kind !== 'json') return undefined
    const next = selectBodyMembers(body, ['continue', 'query-continue'])
    return walkStepOf(derivation, next, this.#facts)
  }

  /** Recorded listings, batches joined. @param folders to look in; all unless given */
  listings(folders: Iterable<string> = this.#store.folders()): readonly Listing[] {
    return [...folders].flatMap((folder) => this.listingsIn(folder).all())
  }
}
