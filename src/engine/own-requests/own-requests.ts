/** What wikitape itself asks of a live wiki: which wiki it is, who a caller is, what its modules are like. */

import { headerText, type IncomingHeaders } from '../../http/incoming-request.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Identity, WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import type { WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call } from '../call.ts'
import type { LiveWiki } from '../live-wiki.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import type { RunSummary } from '../run-summary.ts'
import { SessionCookieFinder } from '../session/session-cookie-finder.ts'
import type { SessionRegistry } from '../session/session-registry.ts'
import { identityIn } from '../session/update-session.ts'
import { type AskWiki, createAskWiki, RetryLater } from './ask-wiki.ts'
import { recordPageStates } from './fetch-page-states.ts'
import { ModuleDescriber } from './module-describer.ts'
import { WikiCheck } from './wiki-check.ts'

export interface OwnRequestsOptions {
  readonly store: Store
  /** Of this cassette, whichever engine they ask. */
  readonly sessions: SessionRegistry
  readonly live: LiveWiki
  /** What is secret in all that this server has seen. */
  readonly secrets: SecretRegistry
  readonly summary: RunSummary
  readonly redactionGate: RedactionGate
  /** Told in one line what a person at the terminal should see. */
  readonly report: (line: string) => void
}

export class OwnRequests {
  readonly #options: OwnRequestsOptions
  readonly #check: WikiCheck | undefined
  /** Why nothing may be recorded yet. */
  #unverified: string | undefined
  readonly #ask: AskWiki
  readonly #describer: ModuleDescriber
  readonly #sessionCookies: SessionCookieFinder
  /** Requests for the identity of a caller under way, by the cookies. */
  readonly #identities = new Map<string, Promise<Identity>>()

  /** @param upstream for wikitape's own requests */
  constructor(options: OwnRequestsOptions, upstream: Upstream) {
    this.#options = options
    const { store, live, secrets, summary } = options
    const ask = redactingErrors(createAskWiki(upstream, live.apiPath, summary), secrets)
    this.#check = live.isImported === true ? undefined : new WikiCheck(store, ask, live.href)
    this.#ask = async (params, headers) => {
      await this.#check?.verify(headers)
      return ask(params, headers)
    }
    this.#describer = new ModuleDescriber(store, this.#ask, summary, this.#mayWrite)
    this.#sessionCookies = new SessionCookieFinder(upstream, live.apiPath, () => {
      summary.liveRequests += 1
    })
  }

  /** The derivation with every module described that the wiki is willing to describe. @throws UpstreamError */
  async derive(request: WikiRequest, headers: IncomingHeaders): Promise<Derivation> {
    if (this.#check?.moves === true) await this.#check.verify(headers)
    return this.#describer.derive(request, headers)
  }

  /** Keeps what the wiki says of these modules; where it does not tell now, later requests ask again. @throws StoreError */
  async describe(paths: readonly string[], headers: IncomingHeaders): Promise<void> {
    try {
      await this.#describer.describe(paths, headers)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
    }
  }

  /** @returns how many modules the wiki has described. @throws UpstreamError, StoreError */
  async describeAll(headers: IncomingHeaders): Promise<number> {
    try {
      return await this.#describer.describeAll(headers)
    } catch (error) {
      this.#options.summary.countFailure(error)
      throw error
    }
  }

  /** Keeps the state of these pages beside the recordings, or reports that the wiki did not tell it. @throws StoreError */
  async recordPageStates(titles: readonly string[], headers: IncomingHeaders): Promise<void> {
    const { store, report } = this.#options
    try {
      await recordPageStates(titles, store, this.#ask, headers, this.#mayWrite)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      report(`in which state the named pages are was not kept: ${error.message}`)
    }
  }

  /** Whom the wiki takes the sender of these cookies for; the same cookies are asked about once. @throws UpstreamError */
  askIdentity(headers: IncomingHeaders): Promise<Identity> {
    const cookies = headerText(headers, 'cookie') ?? ''
    const known = this.#identities.get(cookies)
    const pending = known ?? this.#requestIdentity(headers).finally(() => this.#identities.delete(cookies))
    this.#identities.set(cookies, pending)
    return pending
  }

  async #requestIdentity(headers: IncomingHeaders): Promise<Identity> {
    try {
      const answer = await this.#ask({ action: 'query', meta: 'userinfo' }, headers)
      const identity = identityIn(answer?.tree) ?? 'unknown'
      this.#options.sessions.identities.set(headers, identity)
      return identity
    } catch (error) {
      if (error instanceof RetryLater) return 'unknown'
      throw error
    }
  }

  /** A wiki that is busy just now answers the client itself, and nothing of it is recorded. @throws StoreError, UpstreamError */
  async verifyWiki(headers: IncomingHeaders): Promise<void> {
    try {
      await this.#check?.verify(headers)
      this.#unverified = undefined
    } catch (error) {
      if (!(error instanceof RetryLater) || this.#check?.moves === true) throw error
      this.#unverified = `which wiki this is could not be asked: ${error.message}`
    }
  }

  /** Why an answer must not be recorded: too little is known of the wiki. */
  whyUncertain(request: WikiRequest, derivation: Derivation): string | undefined {
    return this.#unverified ?? this.#describer.whyIncomplete(request, derivation)
  }

  /** A wiki that cannot be asked once more says nothing of its cookies now; the client has its answer all the same. */
  async findSessionCookie({ incoming, derivation }: Call, answer: WikiAnswer): Promise<void> {
    if (derivation.effect !== 'session' || incoming.isCrossOrigin === true) return
    const { store } = this.#options
    const { sessionCookies = [] } = store.manifest
    try {
      const name = await this.#sessionCookies.find(incoming.headers, answer, sessionCookies)
      if (name !== undefined)
        store.setManifest({ ...store.manifest, sessionCookies: [...sessionCookies, name].sort() })
    } catch (error) {
      if (error instanceof StoreError) this.#options.summary.unwritten += 1
      else if (!(error instanceof UpstreamError)) throw error
    }
  }

  readonly #mayWrite = (path: string, text: string): boolean =>
    this.#options.redactionGate.mayWrite(path, text)
}

/** What goes wrong is told without secrets. */
const redactingErrors =
  (ask: AskWiki, secrets: SecretRegistry): AskWiki =>
  async (params, headers) => {
    try {
      return await ask(params, headers)
    } catch (error) {
      if (error instanceof UpstreamError) error.message = redactMessage(error.message, secrets)
      throw error
    }
  }
