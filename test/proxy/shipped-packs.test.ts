/** Shipped cassettes in three runs, the second and third with what the first has left ready: each answer is that of a run with nothing ready. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Exchange, Reply } from '../../src/proxy/exchange.ts'
import { Rack } from '../../src/proxy/rack.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { scaled } from '../helpers/scale.ts'

/** One of so many recordings is asked for. */
const stride = scaled(12, 1)

const rackOf = (cassette: string, packs?: string): Rack =>
  new Rack({
    cassette,
    mode: 'none',
    live: undefined,
    missStatus: 200,
    onMiss: 'synthesize',
    recordErrors: false,
    now: () => Date.UTC(2026, 10, 22),
    report: () => undefined,
    settling: -1,
    ...(packs === undefined ? {} : { packs: { folder: packs } }),
  })

/** What clients ask for that these recordings answer: as it was sent, and at a limit that nobody recorded. */
function requestsTo(cassette: string): readonly Exchange[] {
  const store = CassetteStore.open(cassette)
  const recorded = [...store.paths()].filter((_, at) => at % stride === 0)
  return recorded.flatMap(([key], at) => {
    const found = store.find(key)
    if (found.kind !== 'found') throw new Error(`cannot read ${key}`)
    const { request, asked } = found.interaction
    const sent = [...request]
      .filter(([name]) => !name.includes(' '))
      .map(([name, value]): [string, string] => [name, asked.get(name) ?? value])
    const smaller = sent.map(([name, value]): [string, string] => [
      name,
      name.endsWith('limit') ? '2' : value,
    ])
    const queries = [sent, ...(at % 3 === 0 ? [smaller] : [])].map((one) => new URLSearchParams(one))
    return queries.map((query): Exchange => {
      query.set('format', 'json')
      const target = `/w/api.php?${query}`
      return { method: 'GET', target, headers: {}, body: Buffer.alloc(0), session: '', signal: undefined }
    })
  })
}

interface Run {
  readonly said: readonly (readonly [status: number, headers: Reply['headers'], body: string])[]
  readonly counts: ReturnType<Rack['counts']>
  readonly ready: number
}

async function run(cassette: string, requests: readonly Exchange[], packs?: string): Promise<Run> {
  const rack = rackOf(cassette, packs)
  const engine = rack.engine(undefined, undefined)
  const said: Run['said'][number][] = []
  let ready = 0
  for (const exchange of requests) {
    const known = engine.ready(exchange)
    if (known !== undefined) ready += 1
    const { status, headers, body } = known ?? (await engine.answerAnew(exchange))
    said.push([status, headers, body.toString()])
  }
  rack.close()
  return { said, counts: rack.counts(), ready }
}

describe('a run that is killed while it leaves its ready replies', () => {
  it('leaves none that is wrong', async () => {
    const script = path.resolve('scripts/security/killed-ready.ts')
    const moments = [scaled(2, 20), scaled(60, 300)].map(String)
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, ...moments])
    expect(stdout).toContain(' 0 wrong')
  })
})

describe('a shipped cassette', () => {
  it.each(readdirSync('cassettes'))('%s says with ready replies what it says without', async (name) => {
    const cassette = path.resolve('cassettes', name)
    const packs = path.join(temporaryFolder(), 'packs')
    const requests = requestsTo(cassette)
    const truth = await run(cassette, requests)
    for (const isLater of [false, true, true]) {
      const { said, counts, ready } = await run(cassette, requests, packs)
      for (const [at, one] of said.entries()) expect(one, requests[at]?.target).toEqual(truth.said[at])
      expect(counts).toEqual(truth.counts)
      if (isLater) expect(ready).toBeGreaterThan(truth.ready)
    }
  })
})
