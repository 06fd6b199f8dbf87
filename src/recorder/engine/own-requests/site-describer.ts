/** Fetches what the wiki says of itself, once, and records it: keys are derived by it. */
import type { IncomingHeaders } from '../../http/incoming-request.ts'
import { toPlain } from '../../json/plain-json.ts'
import type { Store } from '../../store/store.ts'
import {
  allSiteinfoParams,
  decodeSiteinfo,
  siteinfoParams
} from '../../wiki/site/site-facts.ts'
import type { AskWiki } from './ask-wiki.ts'

export class SiteDescriber {
  readonly #store: Store
  readonly #ask: AskWiki
  #isRequested = false
  #areModesRequested = false

  constructor(store: Store, ask: AskWiki) {
    this.#store = store
    this.#ask = ask
  }

  /** True also of a wiki that has not said what it is. */
  get isDescribed(): boolean {
    return this.#store.manifest.site !== undefined || this.#isRequested
  }

  /** @throws UpstreamError */
  async describe(headers: IncomingHeaders): Promise<void> {
    if (!this.#store.manifest.site) {
      // And who asks: an anonymous caller's address may stand in the first answer.
      const site = await this.#siteBy(
        { ...allSiteinfoParams, meta: 'siteinfo|userinfo' },
        headers
      )
      this.#areModesRequested = true
      if (site) {
        const engine = site.generator.replace(/^MediaWiki /, '')
        this.#store.setManifest({ ...this.#store.manifest, site, engine })
      }
    }
    this.#isRequested = true
  }

  /** Asks once for what cassettes of older versions lack: whether the wiki is in miser mode, and has variants. @throws UpstreamError */
  async complete(headers: IncomingHeaders): Promise<void> {
    const { site } = this.#store.manifest
    if (!site || site.miserMode !== undefined || this.#areModesRequested) return
    this.#areModesRequested = true
    const { miserMode, hasVariants } = (await this.#siteBy(siteinfoParams, headers)) ?? {}
    if (miserMode === undefined || hasVariants === undefined) return
    this.#store.setManifest({
      ...this.#store.manifest,
      site: { ...site, miserMode, hasVariants }
    })
  }

  async #siteBy(params: Readonly<Record<string, string>>, headers: IncomingHeaders) {
    const answer = await this.#ask(params, headers)
    return answer && decodeSiteinfo(toPlain(answer))
  }
}
