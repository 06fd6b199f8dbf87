/** Recording from within `wikitape/nock` through a company's proxy: whatever nock does with requests, the wiki is reached. */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { insertCassette } from 'wikitape/nock'

const authority = 'tls/ca.pem'

async function portOf(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

it.each([['https'], ['http']])('%s', async (scheme) => {
  const pem = readFileSync('tls/wiki.pem')
  const answer: http.RequestListener = (_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"query":{"by":"proxy"}}')
  const wiki = await portOf(https.createServer({ key: pem, cert: pem }, answer))
  const lines: string[] = []
  const proxy = http.createServer((request, response) => {
    lines.push(`${request.method} ${request.url?.split('?')[0]}`)
    answer(request, response)
  })
  proxy.on('connect', (request, client) => {
    lines.push(`CONNECT ${request.url}`)
    client.on('error', () => undefined)
    const onward = net.connect(wiki, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n')
      onward.pipe(client).pipe(onward)
    })
    onward.on('error', () => client.destroy())
  })
  const apiUrl = `${scheme}://wiki.test/w/api.php`
  const cassette = insertCassette(`through-${scheme}`, {
    apiUrl,
    mode: 'new_episodes',
    allowLive: true,
    quiet: true,
    ...{ proxy: `http://127.0.0.1:${await portOf(proxy)}`, cacert: authority }
  })
  const reply = await fetch(`${apiUrl}?action=query&list=allpages&format=json`)
  expect(await reply.json()).toEqual({ query: { by: 'proxy' } })
  expect((await cassette.close()).counts.recorded).toBe(1)
  expect(lines.at(-1)).toBe(
    scheme === 'https' ? 'CONNECT wiki.test:443' : `GET ${apiUrl}`
  )
})
