/** `wikitape/vitest` from the packed package, in a project with other versions of its peers (scripts/peers.ts). */
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { useCassette } from 'wikitape/vitest'

const api = 'https://ru.wikipedia.org/w/api.php'
const ask = async (query: string, at: string = api): Promise<string> =>
  (await fetch(`${at}?format=json&${query}`)).text()

describe('a cassette for a suite', () => {
  const cassette = useCassette('ru-1.43', { mode: 'none', moved: true, unused: 'ignore' })

  it('answers with what was recorded', async () => {
    expect(await ask('action=query&list=allpages&apfrom=B')).toContain('"allpages":[')
    expect(cassette.counts()).toMatchObject({ replayed: 1, liveRequests: 0 })
  })

  it('proves what was not', async () => {
    expect(await ask('action=query&list=allpages&apfrom=B&aplimit=3')).toContain(
      '"allpages":['
    )
    expect(cassette.counts()?.missed).toBe(0)
  })

  it.fails('fails the test that asks for something else', async () => {
    expect(await ask('action=query&titles=Nobody_recorded_this&prop=info')).toContain(
      'cassette-miss'
    )
  })

  it('has no drift from itself, and some from another version', async () => {
    await expect(cassette).toHaveNoDrift('cassettes/ru-1.43', { failOn: 'any' })
    await expect('cassettes/ru-1.35').not.toHaveNoDrift(cassette)
  })
})

describe('a cassette for each test', () => {
  const server = createServer((request, response) => {
    const own = /paraminfo|siprop/.test(request.url ?? '')
    response.setHeader('content-type', 'application/json')
    response.end(
      own ? '{"error":{"code":"readapidenied","info":"no"}}' : '{"batchcomplete":""}'
    )
  })
  let wiki = ''
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    wiki = `http://127.0.0.1:${(server.address() as AddressInfo).port}/w/api.php`
  })
  afterAll(() => void server.close())

  it('is recorded under its title', async () => {
    const cassette = useCassette({ apiUrl: wiki, mode: 'once' })
    expect(await ask('action=query&prop=info&titles=A', wiki)).toBe(
      '{"batchcomplete":""}'
    )
    expect(cassette.counts()?.recorded).toBe(1)
  })

  it('is there once the test has passed', () => {
    // The set-up file names another wiki, so that the cassettes of this test have hosts in their names.
    const name = `a_cassette_for_each_test_is_recorded_under_its_title.${new URL(wiki).host.replace(':', '_')}`
    expect(existsSync(`cassettes/vitest.spec/${name}`)).toBe(true)
  })
})
