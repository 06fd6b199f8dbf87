/** Secrets planted wherever a client sends them and wherever a wiki echoes them, through the whole proxy: none on the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../../helpers/fake-wiki.ts'
import { ask, type HttpAsk } from '../../../helpers/http-client.ts'
import { startProxy } from '../../../helpers/proxies.ts'
import { sampled } from '../../../helpers/scale.ts'

/** Where a client sends it: path and query, and the rest of the request. */
type Sending = (secret: string) => { readonly query: string } & HttpAsk

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const posted = (body: string): HttpAsk => ({ method: 'POST', body, headers: form })
const multipart = (name: string, secret: string): HttpAsk => ({
  method: 'POST',
  headers: { 'content-type': 'multipart/form-data; boundary=xyz' },
  body: `--xyz\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${secret}\r\n--xyz--\r\n`
})
const token = (secret: string): string =>
  `${Buffer.from(secret).toString('hex').padEnd(40, 'a7').slice(0, 40)}+\\`

const sendings: readonly (readonly [string, Sending])[] = [
  [
    'session cookie',
    (one) => ({ query: 'action=query', headers: { cookie: `wiki_session=${one}; a=b` } })
  ],
  [
    'token cookie',
    (one) => ({ query: 'action=query', headers: { cookie: `wikiToken=${one}` } })
  ],
  [
    'bearer',
    (one) => ({ query: 'action=query', headers: { authorization: `Bearer ${one}` } })
  ],
  [
    'basic',
    (one) => ({
      query: 'action=query',
      headers: { authorization: `Basic ${Buffer.from(`Bob:${one}`).toString('base64')}` }
    })
  ],
  [
    'OAuth 1',
    (one) => ({
      query: 'action=query',
      headers: {
        authorization: `OAuth oauth_consumer_key="k", oauth_token="${one}", oauth_nonce="n"`
      }
    })
  ],
  [
    'password',
    (one) => ({
      query: '',
      ...posted(`action=login&lgname=Bob&lgpassword=${encodeURIComponent(one)}`)
    })
  ],
  [
    'password in the URL',
    (one) => ({ query: `action=login&lgname=Bob&lgpassword=${encodeURIComponent(one)}` })
  ],
  [
    'password in a form',
    (one) => ({ query: 'action=login&lgname=Bob', ...multipart('lgpassword', one) })
  ],
  [
    'new password',
    (one) => ({
      query: '',
      ...posted(
        `action=createaccount&username=X&password=${encodeURIComponent(one)}&retype=${encodeURIComponent(one)}`
      )
    })
  ],
  [
    'token in a POST',
    (one) => ({
      query: '',
      ...posted(`action=edit&title=A&text=b&token=${encodeURIComponent(token(one))}`)
    })
  ],
  [
    'token in a form',
    (one) => ({ query: 'action=edit&title=A', ...multipart('token', token(one)) })
  ],
  [
    'access token',
    (one) => ({ query: `action=query&access_token=${encodeURIComponent(one)}` })
  ]
]

/** Where a wiki echoes it. */
const echoes: readonly (readonly [string, (secret: string) => FakeAnswer])[] = [
  ['a member', (one) => JSON.stringify({ query: { note: `you sent ${one}` } })],
  [
    'an error',
    (one) => JSON.stringify({ error: { code: 'x', info: `Bad value "${one}".` } })
  ],
  [
    'a cookie',
    (one) => ({ body: '{}', headers: { 'set-cookie': `wiki_session=${one}; path=/` } })
  ],
  [
    'a location',
    (one) => ({
      status: 302,
      body: '',
      headers: { location: `/w/index.php?x=${encodeURIComponent(one)}` }
    })
  ],
  [
    'a page',
    (one) => ({
      body: `<p>${one}</p><input value="${one}">`,
      headers: { 'content-type': 'text/html' }
    })
  ],
  [
    'gzip',
    (one) => ({
      body: gzipSync(JSON.stringify({ deep: [{ x: one }] })),
      headers: { 'content-encoding': 'gzip' }
    })
  ],
  [
    'bytes',
    (one) => ({
      body: Buffer.concat([Buffer.of(255, 0), Buffer.from(one)]),
      headers: { 'content-type': 'image/png' }
    })
  ],
  [
    'compressed bytes',
    (one) => ({
      body: gzipSync(`xml ${one}`),
      headers: { 'content-type': 'application/gzip' }
    })
  ]
]

/** Everything on the disk as bytes, and what comes out of it where it is compressed or in base64. */
function bytesIn(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    (one) => one.isFile()
  )
  return files.flatMap((one) => {
    const bytes = readFileSync(path.join(one.parentPath, one.name))
    const text = bytes.toString('latin1')
    const packed = [
      bytes,
      ...[...text.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([found]) =>
        Buffer.from(found, 'base64')
      )
    ]
    return [
      one.name,
      text,
      ...packed.flatMap((part) => [part.toString('latin1'), unpacked(part)])
    ]
  })
}

function unpacked(bytes: Buffer): string {
  try {
    return gunzipSync(bytes).toString('latin1')
  } catch {
    return ''
  }
}

const numbered = sendings.map((one, at) => [...one, at] as const)

describe.each(numbered)('a secret sent as %s', (name, sending, at) => {
  it.each(sampled(echoes, 2, at))(
    'and echoed in %s is nowhere on the disk',
    async (_, echo) => {
      const secret = 'Zx7-pelican_Qr42-harbour-93kd'
      const wiki = await fakeWiki(() =>
        echo(name.startsWith('token in') ? token(secret) : secret)
      )
      const recording = await startProxy(wiki.api)
      const { query, ...rest } = sending(secret)
      const url = `${recording.api}?format=json&${query}`
      const first = await ask(url, rest)
      const again = await ask(`${url}&titles=B`, rest)
      expect([
        first.headers['x-cassette-status'],
        again.headers['x-cassette-status']
      ]).not.toContain('miss')
      await recording.close()
      const needles = [secret, token(secret).slice(0, 40)].flatMap((one) => [
        one,
        encodeURIComponent(one),
        Buffer.from(one).toString('base64').replace(/=+$/, ''),
        Buffer.from(one).toString('hex')
      ])
      const disk = [...bytesIn(recording.cassette), ...recording.reports]
      for (const needle of needles)
        expect(
          disk.filter((text) => text.includes(needle)).map((text) => text.slice(0, 300))
        ).toEqual([])
    }
  )
})
