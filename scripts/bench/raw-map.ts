/** The physical limit: node:http, the raw URL looked up in a Map of ready buffers. Reads a cassette made for measurements. */
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeCompact } from '../../src/json/write.ts'
import { CassetteStore } from '../../src/store/cassette-store.ts'

const store = CassetteStore.open(process.argv[2] ?? '')
const answers = new Map<string, Buffer>()
for (const [key] of store.paths()) {
  const found = store.find(key)
  if (found.kind !== 'found') continue
  const { request, responses } = found.interaction
  const { body } = responses[0]
  const url = `/w/api.php?action=query&list=allpages&apfrom=${encodeURIComponent(request.get('apfrom') ?? '')}&format=json`
  if (body.kind === 'json') answers.set(url, Buffer.from(writeCompact(body.tree, 'ascii')))
}
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
