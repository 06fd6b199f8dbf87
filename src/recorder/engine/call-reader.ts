/** Parses requests into calls: what is asked, by whom, in which session, under which key. */
import { apiPathOf } from '../cassette/format/manifest.ts'
import { isOtherWikisApi } from '../http/api-url.ts'
import {
  type IncomingRequest,
  isSignedForServer,
  splitTarget
} from '../http/incoming-request.ts'
import { type ParsedRequest, parseRequest } from '../http/parse-request.ts'
import { writeDependencyOf } from '../playback/session/session.ts'
import type { Identity } from '../request/api-request.ts'
import { derive } from '../request/derive.ts'
import { type Call, type EpochlessCall, isMatchable, wikiFactsOf } from './call.ts'
import type { EngineContext } from './engine-options.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import {
  innerSecretsOf,
  observeHead,
  observeRequest
} from './redaction/secret-observer.ts'
import { SecretTurns } from './redaction/secret-turns.ts'

export class CallReader {
  readonly #context: EngineContext
  /** Asks the wiki for descriptions of modules; undefined where nothing may be recorded. */
  readonly #ownRequests: OwnRequests | undefined
  readonly #turns: SecretTurns = new SecretTurns()
  /** Each request needs it; the address changes only when a cassette moves. */
  #wiki: { readonly upstream: string; readonly apiPath: string | undefined } | undefined

  constructor(context: EngineContext, ownRequests: OwnRequests | undefined) {
    this.#context = context
    this.#ownRequests = ownRequests
  }

  /** Path of the api.php that clients ask for. */
  get apiPath(): string | undefined {
    const { store, apiPath } = this.#context
    const { upstream } = store.manifest
    if (this.#wiki?.upstream !== upstream)
      this.#wiki = { upstream, apiPath: apiPath ?? apiPathOf(upstream) }
    return this.#wiki.apiPath
  }

  isForOtherWiki({ target, namedHost = false }: IncomingRequest): boolean {
    return isOtherWikisApi(splitTarget(target)[0], this.apiPath, namedHost)
  }

  /** Parses a new request and adds its secrets to those of the run. @throws UpstreamError */
  async read(incoming: IncomingRequest): Promise<EpochlessCall> {
    const { secrets, summary } = this.#context
    if (secrets) observeHead(secrets, incoming.target, incoming.headers)
    const parsed = this.#parse(incoming)
    if (secrets) observeRequest(secrets, parsed.request, incoming)
    const call = await this.#withKey(incoming, parsed)
    const ignored = call.derivation.steps.filter(({ rule }) => rule === 'ignored')
    summary.counts.ignored += ignored.length
    return call
  }

  /** Parses it again. @param caller who asks; as its cookies say unless given. @throws UpstreamError */
  reread(
    incoming: IncomingRequest,
    caller: Identity | undefined
  ): Promise<EpochlessCall> {
    return this.#withKey(incoming, this.#parse(incoming, caller))
  }

  /** The call after the writes that its session has made by now. */
  inEpoch({
    incoming,
    parsed,
    derivation,
    session,
    otherWiki,
    uncertainty,
    waitedMs
  }: EpochlessCall): Call {
    const dependency = writeDependencyOf(
      derivation,
      session,
      this.#context.store.manifest.site
    )
    // Written out: a spread costs each request some µs.
    this.#context.secrets?.learn(innerSecretsOf(derivation))
    return {
      incoming,
      parsed,
      derivation,
      session,
      otherWiki,
      uncertainty,
      waitedMs,
      dependency
    }
  }

  async #withKey(incoming: IncomingRequest, parsed: ParsedRequest) {
    const otherWiki = this.isForOtherWiki(incoming)
    // The wiki is asked about modules only where the key says what is asked, and of this wiki.
    const isDescribed = isMatchable({ otherWiki, parsed }) && !isSignedForServer(incoming)
    const describer = isDescribed ? this.#ownRequests : undefined
    const derivation = await (describer?.derive(parsed.request, incoming.headers) ??
      derive(parsed.request, wikiFactsOf(this.#context.store)))
    return {
      incoming,
      parsed,
      derivation,
      session: this.#context.sessions.sessionOf(incoming),
      otherWiki
    }
  }

  #parse(incoming: IncomingRequest, caller?: Identity) {
    const { identities } = this.#context.sessions
    const parsed = parseRequest(incoming, () => caller ?? identities.identityOf(incoming))
    const { request } = parsed
    const turn = request.kind === 'plain' ? this.#turns.of(request) : undefined
    return request.kind === 'plain' && turn !== undefined
      ? { ...parsed, request: { ...request, turn } }
      : parsed
  }
}
