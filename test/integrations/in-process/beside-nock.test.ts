/** Requests of this process that nock sees first, and those that no cassette answers. */

import { once } from 'node:events'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import nock from 'nock'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { interceptDirectly } from '../../../src/integrations/in-process/direct-interceptor.ts'
import type { Interceptor } from '../../../src/integrations/in-process/interceptors.ts'

const api = 'https://wiki.test/w/api.php'
let interceptor: Interceptor

beforeEach(() => {
  interceptor = interceptDirectly({
    origin: 'https://wiki.test',
    label: 'the cassette',
    apiUrl: api,
    warn: () => undefined,
    answer: async ({ target }) => [
      200,
      Buffer.from(target),
      ['content-length', String(target.length)]
    ]
  })
})
afterEach(async () => {
  nock.cleanAll()
  await interceptor.stop()
})

const get = async (url: string): Promise<string> => {
  const [reply] = await once(https.get(url), 'response')
  return text(reply as Readable)
}

it('answers what nock does not, after cleanAll() too', async () => {
  nock('https://other.test').get('/w/api.php').times(2).reply(200, 'mocked')
  nock('https://wiki.test').get('/w/api.php?mine').times(2).reply(200, 'mine')
  const urls = ['https://other.test/w/api.php', `${api}?mine`, `${api}?own`]
  const expected = ['mocked', 'mine', '/w/api.php?own']
  for (const read of [async (url: string) => (await fetch(url)).text(), get])
    for (const [at, url] of urls.entries())
      if (at !== 2) expect(await read(url)).toBe(expected[at])
  nock.cleanAll()
  expect(await (await fetch(`${api}?own`)).text()).toBe('/w/api.php?own')
  expect(await get(`${api}?own`)).toBe('/w/api.php?own')
})

it('refuses other wikis with CI=true', async () => {
  vi.stubEnv('CI', 'true')
  const other = 'https://127.0.0.1:9443/w/api.php'
  await expect(fetch(other)).rejects.toMatchObject({
    cause: { message: expect.stringContaining(`GET ${other} was not sent: CI=true`) }
  })
  await expect(get(other)).rejects.toThrow(`GET ${other} was not sent: CI=true`)
  vi.unstubAllEnvs()
})
