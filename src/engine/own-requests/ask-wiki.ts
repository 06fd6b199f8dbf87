/** Sends one request of wikitape's own to the wiki; no session is touched by it. */
import { compareWikis } from '../../cassette/format/manifest.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { toPlain } from '../../json/plain-json.ts'
import { readTree } from '../../json/read-json.ts'
import type { SecretRegistry } from '../../privacy/known/secret-registry.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Store } from '../../store/store.ts'
import { requireSameWiki, StoreError } from '../../store/store-error.ts'
import { whyNotApiJson, whyUnusable } from '../../upstream/answers/recordable.ts'
import { type Upstream, UpstreamError } from '../../upstream/upstream.ts'
import { bodyText } from '../../wiki/answers/wiki-answer.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import { decodeSiteinfo, siteinfoParams } from '../../wiki/site/site-facts.ts'
import type { RunSummary } from '../run-summary.ts'

export type AskWiki = (
  params: Readonly<Record<string, string>>,
  headers: IncomingHeaders,
) => Promise<JsonTree | undefined>

/** Longer queries go as a POST: web servers refuse long request lines. */
const maxQueryLength = 6000

/**
 * Asks in `format=json` and `formatversion=2`; undefined where the answer is no JSON.
 * @param apiPath path of the wiki's api.php. @throws UpstreamError, RetryLater where a later answer may be better
 */
export function createAskWiki(
  upstream: Upstream,
  apiPath: string,
  summary: RunSummary,
  secrets: SecretRegistry,
): AskWiki {
  return async (params, headers) => {
    summary.liveRequests += 1
    const query = writeQuery(Object.entries({ ...params, format: 'json', formatversion: '2' }))
    const isShort = query.length <= maxQueryLength
    const answer = await upstream.ask({
      method: isShort ? 'GET' : 'POST',
      target: isShort ? `${apiPath}?${query}` : apiPath,
      // A private wiki describes itself to those who may read it.
      headers: {
        cookie: headers['cookie'],
        authorization: headers['authorization'],
        'user-agent': headers['user-agent'],
        ...(isShort ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      body: isShort ? new Uint8Array() : Buffer.from(query),
      isRepeatable: true,
      whyNotApiAnswer: whyNotApiJson,
    })
    const why = whyUnusable(answer)
    if (why !== undefined) throw new RetryLater(redactMessage(why, secrets))
    return readTree(bodyText(answer))
  }
}

/** The wiki or a proxy in front may answer better another time: nothing is concluded from this answer. */
export class RetryLater extends UpstreamError {
  constructor(why: string) {
    super('undecodable', why)
  }
}

/** Asks the wiki which one it is before its answers are recorded into a cassette of a known wiki. */
export class WikiCheck {
  readonly #store: Store
  readonly #ask: AskWiki
  readonly #upstream: string
  /** True where the cassette moves to a new address, which is verified before anything is answered from it. */
  readonly moves: boolean
  #result: Promise<void> | undefined

  /** @param upstream the wiki's api.php, which `store` was opened for */
  constructor(store: Store, ask: AskWiki, upstream: string) {
    this.#store = store
    this.#ask = ask
    this.#upstream = upstream
    const { manifest } = store
    this.moves = compareWikis(manifest, { upstream, site: undefined }) !== 'same'
    if (!this.moves && manifest.site?.wikiId === undefined) this.#result = Promise.resolve()
  }

  /**
   * Asks once, and again only after a failure.
   * @param headers with the caller's credentials. @throws StoreError where it is another one, UpstreamError
   */
  verify(headers: IncomingHeaders): Promise<void> {
    this.#result ??= this.#verify(headers).catch((error: unknown) => {
      if (!(error instanceof StoreError)) this.#result = undefined
      throw error
    })
    return this.#result
  }

  async #verify(headers: IncomingHeaders): Promise<void> {
    const answer = await this.#ask(siteinfoParams, headers)
    const site = answer && decodeSiteinfo(toPlain(answer))
    requireSameWiki(this.#store, { upstream: this.#upstream, site }, this.moves)
    if (!this.moves) return
    const { manifest } = this.#store
    this.#store.setManifest({
      ...manifest,
      upstream: this.#upstream,
      site: site ? { ...manifest.site, ...site } : manifest.site,
    })
  }
}
