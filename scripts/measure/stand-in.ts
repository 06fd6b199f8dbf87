/** A wiki in a few lines for the measures: instant answers, counts of what it was asked. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandIn {
  /** Address of its api.php. */
  readonly api: string
  /** How often each query string was asked for. */
  readonly hits: ReadonlyMap<string, number>
  /** Called with the number of requests so far, after each answer. */
  onAnswer: (count: number) => void
  close(): Promise<void>
}

export async function standIn(): Promise<StandIn> {
  const hits = new Map<string, number>()
  let count = 0
  const server: Server = createServer((request, response) => {
    const query = (request.url ?? '').replace(/^[^?]*\?/, '')
    response.setHeader('content-type', 'application/json; charset=utf-8')
    if (/action=paraminfo|meta=siteinfo/.test(query)) {
      // It refuses to describe itself: the built-in table then stands in.
      response.end('{"error":{"code":"readapidenied","info":"no"}}')
      return
    }
    hits.set(query, (hits.get(query) ?? 0) + 1)
    count += 1
    response.end(answerTo(query))
    wiki.onAnswer(count)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const wiki: StandIn = {
    api: `http://127.0.0.1:${port}/w/api.php`,
    hits,
    onAnswer: () => undefined,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
  return wiki
}

/** Some two kilobytes, as a batch of ten titles has. */
const answerTo = (query: string): string =>
  JSON.stringify({
    batchcomplete: '',
    query: {
      allpages: Array.from({ length: 20 }, (_, at) => ({
        pageid: at + 1,
        ns: 0,
        title: `Страница ${at} ${query}`
      }))
    }
  })

/** A request of its own for each number. */
export const queryOf = (number: number): string =>
  `action=query&list=allpages&apfrom=P${number}&format=json`
