/** Hands paging the recordings of a folder, and turns what it proves into responses and what it lacks into words. */

import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import { folderOf } from '../../cassette/interaction-path.ts'
import { membersOfBody } from '../../cassette/recorded-body.ts'
import { renderReply } from '../../http/render-reply.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { readTree } from '../../json/read-json.ts'
import { type Listings, readListings } from '../../paging/joining/listings.ts'
import { synthesise } from '../../paging/synthesise.ts'
import { assembleIds } from '../../playback/compose/compose-ids.ts'
import { composeParaminfo } from '../../playback/compose/compose-paraminfo.ts'
import { findTemplates } from '../../playback/compose/compose-templates.ts'
import { assemblePages } from '../../playback/compose/compose-titles.ts'
import type { Trial } from '../../playback/decide.ts'
import { reachRecorded } from '../../playback/session/answer-write-set.ts'
import { type LoopGuards, type Step, stepOf } from '../../playback/session/loop-guard.ts'
import type { Session } from '../../playback/session/session.ts'
import { placesOf } from '../../playback/session/write-dependency.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import type { Reach } from '../../wiki/effects/write-set.ts'
import type { Call, Plan } from '../call.ts'
import { factsOf } from '../own-requests/module-describer.ts'
import { Recordings } from './folder-snapshot.ts'
import { fromSynthesis, lackingPages, made, type Synthesised } from './synthesis-result.ts'

export class Synthesiser {
  readonly #store: Store
  readonly #recordings: Recordings
  readonly #trust: WikiFacts['trust']
  readonly #state: (folder: string) => string
  readonly #folders = new Map<string, { readonly state: string; readonly listings: Listings }>()

  /**
   * @param trust `learned` where nothing but recordings is believed
   * @param recordings as others read them for the same request
   * @param state another one when what is recorded in a folder is
   */
  constructor(
    store: Store,
    trust?: WikiFacts['trust'],
    recordings: Recordings = new Recordings(store),
    state: (folder: string) => string = () => `${store.size}`,
  ) {
    this.#store = store
    this.#state = state
    this.#recordings = recordings
    this.#trust = trust
  }

  get #facts(): WikiFacts {
    return { ...factsOf(this.#store), trust: this.#trust }
  }

  /** What the wiki has said of a module when the recorder asked. */
  readonly #described = (path: string): JsonTree | undefined => {
    return this.#store.manifest.describesItself ? readTree(this.#store.describedText(path)) : undefined
  }

  readonly #reachOf = (write: RequestKey): Reach | undefined => {
    const found = this.#store.find(write)
    return found.kind === 'found' ? reachRecorded(found.interaction, this.#facts.site) : undefined
  }

  /** @param session whose writes say of what time the parts must be that an answer is made of */
  answer(request: WikiRequest, derivation: Derivation, session: Session): Synthesised {
    if (
      request.kind === 'plain' ||
      request.envelope.kind === 'opaque' ||
      (request.posted && request.files.length > 0)
    ) {
      return { kind: 'nothing' }
    }
    const folder = folderOf(derivation.canonical)
    const facts = this.#facts
    const found = fromSynthesis(synthesise(derivation, this.listingsIn(folder), facts))
    if (found.kind === 'made') return found
    // Read by whichever of these has to do with the request, and by none otherwise.
    const recordings = { [Symbol.iterator]: () => this.#recordings.in(folder).values() }
    const composed = composeParaminfo(derivation, recordings, this.#described)
    if (composed !== undefined) return made(composed.body, new Map(), composed.from)
    const past = { writes: session.writes, reachOf: this.#reachOf }
    const pages =
      findTemplates(derivation, recordings, facts.site, past) ??
      assemblePages(derivation, recordings, facts, past) ??
      assembleIds(derivation, recordings, facts, past)
    if (pages?.kind === 'assembled') return made(pages.body, new Map(), pages.from)
    return found.kind === 'nothing' && pages !== undefined ? lackingPages(pages) : found
  }

  /** Tries to prove the answer to a call, in its present epoch first. */
  plan(call: Call, loops: LoopGuards, now: number): Trial<Plan> {
    const { exchange, understood, derivation, session, standing } = call
    let lacking: Trial<Plan> | undefined
    for (const place of placesOf(derivation, session, standing)) {
      const found = this.answer(understood.request, place, session)
      if (found.kind === 'lacking') lacking ??= { kind: 'lacking', why: found.what, reason: found.reason }
      if (found.kind !== 'made') continue
      const step = this.step(place, found.response)
      const circle = loops.whyCircle(session, step)
      if (circle !== undefined) return { kind: 'circle', why: circle }
      const { key } = standing.place
      const { from, by } = found
      const serving = { status: 'synthesized', key, now, rewriting: exchange.rewriting } as const
      const reply = renderReply(found.response, understood.request, serving)
      if (typeof reply === 'string') return { kind: 'not-renderable', why: reply }
      return {
        kind: 'ready',
        plan: { outcome: { reply: { ...reply, from, by }, key, response: undefined }, step },
      }
    }
    return lacking ?? { kind: 'nothing' }
  }

  /** Where an answer leads a walk; undefined where it leads nowhere. */
  step(derivation: Derivation, { body }: RecordedResponse): Step | undefined {
    if (body.kind !== 'json') return undefined
    return stepOf(derivation, membersOfBody(body, ['continue', 'query-continue']), this.#facts)
  }

  /** What may show which id a page has: generators tell of many, which are seldom asked about. */
  *#showingPages(): Iterable<Interaction> {
    for (const folder of this.#store.folders())
      if (folder.startsWith('query.') && !folder.startsWith('query.g-'))
        yield* this.#store.interactionsIn(folder)
  }

  /** The listings of one folder; joined once, and again only after something was recorded or changed. */
  listingsIn(folder: string): Listings {
    const known = this.#folders.get(folder)
    const state = this.#state(folder)
    if (known?.state === state) return known.listings
    const listings = readListings(this.#recordings.in(folder), this.#facts, () => this.#showingPages())
    this.#folders.set(folder, { state, listings })
    return listings
  }

  /** Drops what was made of recordings that have changed. */
  forget(): void {
    this.#folders.clear()
  }
}
