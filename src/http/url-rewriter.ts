/** `--rewrite-urls`: the wiki's own addresses lead back here. At serving only; the cassette keeps the wiki's. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { Store } from '../store/store.ts'
import { rewriteUrl, rewriteUrls, serverIn } from '../wiki/answers/wiki-urls.ts'

/** The origins of one wiki: the one that was recorded, and the one that it calls itself. */
export class WikiOrigins {
  readonly #origins = new Set<string>()
  /** Where what the wiki calls itself is recorded, until that was read. */
  #unreadStore: Store | undefined

  constructor(store: Store) {
    const { upstream } = store.manifest
    if (URL.canParse(upstream)) this.#origins.add(new URL(upstream).origin)
    this.#unreadStore = store
  }

  /** An answer that tells what the wiki calls itself. */
  addFrom({ body }: RecordedResponse): void {
    const server = body.kind === 'json' ? serverIn(body.tree) : undefined
    if (server !== undefined) this.#origins.add(server)
  }

  /** @throws NotAtHand */
  all(): readonly string[] {
    if (this.#unreadStore !== undefined) this.#read(this.#unreadStore)
    this.#unreadStore = undefined
    return [...this.#origins]
  }

  #read(store: Store): void {
    for (const folder of store.folders().filter((one) => one.includes('siteinfo')))
      for (const { responses } of store.interactionsIn(folder))
        for (const response of responses) this.addFrom(response)
  }
}

export interface UrlRewriting {
  readonly origins: WikiOrigins
  /** Scheme, host, port and path prefix by which this client has reached the server. */
  readonly address: string
}

export function rewriteResponse(
  response: RecordedResponse,
  { origins, address }: UrlRewriting,
): RecordedResponse {
  origins.addFrom(response)
  const mapping = { from: origins.all(), to: address }
  const location = response.headers.get('location')
  const headers =
    location === undefined
      ? response.headers
      : new Map([...response.headers, ['location', rewriteUrl(location, mapping)]])
  const { body } = response
  return body.kind === 'json'
    ? { ...response, headers, body: { ...body, tree: rewriteUrls(body.tree, mapping) } }
    : { ...response, headers }
}
