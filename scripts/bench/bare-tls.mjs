/** A forward proxy that does nothing but TLS: `bare-tls.mjs PEM BODY` answers each request in a tunnel with one body. */
import { readFileSync } from 'node:fs'
import http from 'node:http'
import tls from 'node:tls'

const [pemFile = '', bodyFile = ''] = process.argv.slice(2)
const pem = readFileSync(pemFile)
const body = readFileSync(bodyFile)
const server = http.createServer((_, response) => {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length
  })
  response.end(body)
})
const inner = tls.createServer(
  { cert: pem, key: pem, ALPNProtocols: ['http/1.1'] },
  (socket) => server.emit('connection', socket)
)
server.on('connect', (_, socket) => {
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  inner.emit('connection', socket)
})
server.listen(0, '127.0.0.1', () =>
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
)
