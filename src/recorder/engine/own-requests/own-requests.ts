/** wikitape's own requests to a live wiki: which wiki it is, who a caller is, what its modules are like. */
import {
  type PageState,
  pageStateParams,
  pagesFile,
  readPageStates
} from '../../cassette/format/pages-file.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { type JsonTree, memberAt, textOf } from '../../json/json-tree.ts'
import { addressesIn, isAddress, isLocalAddress } from '../../privacy/secrets/secret.ts'
import type { Identity, WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { StoreError } from '../../store/store-error.ts'
import { getOrAdd } from '../../text/group-by.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText, type WikiAnswer } from '../../wiki/answers/wiki-answer.ts'
import type { Call } from '../call.ts'
import type { LiveContext } from '../engine-options.ts'
import type { RedactionGate } from '../redaction/redaction-gate.ts'
import { identityIn } from '../session/update-session.ts'
import {
  type AskWiki,
  createAskWiki,
  createWikiCheck,
  findSessionCookieName,
  RetryLater,
  type WikiCheck
} from './ask-wiki.ts'
import { ModuleDescriber } from './module-describer.ts'
import { rightsParams, withRights } from './session-rights.ts'

/** Titles that one request takes from an anonymous caller. */
const titlesPerRequest = 50
/** Ten requests are enough for what is only evidence for later comparisons. */
const maxPages = 500

export class OwnRequests {
  readonly #context: LiveContext
  readonly #redactionGate: RedactionGate
  readonly #check: WikiCheck | undefined
  /** Why nothing may be recorded: it is unknown which wiki this is. */
  #unverified: string | undefined
  readonly #ask: AskWiki
  readonly #describer: ModuleDescriber
  /** Cookies that were tried and are no session's. */
  readonly #rejectedCookies = new Set<string>()
  /** True once the wiki was asked for the address of an anonymous caller. */
  #knowsAddress = false
  /** Requests in flight for the identity of a caller, by credentials. */
  readonly #identities = new Map<string, Promise<Identity>>()

  /** @param upstream for wikitape's own requests */
  constructor(context: LiveContext, redactionGate: RedactionGate, upstream: Upstream) {
    this.#context = context
    this.#redactionGate = redactionGate
    const { store, live, secrets, summary } = context
    const ask = createAskWiki(upstream, live.api.path, summary, secrets)
    this.#check = live.isImported ? undefined : createWikiCheck(store, ask, live.api.href)
    this.#ask = async (params, headers) => {
      // Side by side: nothing is recorded before it is known which wiki this is.
      const answer = ask(params, headers)
      // That it is another wiki counts more than what it answers.
      answer.catch(() => undefined)
      await this.#check?.verify(headers)
      return answer
    }
    const asking: AskWiki = async (params, headers) => {
      const answer = await this.#ask(params, headers)
      this.#learnAddress(answer)
      return answer
    }
    this.#describer = new ModuleDescriber(store, asking, summary, redactionGate)
  }

  /** The derivation with every module described that the wiki is willing to describe. @throws UpstreamError */
  async derive(request: WikiRequest, headers: IncomingHeaders): Promise<Derivation> {
    if (this.#check?.moves) await this.#check.verify(headers)
    const derivation = this.#describer.derive(request, headers)
    // Before the first answer all is asked for side by side: the client waits, and may give up after some seconds.
    const isFirst = this.#context.store.manifest.site === undefined
    const asksWho = isFirst && this.#context.sessions.identities.mustBeRequested(headers)
    const caller = asksWho ? this.askIdentity(headers) : undefined
    return (await Promise.all([derivation, caller]))[0]
  }

  /** Asks for what the cassette of an older version lacks; where the wiki does not answer, the next run asks again. @throws StoreError */
  async completeSite(headers: IncomingHeaders): Promise<void> {
    try {
      await this.#describer.completeSite(headers)
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
    }
  }

  /** Records what the wiki says of these modules; where that fails, later requests ask again. @throws StoreError */
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
      this.#context.summary.countFailure(error)
      throw error
    }
  }

  /** Records the states of these pages, or reports that the wiki did not tell them. @throws StoreError */
  async recordPageStates(
    titles: readonly string[],
    headers: IncomingHeaders
  ): Promise<void> {
    if (titles.length === 0) return
    const states = new Map<string, PageState>()
    const selected = titles.slice(0, maxPages)
    try {
      for (let at = 0; at < selected.length; at += titlesPerRequest) {
        const batch = selected.slice(at, at + titlesPerRequest).join('|')
        const answer = await this.#ask({ ...pageStateParams, titles: batch }, headers)
        if (answer)
          for (const [title, state] of readPageStates(answer)) states.set(title, state)
      }
      this.#context.store.putPageStates(states, (text) =>
        this.#redactionGate.mayWrite(pagesFile, text)
      )
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#context.onEvent({ kind: 'states-not-written', why: error.message })
    }
  }

  /** Who the sender of these credentials is to the wiki; concurrent callers with the same ones share a request. @throws UpstreamError */
  askIdentity(headers: IncomingHeaders): Promise<Identity> {
    const jar = this.#context.sessions.identities.jarOf(headers)
    return getOrAdd(this.#identities, jar, () =>
      this.#requestIdentity(headers).finally(() => this.#identities.delete(jar))
    )
  }

  /** Asks once what address an anonymous caller has, before an answer is written that holds any. @throws UpstreamError */
  async learnCallersAddress(
    { incoming: { headers }, parsed: { request } }: Call,
    answer: WikiAnswer
  ): Promise<void> {
    const { isImported } = this.#context.live
    if (this.#knowsAddress || isImported || request.identity !== 'anonymous') return
    if (!holdsAddress(answer)) return
    this.#knowsAddress = true
    try {
      this.#learnAddress(await this.#ask({ action: 'query', meta: 'userinfo' }, headers))
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      this.#knowsAddress = false
    }
  }

  #learnAddress(answer: JsonTree | undefined) {
    const name = textOf(memberAt(answer, 'query', 'userinfo', 'name'))
    if (name === undefined || !isAddress(name)) return
    this.#knowsAddress = true
    if (!isLocalAddress(name))
      this.#context.secrets.learn([{ kind: 'address', value: name, source: 'userinfo' }])
  }

  async #requestIdentity(headers: IncomingHeaders) {
    try {
      const answer = await this.#ask({ action: 'query', meta: 'userinfo' }, headers)
      const named = identityIn(answer) ?? 'unknown'
      const { identities } = this.#context.sessions
      const hasAllRights =
        !named.startsWith('user:') || !identities.mayLackRights(headers)
      const identity = hasAllRights
        ? named
        : withRights(named, await this.#ask(rightsParams, headers))
      identities.set(headers, identity)
      return identity
    } catch (error) {
      if (error instanceof RetryLater) return 'unknown'
      throw error
    }
  }

  /** While a wiki is too busy to say which it is, its answers are passed on unrecorded. @throws StoreError, UpstreamError */
  async verifyWiki(headers: IncomingHeaders): Promise<void> {
    try {
      await this.#check?.verify(headers)
      this.#unverified = undefined
    } catch (error) {
      if (!(error instanceof RetryLater) || this.#check?.moves) throw error
      this.#unverified = `identifying the wiki failed: ${error.message}`
    }
  }

  /** Why too little is known of the wiki to record its answers; undefined where enough is. */
  whyUncertain(request: WikiRequest, derivation: Derivation): string | undefined {
    return this.#unverified ?? this.#describer.whyIncomplete(request, derivation)
  }

  /** Finds the session cookie of this wiki, once. Where the wiki does not answer, the next login tries again. */
  async findSessionCookie(
    { incoming: { headers, isCrossOrigin }, derivation }: Call,
    answer: WikiAnswer
  ): Promise<void> {
    if (derivation.effect !== 'session' || isCrossOrigin) return
    const { store } = this.#context
    const { sessionCookies = [] } = store.manifest
    try {
      const rejected = this.#rejectedCookies
      const name = await findSessionCookieName(
        this.#ask,
        headers,
        answer,
        sessionCookies,
        rejected
      )
      if (name !== undefined)
        store.setManifest({
          ...store.manifest,
          sessionCookies: [...sessionCookies, name].sort()
        })
    } catch (error) {
      if (error instanceof StoreError) this.#context.summary.unwritten += 1
      else if (!(error instanceof UpstreamError)) throw error
    }
  }
}

/** True for an answer with an IP address that may identify somebody, in its text or in a header. */
function holdsAddress(answer: WikiAnswer) {
  const texts = [...answer.headers.values(), bodyText(answer) ?? '']
  return texts.some((text) => addressesIn(text).length > 0)
}
