/** Asks the wiki which one it is before its answers are recorded into a cassette of a known wiki. */
import { compareWikis } from '../../cassette/same-wiki.ts'
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { requireSameWiki } from '../../store/require-same-wiki.ts'
import type { Store } from '../../store/store.ts'
import { StoreError } from '../../store/store-error.ts'
import { decodeSiteinfo, siteinfoParams } from '../../wiki/site/site-facts.ts'
import type { AskWiki } from './ask-wiki.ts'

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
    const site = answer === undefined ? undefined : decodeSiteinfo(JSON.parse(answer.text))
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
