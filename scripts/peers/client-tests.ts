/** Tests of clients of the npm registry, which a cassette answers as a socket would, as source: this project has none of them. */
export const clientTests = `import http from 'node:http'
import { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import axios from 'axios'
import got from 'got'
import { CookieJar } from 'tough-cookie'
import { request } from 'undici'
import { expect, it } from 'vitest'

const api = 'https://ru.wikipedia.org/w/api.php'
const query = (from: string) => api + '?action=query&list=allpages&apfrom=' + from + '&format=json'
const upload = { action: 'query', titles: 'x'.repeat(100_000), format: 'json' }
const encoded = new URLSearchParams(upload).toString()

it('axios', async () => {
  const client = axios.create({ proxy: false, httpAgent: new http.Agent({ keepAlive: true, maxSockets: 1 }) })
  for (const from of ['A', 'B', 'A']) expect((await client.get(query(from))).data.query.asked).toContain(from)
  expect((await client.post(api, new URLSearchParams(upload))).status).toBe(200)
  const streamed = await client.get(query('C'), { responseType: 'stream' })
  expect(JSON.parse(await text(streamed.data)).query.asked).toContain('apfrom=C')
  await expect(client.get(query('D'), { signal: AbortSignal.abort() })).rejects.toThrow(/cancel/)
})

it('got', async () => {
  const cookieJar = new CookieJar()
  const client = got.extend({ cookieJar })
  expect((await client(query('A')).json<{ query: { asked: string } }>()).query.asked).toContain('apfrom=A')
  expect((await client.post(api, { form: upload })).statusCode).toBe(200)
  const parts = await buffer(Readable.from([encoded.slice(0, 50_000), encoded.slice(50_000)]))
  const sent = client.stream.post(api, { headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  sent.end(parts)
  expect(JSON.parse(await text(sent))).toHaveProperty('query')
  await client(api + '?action=query&meta=tokens&type=login&format=json')
  expect((await cookieJar.getCookies(api)).map(({ key }) => key)).toEqual(['wiki_session'])
})

it('undici and long heads', async () => {
  const answer = await request(query('A'))
  expect([answer.statusCode, await answer.body.json()]).toEqual([200, expect.anything()])
  await expect(request(query('B'), { signal: AbortSignal.abort() })).rejects.toThrow(/abort/i)
  const titles = 'y'.repeat(40_000)
  const long = api + '?action=query&format=json&titles=' + titles
  expect((await request(long)).statusCode).toBe(200)
  const viaHttp = await new Promise<http.IncomingMessage>((resolve, reject) =>
    http.get(long, resolve).on('error', reject),
  )
  expect(await text(viaHttp)).toContain(titles)
})
`
