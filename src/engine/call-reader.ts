/** Reads exchanges: what is asked, by whom, in which session, and under which key. */
import { apiPathOf } from '../cassette/same-wiki.ts'
import { type Exchange, targetParts } from '../http/incoming-request.ts'
import { type Understood, understand } from '../http/parse-request.ts'
import { isOtherWikisApi } from '../http/wiki-path.ts'
import { standingOf } from '../playback/session/write-dependency.ts'
import type { Ledger } from '../privacy/known/secret-registry.ts'
import type { Identity, WikiRequest } from '../request/api-request.ts'
import { type Derivation, derive } from '../request/derive.ts'
import type { Store } from '../store/store.ts'
import type { Call, ReadCall } from './call.ts'
import { factsOf } from './own-requests/module-describer.ts'
import type { OwnRequests } from './own-requests/own-requests.ts'
import { witnessHead, witnessRequest } from './redaction/secret-observer.ts'
import type { Sessions } from './session/session-registry.ts'
import { inTurns } from './time-slices.ts'

export interface CallsOptions {
  readonly store: Store
  readonly sessions: Sessions
  readonly ledger: Ledger | undefined
  /** Path of the api.php that clients ask for; that of the cassette's wiki unless given. */
  readonly apiPath?: string | undefined
}

export class Calls {
  readonly #options: CallsOptions
  /** Asks the wiki for descriptions of modules; undefined where nothing may be recorded. */
  readonly #ownRequests: OwnRequests | undefined
  #wiki: { readonly upstream: string; readonly apiPath: string | undefined } | undefined

  constructor(options: CallsOptions, ownRequests: OwnRequests | undefined) {
    this.#options = options
    this.#ownRequests = ownRequests
  }

  /** Path of the api.php that clients ask for. Every request needs it. */
  get apiPath(): string | undefined {
    const { store, apiPath } = this.#options
    const { upstream } = store.manifest
    if (this.#wiki?.upstream !== upstream) this.#wiki = { upstream, apiPath: apiPath ?? apiPathOf(upstream) }
    return this.#wiki.apiPath
  }

  isForOtherWiki({ target, namedHost = false }: Exchange): boolean {
    return isOtherWikisApi(targetParts(target)[0], { apiPath: this.apiPath, namedHost })
  }

  /** Reads a new exchange; its secrets are known from then on. @throws UpstreamError */
  async read(exchange: Exchange): Promise<ReadCall> {
    const { ledger } = this.#options
    if (ledger !== undefined && exchange.witnessed !== true)
      witnessHead(ledger, exchange.target, exchange.headers)
    const understood = this.#understand(exchange, undefined)
    if (ledger !== undefined) await inTurns(witnessRequest(ledger, understood.request, exchange))
    return this.#withKey(exchange, understood)
  }

  /** Reads it again. @param caller who asks; as far as cookies tell unless given. @throws UpstreamError */
  readAgain(exchange: Exchange, caller: Identity | undefined): Promise<ReadCall> {
    return this.#withKey(exchange, this.#understand(exchange, caller))
  }

  /** The call after the writes that its session has made by now. */
  inEpoch(call: ReadCall): Call {
    const { derivation, session } = call
    return { ...call, standing: standingOf(derivation, session, this.#options.store.manifest.site) }
  }

  async #withKey(exchange: Exchange, understood: Understood): Promise<ReadCall> {
    const otherWiki = this.isForOtherWiki(exchange)
    const derivation = await this.#derive(understood.request, exchange, otherWiki)
    return { exchange, understood, derivation, session: this.#options.sessions.of(exchange), otherWiki }
  }

  #understand(exchange: Exchange, caller: Identity | undefined): Understood {
    const { sessions } = this.#options
    return understand(exchange, (headers, params) => caller ?? sessions.identityOf(headers, params))
  }

  /** Nobody is asked about another wiki, nor about what could not be read. */
  async #derive(request: WikiRequest, exchange: Exchange, otherWiki: boolean): Promise<Derivation> {
    const isRead = request.kind === 'plain' || request.unread === undefined
    return this.#ownRequests !== undefined && isRead && !otherWiki
      ? this.#ownRequests.derive(request, exchange.headers)
      : derive(request, factsOf(this.#options.store))
  }
}
