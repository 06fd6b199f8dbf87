/** One line a request, for whoever watches. */
import { expect, it } from 'vitest'
import { EngineRegistry } from '../../src/engine/registry/engine-registry.ts'
import { entryLine } from '../../src/engine/request-log-entry.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { ask } from '../helpers/http-client.ts'
import { startProxy } from '../helpers/proxies.ts'

it('tells what became of a request, its module, key and time, and why it was missed', async () => {
  const recording = await startProxy((await fakeWiki()).api)
  await ask(`${recording.api}?action=query&list=allpages&format=json`)
  await recording.close()
  const told: string[] = []
  const rack = new EngineRegistry({
    cassette: recording.cassette,
    mode: 'none',
    live: undefined,
    missStatus: 200,
    onMiss: 'error',
    recordErrors: false,
    now: Date.now,
    report: () => undefined,
  })
  rack.feed.subscribe((one) => void told.push(entryLine(one.entry)))
  const get = (query: string) =>
    rack.get(undefined, undefined).handle({
      method: 'GET',
      target: `/w/api.php?${query}&format=json`,
      headers: {},
      body: new Uint8Array(),
      session: '',
      signal: undefined,
    })
  await get('action=query&list=allpages')
  await get('action=parse&page=A')
  rack.close()
  expect(told).toEqual([
    expect.stringMatching(/^replayed 200 query\.allpages [0-9a-f]{12} \d+ ms$/),
    expect.stringMatching(/^miss 200 parse [0-9a-f]{12} \d+ ms \(cassette-miss: no-module\)$/),
  ])
})
