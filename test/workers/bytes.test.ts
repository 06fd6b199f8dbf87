/** What clients write on the wire, right and wrong, is answered by several processes byte for byte as by one. */
import http from 'node:http'
import net from 'node:net'
import { expect, it } from 'vitest'
import { sendBytes } from '../helpers/http-client.ts'
import { shipped } from '../helpers/shipped.ts'
import { type Served, servedBy } from './served-by.ts'

const known = '/w/api.php?action=compare&fromrev=5&torev=11&format=json'
const form = 'action=compare&fromrev=5&torev=11&format=json'
const close = 'Connection: close\r\n'

/** @param host of the server */
const wires: Readonly<Record<string, (host: string) => string>> = {
  'a GET': (host) => `GET ${known} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`,
  'two at once': (host) =>
    `GET ${known} HTTP/1.1\r\nHost: ${host}\r\n\r\nPOST /w/api.php HTTP/1.1\r\nHost: ${host}\r\n` +
    `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${form.length}\r\n\r\n${form}` +
    `GET ${known}&x=1 HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`,
  'HTTP/1.0': () => `GET ${known} HTTP/1.0\r\n\r\n`,
  'HTTP/1.0, and a page': () => 'GET /__wikitape/summary HTTP/1.0\r\n\r\n',
  'the whole URL': (host) => `GET http://${host}${known} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`,
  'the whole URL of another': (host) =>
    `POST http://else.example/w/api.php HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`,
  'a form in chunks': (host) =>
    `POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n${close}` +
    `Content-Type: application/x-www-form-urlencoded\r\n\r\n${form.length.toString(16)}\r\n${form}\r\n0\r\n\r\n`,
  'a form that asks whether it may come': (host) =>
    `POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nExpect: 100-continue\r\nContent-Length: ${form.length}\r\n${close}` +
    `Content-Type: application/x-www-form-urlencoded\r\n\r\n${form}`,
  'too large a form': (host) =>
    `POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 3000\r\n${close}\r\n${'x'.repeat(3000)}`,
  'two Host headers': (host) =>
    `GET ${known} HTTP/1.1\r\nHost: ${host}\r\nHost: else.example\r\n${close}\r\n`,
  'a coding nobody knows': (host) =>
    `POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: gzip, chunked\r\n${close}\r\n0\r\n\r\n`,
  'letters that are none of ASCII': (host) =>
    `GET /w/api.php?action=query&titles=\xd0\x92 HTTP/1.1\r\nHost: ${host}\r\nX-Cassette-Session: \xd0\x92\r\n${close}\r\n`,
  'no HTTP': () => 'how do you do?\r\n\r\n',
  'a tunnel': (host) => `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  'a protocol to change to': (host) =>
    `GET /w/api.php?action=x HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`,
  'too long a head': (host) =>
    `GET ${known} HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'x'.repeat(140_000)}\r\n\r\n`,
  'nearly too long a head': (host) =>
    `HEAD ${known} HTTP/1.1\r\nHost: ${host}\r\nX-Long: ${'x'.repeat(130_000)}\r\n${close}\r\n`,
}

const start = (processes: number): Promise<Served> =>
  servedBy(processes, ['--cassette', shipped('1.43'), '--max-body', '2000'])

it('answers the same bytes, whichever process reads them', async () => {
  const answers = []
  for (const processes of [1, 3]) {
    const { server } = await start(processes)
    const { host } = new URL(server.api)
    const answered: Record<string, readonly string[]> = {}
    for (const [what, wire] of Object.entries(wires)) {
      const heard: string[] = []
      // As many times as there are processes: each gets its turn.
      for (let turn = 0; turn < 3; turn += 1)
        heard.push(await sendBytes(server.api, Buffer.from(wire(host), 'latin1')))
      answered[what] = heard.map((one) => one.replace(/Date: [^\r]+/g, 'Date: THEN').replaceAll(host, 'HOST'))
    }
    answers.push(answered)
    await server.stop()
  }
  const [one, three] = answers
  for (const what of Object.keys(wires))
    expect({ what, heard: three?.[what] }).toEqual({ what, heard: one?.[what] })
})

it('lets clients leave in the middle, and say all they have to say first', async () => {
  const { server } = await start(2)
  const { host, hostname, port } = new URL(server.api)
  for (let turn = 0; turn < 4; turn += 1) {
    const leaving = net.connect(Number(port), hostname)
    leaving.write(`POST /w/api.php HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 500\r\n\r\naction=`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    leaving.destroy()
    const done = net.connect({ port: Number(port), host: hostname, allowHalfOpen: true })
    done.end(`GET ${known} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    let heard = ''
    for await (const part of done) heard += String(part)
    expect(heard).toContain('x-cassette-status: replayed')
  }
  const { code, stderr } = await server.stop()
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('replayed 4, ') })
})

it('ends pages that go on for ever when it ends', async () => {
  const { server } = await start(2)
  const { origin } = new URL(server.api)
  const ends = [0, 1, 2].map(
    () =>
      new Promise<string>((resolve) => {
        http.get(`${origin}/__wikitape/api/requests`, { agent: false }, (response) => {
          let heard = ''
          response.on('data', (part) => (heard += String(part))).once('end', () => resolve(heard))
        })
      }),
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  for (let turn = 0; turn < 4; turn += 1)
    await sendBytes(server.api, wires['a GET']?.(new URL(origin).host) ?? '')
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect((await server.stop()).code).toBe(0)
  for (const heard of await Promise.all(ends)) expect(heard.match(/"outcome":"replayed"/g)).toHaveLength(4)
})
