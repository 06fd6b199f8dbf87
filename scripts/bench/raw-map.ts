/** The physical limit: node:http, the raw URL looked up in a Map of ready buffers. COUNT answers made for measurements. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { madeAnswer, madeIndices, madeQuery } from './cassette.ts'

const answers = new Map<string, Buffer>()
for (const index of madeIndices(Number(process.argv[2])))
  answers.set(`/w/api.php?${madeQuery(index)}`, Buffer.from(madeAnswer(index)))
const server = http.createServer((request, response) => {
  const body = answers.get(request.url ?? '')
  response.writeHead(body === undefined ? 404 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body?.length ?? 0,
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/w/api.php`)
})
