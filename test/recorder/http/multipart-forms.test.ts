/** Multipart bodies of requests that are none of the Action API's. */
import { expect, it } from 'vitest'
import { echo, fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

interface Part {
  readonly name: string
  readonly value: string
  readonly filename?: string
}

const field = (name: string, value: string): Part => ({ name, value })

function send(origin: string, path: string, parts: readonly Part[], boundary: string) {
  const written = parts.map(({ name, value, filename }) => {
    const file =
      filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: text/plain`
    return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
  })
  const body = `${written.join('')}--${boundary}--\r\n`
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return ask(`${origin}${path}`, { method: 'POST', body, headers })
}

const parts = [field('a', '1'), { name: 'f', value: 'text of a file', filename: 'a.txt' }]

it.each(['/w/rest.php/v1/transform', '/w/index.php?title=A&action=submit'])(
  'are matched by their parts, not by their boundary: %s',
  async (path) => {
    const wiki = await fakeWiki(echo)
    const proxy = await startProxy(wiki.api)
    const first = await send(proxy.origin, path, parts, 'one-boundary-1234')
    expect(first.headers['x-cassette-status']).toBe('recorded')
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const again = await send(replay.origin, path, parts, 'another-boundary-99')
    expect([again.headers['x-cassette-status'], again.text]).toEqual([
      'replayed',
      first.text
    ])
    const others: readonly (readonly Part[])[] = [
      [field('a', '2'), ...parts.slice(1)],
      [field('b', '1'), ...parts.slice(1)],
      [field('a', '1'), { name: 'f', value: 'other text', filename: 'a.txt' }],
      [field('a', '1'), { name: 'f', value: 'text of a file', filename: 'b.txt' }],
      parts.slice(0, 1)
    ]
    for (const other of others) {
      const reply = await send(replay.origin, path, other, 'one-boundary-1234')
      expect(reply.headers['x-cassette-status']).toBe('miss')
    }
  }
)
