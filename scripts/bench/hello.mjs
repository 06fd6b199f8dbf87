/** What starting Node and answering once costs at least. */
import http from 'node:http'

const server = http.createServer((_, response) => response.end('hello'))
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/`)
)
