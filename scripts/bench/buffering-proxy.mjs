/** The physical limit of recording: node:http in front of a wiki (its address is the argument), which keeps each answer in memory until it is whole. */
import http from 'node:http'

const wiki = new URL(process.argv[2] ?? '')
const agent = new http.Agent({ keepAlive: true })

const server = http.createServer((request, response) => {
  const asked = {
    host: wiki.hostname,
    port: wiki.port,
    path: request.url,
    headers: request.headers,
    agent
  }
  http.get(asked, (answer) => {
    const parts = []
    answer.on('data', (part) => parts.push(part))
    answer.on('end', () => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      response.end(Buffer.concat(parts))
    })
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/w/api.php`)
)
