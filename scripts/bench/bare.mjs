/** The physical limits of replay: node:http that reads one file a request (`files DIR`), or has all of them in a Map (`map DIR`). */
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'

const [kind, dir = ''] = process.argv.slice(2)
const nameOf = (url) => /[?&]apfrom=([^&]*)/.exec(url)?.[1] ?? ''
const answers = new Map(
  kind === 'map'
    ? readdirSync(dir).map((name) => [name, readFileSync(path.join(dir, name))])
    : []
)
const bodyOf = (name) => answers.get(name) ?? readFile(path.join(dir, name))

const server = http.createServer(async (request, response) => {
  const body = await bodyOf(nameOf(request.url))
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length
  })
  response.end(body)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}/w/api.php`)
)
