/** What a client does with its connection: it sends many requests at once, or closes its side and waits. */
import net from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { askAndLeave } from '../../helpers/http-client.ts'
import { type Serving, serving } from '../../helpers/program.ts'

/** Sends all at once; collects what comes back until the server closes. @param half closes this side at once */
function talk(api: string, requests: readonly string[], half: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(api)
    const socket = net.connect(
      { host: hostname, port: Number(port), allowHalfOpen: true },
      () => {
        if (half) socket.end(requests.join(''))
        else socket.write(requests.join(''))
      }
    )
    const parts: Buffer[] = []
    socket.on('data', (part: Buffer) => parts.push(part))
    socket.once('error', reject)
    socket.once('end', () => {
      socket.end()
      resolve(Buffer.concat(parts).toString('utf8'))
    })
  })
}

const query = (title: string): string =>
  `action=query&format=json&prop=info&titles=${title}`

function get(title: string, version = '1.1', more = ''): string {
  return `GET /w/api.php?${query(title)} HTTP/${version}\r\nHost: localhost\r\n${more}\r\n`
}

function post(title: string): string {
  const body = query(title)
  const type = 'Content-Type: application/x-www-form-urlencoded'
  return `POST /w/api.php HTTP/1.1\r\nHost: localhost\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

/** The titles that were answered, in the order of the answers. */
const titlesIn = (text: string): readonly string[] =>
  [...text.matchAll(/"titles=(\w+)"/g)].map(([, title = '']) => title)

const many = Array.from({ length: 30 }, (_, at) => `T${at}`)
/** One of them needs long, so that those behind it are ready first. */
const slowest = 'T3'

/** A wiki that takes its time, and a server that records it. */
async function recording(): Promise<Serving & { readonly cassette: string }> {
  const wiki = await fakeWiki((params, _seen, response) => {
    const title = params.get('titles') ?? ''
    setTimeout(
      () => response.end(JSON.stringify({ query: { echo: [`titles=${title}`] } })),
      title === slowest ? 300 : 20
    )
    response.setHeader('content-type', 'application/json')
    return 'taken'
  })
  const cassette = path.join(temporaryFolder(), 'tape')
  return { ...(await serving(['record', wiki.api, '--cassette', cassette])), cassette }
}

/** A server of each kind that knows all of them. */
const servers: Readonly<Record<string, () => Promise<Serving>>> = {
  record: recording,
  replay: async () => {
    const { api, cassette, stop } = await recording()
    await talk(api, [...many.map((title) => get(title)), post('posted')], true)
    await stop()
    return serving(['replay', '--cassette', cassette])
  }
}

describe.each(Object.keys(servers))('%s', (name) => {
  it('answers thirty requests that come at once, in their order', async () => {
    const server = await servers[name]?.()
    const api = server?.api ?? ''
    const last = get('T29', '1.1', 'Connection: close\r\n')
    const requests = [...many.slice(0, -1).map((title) => get(title)), last]
    expect(titlesIn(await talk(api, requests, false))).toEqual(many)
    await server?.stop()
  })

  it('answers a client that has closed its side', async () => {
    const server = await servers[name]?.()
    const api = server?.api ?? ''
    for (const request of [
      get('T1'),
      get('T1', '1.0'),
      post('posted'),
      post('posted'),
      get(slowest)
    ]) {
      const [title] = titlesIn(await talk(api, [request], true))
      expect(request).toContain(`titles=${title}`)
    }
    expect(
      titlesIn(
        await talk(
          api,
          many.map((title) => get(title)),
          true
        )
      )
    ).toEqual(many)
    await server?.stop()
  })
})

it('who has asked by HTTP/1.0 and closed its side gets nothing but its answer', async () => {
  const { api } = await recording()
  expect(await talk(api, [get(slowest, '1.0')], true)).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

it('an incomplete request of a client that has closed its side is refused in words', async () => {
  const { api } = await recording()
  expect(await talk(api, [post('posted').slice(0, -3)], true)).toMatch(
    /^HTTP\/1\.1 400 .*"code":"no-http"/s
  )
})

it('a client that has closed its side is answered, however long the wiki takes', async () => {
  const wiki = await fakeWiki((_params, _seen, response) => {
    setTimeout(() => response.end('{"query":{"echo":["titles=late"]}}'), 1500)
    return 'taken'
  })
  const { api } = await serving([
    'record',
    wiki.api,
    '--cassette',
    path.join(temporaryFolder(), 'tape')
  ])
  const text = await talk(api, [get('A')], true)
  // It is asked whether it is still there.
  expect(text).toMatch(/^(?:HTTP\/1\.1 100 Continue\r\n\r\n){2,7}HTTP\/1\.1 200 OK\r\n/)
  expect(titlesIn(text)).toEqual(['late'])
})

it('a client that has gone frees its request to the wiki', async () => {
  let arrive = (): void => undefined
  let leave = (): void => undefined
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const wiki = await fakeWiki((_params, _seen, response) => {
    response.once('close', leave)
    arrive()
    return 'taken'
  })
  const server = await serving([
    'record',
    wiki.api,
    '--cassette',
    path.join(temporaryFolder(), 'tape')
  ])
  const begun = performance.now()
  const impatient = askAndLeave(`${server.api}?${query('A')}`)
  await arrived
  expect(await impatient.leave()).toBe('gone')
  await left
  // Its timeout would free it after a minute.
  expect(performance.now() - begun).toBeLessThan(30_000)
  await server.stop()
})
