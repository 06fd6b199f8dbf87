/** Clients over HTTP: many at once with the same requests, and one that records thousands after each other. */
import { Agent, get } from 'node:http'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { ended, recording } from './program.ts'
import { queryOf, type StandIn } from './stand-in.ts'

function ask(url: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', reject)
    })
    request.once('error', reject)
  })
}

export interface ClientsMeasure {
  readonly requests: number
  readonly failed: number
  readonly hits: number
  readonly mostHits: number
  readonly files: number
}

/** The same requests from all clients at once, while recording. */
export async function measureClients(
  wiki: StandIn,
  cassette: string,
  clients: number,
  requests: number
): Promise<ClientsMeasure> {
  const proxy = await recording(wiki.api, cassette)
  const before = new Map(wiki.hits)
  const queries = Array.from({ length: requests }, (_, at) => queryOf(1_000_000 + at))
  const statuses = await Promise.all(
    Array.from({ length: clients }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 8 })
      const all = await Promise.all(
        queries.map((query) => ask(`${proxy.api}?${query}`, agent))
      )
      agent.destroy()
      return all
    })
  )
  proxy.child.kill('SIGTERM')
  await ended(proxy.child)
  const hits = queries.map(
    (query) => (wiki.hits.get(query) ?? 0) - (before.get(query) ?? 0)
  )
  return {
    requests: clients * requests,
    failed: statuses.flat().filter((status) => status !== 200).length,
    hits: hits.reduce((sum, one) => sum + one, 0),
    mostHits: Math.max(...hits),
    files: CassetteStore.open(cassette).size
  }
}

export interface CostMeasure {
  readonly direct: number
  readonly first: number
  readonly last: number
}

/** Median milliseconds of a request straight to the wiki, and of one that is recorded, at the beginning and at the end. */
export async function measureCost(
  wiki: StandIn,
  cassette: string,
  window: number,
  total: number
): Promise<CostMeasure> {
  const agent = new Agent({ keepAlive: true })
  const proxy = await recording(wiki.api, cassette)
  const direct = await timed(wiki.api, 2_000_000, window * 2, agent)
  const through = await timed(proxy.api, 3_000_000, total, agent)
  agent.destroy()
  proxy.child.kill('SIGTERM')
  await ended(proxy.child)
  return {
    direct: median(direct.slice(-window)),
    first: median(through.slice(0, window)),
    last: median(through.slice(-window))
  }
}

async function timed(
  api: string,
  from: number,
  count: number,
  agent: Agent
): Promise<readonly number[]> {
  const times: number[] = []
  for (let at = 0; at < count; at += 1) {
    const start = performance.now()
    await ask(`${api}?${queryOf(from + at)}`, agent)
    times.push(performance.now() - start)
  }
  return times
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
