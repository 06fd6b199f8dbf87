/** `--rewrite-urls`: the wiki's own addresses lead back here. At serving only; the cassette keeps the wiki's. */
import type { RecordedResponse } from '../cassette/interaction.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { pointUrl, pointUrls, serverIn } from '../wiki/own-urls.ts'

/** The origins of one wiki: the one that was recorded, and the one that it calls itself. */
export class Origins {
  readonly #known = new Set<string>()

  constructor(store: CassetteStore) {
    const { upstream } = store.manifest
    if (URL.canParse(upstream)) this.#known.add(new URL(upstream).origin)
    for (const folder of store.folders()) {
      if (!folder.includes('siteinfo')) continue
      for (const found of store.inFolder(folder))
        if (found.kind === 'found') for (const response of found.interaction.responses) this.learn(response)
    }
  }

  /** An answer that tells what the wiki calls itself. */
  learn({ body }: RecordedResponse): void {
    const server = body.kind === 'json' ? serverIn(body.tree) : undefined
    if (server !== undefined) this.#known.add(server)
  }

  all(): readonly string[] {
    return [...this.#known]
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
