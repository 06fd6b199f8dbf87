/** `wikitape/nock` from the packed package, in a project with other versions of its peers (scripts/peers.ts). */
import { createServer } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import nock from 'nock'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type InsertedCassette, insertCassette } from 'wikitape/nock'
import { useCassette } from 'wikitape/vitest'

const api = 'https://wiki.example/w/api.php'
const recorded = 'action=query&list=allpages&apfrom=B&format=json'
let cassette: InsertedCassette

beforeEach(() => {
  cassette = insertCassette('ru-1.43', {
    apiUrl: api,
    moved: true,
    mode: 'none',
    quiet: true
  })
})
afterEach(() => cassette.close())

const get = (headers: Record<string, string> = {}, method = 'GET'): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const request = https.request(
      `${api}?${recorded}`,
      { headers, method },
      (response) => {
        const parts: Buffer[] = []
        response
          .on('data', (part: Buffer) => parts.push(part))
          .once('end', () => resolve(Buffer.concat(parts)))
      }
    )
    request.once('error', reject).end()
  })

it('answers fetch and node:https alike', async () => {
  expect((await get()).toString()).toBe(await (await fetch(`${api}?${recorded}`)).text())
})

it('encodes as the client asks, and has no body for HEAD', async () => {
  const encoded = await get({ 'accept-encoding': 'gzip' })
  const plain = (await get()).toString()
  expect(encoded[0] === 0x1f ? gunzipSync(encoded).toString() : encoded.toString()).toBe(
    plain
  )
  expect(await get({}, 'HEAD')).toHaveLength(0)
})

it('takes POSTs, urlencoded and multipart', async () => {
  const urlencoded = await fetch(api, {
    method: 'POST',
    body: new URLSearchParams(recorded)
  })
  const form = new FormData()
  for (const [name, value] of new URLSearchParams(recorded)) form.set(name, value)
  const multipart = await fetch(api, { method: 'POST', body: form })
  expect(urlencoded.headers.get('x-cassette-status')).toBe('replayed')
  expect(await multipart.text()).toBe(await urlencoded.text())
})

it('says what is missing', async () => {
  const answer = await fetch(
    `${api}?action=query&titles=Nobody_recorded_this&prop=info&format=json`
  )
  expect(answer.headers.get('mediawiki-api-error')).toBe('cassette-miss')
  const { misses, text: line } = await cassette.close()
  expect(misses).toHaveLength(1)
  expect(line).toContain('missed 1')
})

it('leaves other mocks alone, and nothing behind', async () => {
  nock('https://other.example').get('/').reply(200, 'hello')
  expect(await (await fetch('https://other.example/')).text()).toBe('hello')
  await cassette.close()
  nock.disableNetConnect()
  const error: unknown = await get().catch((failure: unknown) => failure)
  expect(error).toMatchObject({ code: 'ENETUNREACH' })
  nock.enableNetConnect()
})

it('does not let requests out after nock.cleanAll()', async () => {
  nock.cleanAll()
  await expect(get()).resolves.toEqual(expect.anything())
})

it('asks no other wiki with CI=true, also after a redirect', async () => {
  useCassette({ missed: 'ignore' })
  let asked = 0
  const server = createServer((request, response) => {
    asked += 1
    response
      .writeHead(302, { location: request.url === '/short' ? '/w/api.php' : '/' })
      .end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for (const path of ['/w/api.php', '/short']) {
    const error: unknown = await fetch(other + path).catch((failure: unknown) => failure)
    expect(String(error instanceof TypeError ? error.cause : error)).toContain(
      'was not sent: CI=true'
    )
  }
  expect(asked).toBe(1)
  server.close()
})

it('reads streamed bodies', async () => {
  const body = new Blob([recorded]).stream()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const answer = await fetch(api, {
    method: 'POST',
    body,
    headers,
    duplex: 'half'
  } as RequestInit)
  expect(await answer.text()).toContain('allpages')
})
