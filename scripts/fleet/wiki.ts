/** A wiki for measurements: it says back what it was asked, and counts how often it was asked for each title. */
import http from 'node:http'
import { bundledModule } from '../../src/recorder/wiki/modules/module-descriptions.ts'

const site = {
  query: {
    general: { generator: 'MediaWiki 1.43.0', lang: 'en', dbtype: 'sqlite' },
    namespaces: { '0': { id: 0, case: 'first-letter', name: '' } },
    namespacealiases: []
  }
}

export interface CountingWiki {
  readonly api: string
  /** By title. */
  readonly hits: ReadonlyMap<string, number>
  readonly close: () => void
}

export const queryFor = (title: string): string =>
  `action=query&prop=info&titles=${title}&format=json`

/** The answer for a title, some 2 KB. */
export const answerFor = (title: string): string =>
  JSON.stringify({
    batchcomplete: '',
    query: {
      pages: {
        '-1': {
          ns: 0,
          title,
          missing: '',
          contentmodel: 'wikitext',
          note: title.repeat(200)
        }
      }
    }
  })

/** @param latency milliseconds that an answer takes */
export async function countingWiki(latency: number): Promise<CountingWiki> {
  const hits = new Map<string, number>()
  const server = http.createServer((request, response) => {
    const params = new URL(request.url ?? '', 'http://wiki').searchParams
    const title = params.get('titles')
    const answer = title === null ? ownAnswer(params) : answerFor(title)
    if (title !== null) hits.set(title, (hits.get(title) ?? 0) + 1)
    setTimeout(
      () =>
        response
          .writeHead(200, { 'content-type': 'application/json; charset=utf-8' })
          .end(answer),
      title === null ? 0 : latency
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return { api: `http://127.0.0.1:${port}/w/api.php`, hits, close: () => server.close() }
}

function ownAnswer(params: URLSearchParams): string {
  if (params.has('meta')) return JSON.stringify(site)
  const paths = (params.get('modules') ?? '').split('|')
  const modules = paths.flatMap(
    (path) => bundledModule(path, site.query.general.generator) ?? []
  )
  return JSON.stringify({ paraminfo: { modules } })
}
