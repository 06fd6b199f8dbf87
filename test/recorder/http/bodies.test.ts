/** Bodies of requests: what PHP makes parameters of is in the key; what nobody can tell is not recorded, and not answered. */
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { ask, type HttpReply, sendBytes } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'

/** As Python's email package writes it. */
const multipart = (fields: Readonly<Record<string, string>>, file: string): string =>
  [
    ...Object.entries(fields).map(
      ([name, value]) =>
        `--=bound\nContent-Type: text/plain\nMIME-Version: 1.0\nContent-Disposition: form-data; name="${name}"\n\n${value}\n`
    ),
    `--=bound\nContent-Type: image/png\nMIME-Version: 1.0\nContent-Transfer-Encoding: binary\nContent-Disposition: form-data; name="file"; filename="FAKE"\n\n${file}\n`,
    '--=bound--\n'
  ].join('')

const multipartType = 'multipart/form-data; boundary="=bound"'
const token = `${'0f'.repeat(16)}+\\`

const send = (
  api: string,
  body: string | Uint8Array,
  headers: Record<string, string>
): Promise<HttpReply> => ask(api, { method: 'POST', body, headers })

const upload = (api: string, filename: string, file: string): Promise<HttpReply> =>
  send(api, multipart({ action: 'upload', format: 'json', filename, token }, file), {
    'content-type': multipartType
  })

describe('a multipart body with bare LF', () => {
  it('is keyed by its fields and by the bytes of its file', async () => {
    const wiki = await fakeWiki((_, { body }) =>
      JSON.stringify({ upload: { result: 'Success', said: String(body.length) } })
    )
    const recording = await startProxy(wiki.api)
    const one = await upload(recording.api, 'One.png', 'bytes of one')
    const two = await upload(recording.api, 'Two.png', 'bytes of the other')
    const chunk = await upload(recording.api, 'One.png', 'other bytes of one')
    expect(
      new Set([one, two, chunk].map(({ headers }) => headers['x-cassette-key'])).size
    ).toBe(3)
    await recording.close()
    const { cassette } = recording
    // Of its own: after a write that was missed nothing is known any more.
    const missing = await startProxy(undefined, { cassette })
    expect(
      (await upload(missing.api, 'One.png', 'never sent')).headers['x-cassette-status']
    ).toBe('miss')
    const replay = await startProxy(undefined, { cassette })
    expect((await upload(replay.api, 'One.png', 'bytes of one')).text).toBe(one.text)
    expect((await upload(replay.api, 'Two.png', 'bytes of the other')).text).toBe(
      two.text
    )
  })
})

const unread: readonly (readonly [string, string, Record<string, string>, string])[] = [
  [
    '{"action":"query"}',
    'JSON',
    { 'content-type': 'application/json' },
    'its content type is application/json'
  ],
  [
    'action=query',
    'text',
    { 'content-type': 'text/plain' },
    'its content type is text/plain'
  ],
  ['action=query', 'no type', {}, 'its content type is not named'],
  [
    '--other\r\n',
    'another boundary',
    { 'content-type': multipartType },
    'it does not begin with its boundary'
  ],
  [
    multipart({ action: 'query' }, 'x').slice(0, -10),
    'no end',
    { 'content-type': multipartType },
    'a part of it has no end'
  ],
  [
    'action=query',
    'no boundary',
    { 'content-type': 'multipart/form-data' },
    'names no boundary'
  ],
  [
    '&&',
    'empty pairs',
    { 'content-type': 'application/x-www-form-urlencoded' },
    'it has no parameters'
  ],
  [
    'action=query',
    'compressed',
    { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' },
    'it is encoded as gzip'
  ]
]

describe('a body that cannot be read', () => {
  it('that the wiki answers by its help page has written nothing: what comes after it is replayed', async () => {
    const help = {
      'content-type': 'text/html',
      'content-disposition': 'inline; filename=api-help.html'
    }
    const wiki = await fakeWiki((_, { method }) =>
      method === 'POST'
        ? { headers: help, body: '<!DOCTYPE html><p>action=help</p>' }
        : '{"query":{}}'
    )
    const run = async (api: string): Promise<readonly unknown[]> => {
      const replies = [
        await send(api, '{"action":"query"}', { 'content-type': 'application/json' }),
        await ask(`${api}?action=query&list=allpages&format=json`)
      ]
      return replies.map(({ headers }) => headers['x-cassette-status'])
    }
    const recording = await startProxy(wiki.api)
    expect(await run(recording.api)).toEqual(['passthrough', 'recorded'])
    await recording.close()
    const replay = await startProxy(undefined, { cassette: recording.cassette })
    expect(await run(replay.api)).toEqual(['miss', 'replayed'])
  })

  it.each(unread)(
    '%s (%s): passed on, not recorded, and a miss offline',
    async (body, _, headers, why) => {
      const wiki = await fakeWiki(() => '{"said":"by the wiki"}')
      const recording = await startProxy(wiki.api)
      await ask(`${recording.api}?format=json`)
      const files = interactionFiles(recording.cassette).length
      const live = await send(`${recording.api}?format=json`, body, headers)
      expect([live.text, live.headers['x-cassette-status']]).toEqual([
        '{"said":"by the wiki"}',
        'passthrough'
      ])
      expect(wiki.seen.at(-1)?.body.toString()).toBe(body)
      expect(recording.reports.join()).toContain(
        'not recorded, passed on: POST of an unread body: the body of the request was not read: '
      )
      expect(recording.reports.join('\n')).toContain(why)
      expect(interactionFiles(recording.cassette).length).toBe(files)
      await recording.close()
      const replay = await startProxy(undefined, { cassette: recording.cassette })
      expect((await ask(`${replay.api}?format=json`)).headers['x-cassette-status']).toBe(
        'replayed'
      )
      const missed = await send(`${replay.api}?format=json`, body, headers)
      expect(missed.headers['x-cassette-status']).toBe('miss')
      expect(JSON.parse(missed.text)).toMatchObject({
        cassette: { reason: 'unread-body' }
      })
      expect(missed.text).toContain(why)
    }
  )

  it('may be a write, so that --writes refuse keeps it from the wiki', async () => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api, { refuseWrites: true })
    const reply = await send(`${recording.api}?format=json`, '{"action":"edit"}', {
      'content-type': 'application/json'
    })
    expect(JSON.parse(reply.text)).toMatchObject({
      cassette: { reason: 'write-refused' }
    })
    expect(wiki.seen.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it.each([
    'application/x-www-form-urlencoded; charset=windows-1251',
    'application/x-www-form-urlencoded, x'
  ])('%s says nothing that PHP heeds: it is an ordinary form', async (type) => {
    const wiki = await fakeWiki()
    const recording = await startProxy(wiki.api)
    const form = await send(recording.api, 'action=query&list=allpages&format=json', {
      'content-type': type
    })
    const plain = await ask(`${recording.api}?action=query&list=allpages&format=json`)
    expect(plain.headers['x-cassette-key']).toBe(form.headers['x-cassette-key'])
  })
})

describe('a transfer coding that nobody here undoes', () => {
  it.each(['gzip, chunked', 'gzip\r\nTransfer-Encoding: chunked', 'Deflate, chunked'])(
    '%s: refused, and neither asked of the wiki nor answered as an empty request',
    async (coding) => {
      const wiki = await fakeWiki()
      const recording = await startProxy(wiki.api)
      await ask(recording.api)
      const asked = wiki.seen.length
      const files = interactionFiles(recording.cassette).length
      const body = gzipSync('action=query&meta=siteinfo&format=json')
      const reply = await sendBytes(
        recording.api,
        Buffer.concat([
          Buffer.from(
            `POST /w/api.php HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: ${coding}\r\n\r\n${body.length.toString(16)}\r\n`
          ),
          body,
          Buffer.from('\r\n0\r\n\r\n')
        ])
      )
      expect(reply).toMatch(/^HTTP\/1\.1 501 [\s\S]*unknown-transfer-coding/)
      expect([wiki.seen.length, interactionFiles(recording.cassette).length]).toEqual([
        asked,
        files
      ])
    }
  )
})
