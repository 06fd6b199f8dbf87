/** One line a request, for whoever watches. */
import { expect, it } from 'vitest'
import { EngineRegistry } from '../../../src/recorder/engine/registry/engine-registry.ts'
import { entryLine } from '../../../src/recorder/engine/request-log.ts'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

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
    onEvent: () => undefined
  })
  rack.feed.subscribe((one) => void told.push(entryLine(one.entry)))
  const send = (query: string, form?: readonly string[]) =>
    rack.get(undefined, undefined).handle({
      method: form === undefined ? 'GET' : 'POST',
      target: `/w/api.php?${query}&format=json`,
      headers:
        form === undefined ? {} : { 'content-type': 'multipart/form-data; boundary=b' },
      body: Buffer.from(multipart(form ?? [])),
      session: '',
      signal: undefined
    })
  await send('action=query&list=allpages')
  await send('action=parse&page=A')
  // Parsed, and out of the cache.
  for (const _ of 'ab') await send('list=allpages', ['action=query'])
  await send('', ['action=parse', `text=${'a'.repeat(20_000)}`, 'page=B'])
  rack.close()
  expect(told).toEqual([
    expect.stringMatching(/^replayed 200 query\.allpages [0-9a-f]{12} \d+ ms$/),
    expect.stringMatching(
      /^miss 200 parse [0-9a-f]{12} \d+ ms \(cassette-miss: no-module\)$/
    ),
    expect.stringMatching(/^replayed 200 query\.allpages [0-9a-f]{12} \d+ ms$/),
    expect.stringMatching(/^replayed 200 query\.allpages [0-9a-f]{12} \d+ ms$/),
    expect.stringMatching(
      /^miss 200 parse [0-9a-f]{12} \d+ ms \(cassette-miss: no-module\)$/
    )
  ])
})

/** A form of these fields; empty where there are none. */
const multipart = (fields: readonly string[]): string =>
  fields.length === 0
    ? ''
    : [
        ...fields.map((field) => {
          const [name, value] = field.split('=')
          return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
        }),
        '--b--\r\n'
      ].join('')
