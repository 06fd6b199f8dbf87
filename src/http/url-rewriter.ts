/** `--rewrite-urls`: the wiki's own addresses lead back here. At serving only; the cassette keeps the wiki's. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { Store } from '../store/store.ts'
import { pointUrl, pointUrls, serverIn } from '../wiki/answers/wiki-urls.ts'

/** The origins of one wiki: the one that was recorded, and the one that it calls itself. */
export class Origins {
  readonly #known = new Set<string>()
  /** Where what the wiki calls itself is recorded, until that was read. */
  #unread: Store | undefined

  constructor(store: Store) {
    const { upstream } = store.manifest
    if (URL.canParse(upstream)) this.#known.add(new URL(upstream).origin)
    this.#unread = store
  }

  /** An answer that tells what the wiki calls itself. */
  learn({ body }: RecordedResponse): void {
    const server = body.kind === 'json' ? serverIn(body.tree) : undefined
    if (server !== undefined) this.#known.add(server)
  }

  /** @throws NotAtHand */
  all(): readonly string[] {
    if (this.#unread !== undefined) this.#read(this.#unread)
    this.#unread = undefined
    return [...this.#known]
  }

  #read(store: Store): void {
    for (const folder of store.folders().filter((one) => one.includes('siteinfo')))
      for (const { responses } of store.interactionsIn(folder))
        for (const response of responses) this.learn(response)
  }
}

export interface Rewriting {
  readonly origins: Origins
  /** Scheme, host, port and path prefix by which this client has reached the server. */
  readonly address: string
}

export function rewritten(response: RecordedResponse, { origins, address }: Rewriting): RecordedResponse {
  origins.learn(response)
  const pointing = { from: origins.all(), to: address }
  const location = response.headers.get('location')
  const headers =
    location === undefined
      ? response.headers
      : new Map([...response.headers, ['location', pointUrl(location, pointing)]])
  const { body } = response
  return body.kind === 'json'
    ? { ...response, headers, body: { ...body, tree: pointUrls(body.tree, pointing) } }
    : { ...response, headers }
}
