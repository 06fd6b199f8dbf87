/** `--rewrite-urls`: replies point the wiki's own addresses back to this server. The cassette keeps the wiki's. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { Store } from '../store/store.ts'
import { rewriteUrl, rewriteUrls, serverIn } from '../wiki/answers/wiki-urls.ts'

/** The origins of one wiki: the recorded one, and those that the wiki gives for itself. */
export class WikiOrigins {
  readonly #origins = new Set<string>()
  /** Until its recordings of siteinfo have been read. */
  #unreadStore: Store | undefined

  constructor(store: Store) {
    const { upstream } = store.manifest
    if (URL.canParse(upstream)) this.#origins.add(new URL(upstream).origin)
    this.#unreadStore = store
  }

  /** Adds the origin that the wiki gives for itself in an answer. */
  addFrom({ body }: RecordedResponse): void {
    const server = body.kind === 'json' ? serverIn(body.tree) : undefined
    if (server !== undefined) this.#origins.add(server)
  }

  /** @throws PendingRead */
  all(): readonly string[] {
    const store = this.#unreadStore
    const folders = store?.folders().filter((folder) => folder.includes('siteinfo')) ?? []
    for (const folder of folders)
      for (const { responses } of store?.interactionsIn(folder) ?? [])
        for (const response of responses) this.addFrom(response)
    this.#unreadStore = undefined
    return [...this.#origins]
  }
}

export interface UrlRewriting {
  readonly origins: WikiOrigins
  /** Scheme, host, port and path prefix by which the client has reached the server. */
  readonly address: string
}

export function rewriteResponse(
  response: RecordedResponse,
  { origins, address }: UrlRewriting,
): RecordedResponse {
  origins.addFrom(response)
  const mapping = { from: origins.all(), to: address }
  const location = response.headers.get('location')
  const headers = new Map(response.headers)
  if (location !== undefined) headers.set('location', rewriteUrl(location, mapping))
  const { body } = response
  return body.kind === 'json'
    ? { ...response, headers, body: { ...body, tree: rewriteUrls(body.tree, mapping) } }
    : { ...response, headers }
}
