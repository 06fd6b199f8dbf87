/** Requests meant to break things: each is answered or refused, none stops the server or leaves the cassette's folder. */

import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { character } from '../../helpers/any-text.ts'
import { type FakeAnswer, fakeWiki } from '../../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { rounds } from '../../helpers/scale.ts'

const listing = 'action=query&format=json&list=allpages'

const hostile: readonly (readonly [string, string])[] = [
  [
    '__proto__ as a name',
    `${listing}&__proto__=x&constructor=y&toString=z&hasOwnProperty=`
  ],
  ['__proto__ as a value', `${listing}&apfrom=__proto__`],
  ['__proto__ as an action', 'action=__proto__&format=json'],
  ['__proto__ as a module', 'action=query&list=__proto__|constructor&format=json'],
  ['NUL in a value', `${listing}&apfrom=a%00b`],
  ['NUL in a name', `${listing}&a%00b=1`],
  ['lone surrogates', `${listing}&apfrom=%ED%A0%80%ED%B0%80`],
  ['bytes that are not UTF-8', `${listing}&apfrom=%ff%fe%80`],
  ['broken escapes', `${listing}&apfrom=%&x=%zz&%=%`],
  ['10,000 pipes', `action=query&format=json&prop=info&titles=${'|'.repeat(10_000)}`],
  ['10,000 titles', `action=query&format=json&prop=info&titles=${'A|'.repeat(10_000)}`],
  ['U+001F lists', 'action=query&format=json&prop=info&titles=%1FA|B%1F%1F'],
  [
    'a title of 1 MB',
    `action=query&format=json&prop=info&titles=${'x'.repeat(1_000_000)}`
  ],
  ['../ in a value', `${listing}&apfrom=../../../../etc/passwd`],
  ['../ as an action', 'action=../../etc&format=json'],
  ['\\ and : in an action', 'action=..%5C..%5Cc:%5Cx&format=json'],
  ['../ as a format', 'action=query&list=allpages&format=../../x'],
  ['../ as a module', 'action=query&list=../../../x&format=json'],
  ['a list of 300 signs', `action=query&format=json&list=${'x'.repeat(300)}`],
  ['an action of 300 Cyrillic signs', `action=${'%D1%8F'.repeat(300)}&format=json`],
  ['device names', 'action=con&format=json&aux=nul'],
  [
    'as many parameters as PHP reads',
    `${listing}&${Array.from({ length: 997 }, (_, at) => `p${at}=${at}`).join('&')}`
  ],
  ['a parameter as often as PHP reads it', `${listing}&${'apfrom=A&'.repeat(997)}`],
  ['arrays as PHP knows them', `${listing}&apfrom[]=A&apfrom[x][y]=B&[=1&]=2`],
  [
    'line feeds everywhere',
    `${listing}&a%0d%0aX-Evil:1=%0d%0aSet-Cookie:x&requestid=%0d%0a&callback=`
  ],
  [
    'a callback that is a script',
    `${listing}&callback=%3Cscript%3Ealert(1)%3C/script%3E`
  ],
  ['nothing', '']
]

/** JSON, or JSONP under the name that MediaWiki makes of the callback. */
function jsonp(params: ReadonlyMap<string, string>): FakeAnswer {
  const callback = params.get('callback')?.replace(/[^\][.'"_A-Za-z0-9]/g, '')
  if (callback === undefined) return '{"query":{}}'
  return {
    body: `/**/${callback}({"query":{}})`,
    headers: { 'content-type': 'text/javascript; charset=utf-8' }
  }
}

describe('a request with', () => {
  it.each(hostile)(
    '%s is answered, replayed the same, and leaves the server well',
    async (_, query) => {
      const root = temporaryFolder()
      const wiki = await fakeWiki(jsonp)
      const proxy = await startProxy(wiki.api, {
        cassette: path.join(root, 'in', 'tape'),
        maxBody: 4_000_000
      })
      const send = (api: string): ReturnType<typeof ask> =>
        query.length < 8000 ? ask(`${api}?${query}`) : post(api, query)
      const recorded = await send(proxy.api)
      expect(recorded.status).toBe(200)
      expect([recorded.headers['x-evil'], recorded.headers['set-cookie']]).toEqual([
        undefined,
        undefined
      ])
      const health = await ask(`${proxy.api}?${listing}&apfrom=healthy`)
      expect(health.headers['x-cassette-status']).toBe('recorded')
      await proxy.close()
      const files = [...filesIn(root).keys()]
      expect(files.filter((name) => !name.startsWith('in/tape/'))).toEqual([])
      for (const name of files) {
        expect(name).not.toMatch(/\.\.|[\\:*?"<>|\0]/)
        for (const part of name.split('/'))
          expect(Buffer.byteLength(part)).toBeLessThanOrEqual(120)
      }
      const replay = await startProxy(undefined, {
        cassette: proxy.cassette,
        maxBody: 4_000_000
      })
      const replayed = await send(replay.api)
      expect([replayed.headers['x-cassette-status'], replayed.text]).toEqual([
        'replayed',
        recorded.text
      ])
      expect(replay.rack.counts().liveRequests).toBe(0)
    }
  )

  it('any parameters at all is recorded under a name inside of the cassette, and replayed', async () => {
    const root = temporaryFolder()
    const wiki = await fakeWiki(() => '{"query":{}}')
    const proxy = await startProxy(wiki.api, { cassette: path.join(root, 'tape') })
    const replay = async (query: string): Promise<unknown> =>
      (await ask(`${proxy.api}?${query}`, { headers: { 'x-cassette-mode': 'none' } }))
        .headers['x-cassette-status']
    const piece = fc
      .string({ unit: character, maxLength: 30 })
      .map((text) => encodeURIComponent(text.toWellFormed()))
    const queries = fc.array(fc.tuple(piece, piece), { maxLength: 5 })
    await fc.assert(
      fc.asyncProperty(queries, async (pairs) => {
        const query = `action=query&format=json&${pairs.map(([name, value]) => `x${name}=${value}`).join('&')}`
        expect((await ask(`${proxy.api}?${query}`)).status).toBe(200)
        expect(await replay(query)).toBe('replayed')
      }),
      { numRuns: rounds(60) }
    )
    expect([...filesIn(root).keys()].filter((name) => !name.startsWith('tape/'))).toEqual(
      []
    )
    expect(interactionFiles(proxy.cassette).length).toBeGreaterThan(0)
  })
})

describe('offline, an unheard-of module of 300 letters', () => {
  const name = 'x'.repeat(300)
  const escaped = '%78'.repeat(300)
  const multipart = (field: string): readonly [string, string] => [
    `--b\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${name}\r\n--b--\r\n`,
    'multipart/form-data; boundary=b'
  ]
  const urls: readonly string[] = [
    `action=${name}&format=json`,
    `action=${escaped}&format=json`,
    `action=${name.toUpperCase()}&format=xml`,
    `action=query&format=json&list=${name}`,
    `action=query&format=json&list=${escaped}`,
    `action=query&format=json&list=allpages|${name}`,
    `action=query&format=json&list=%1F${name}%1Fallpages`,
    `action=query&format=json&list[]=${name}`,
    `action=query&format=json&prop=${name}&titles=${name}`,
    `action=query&format=json&meta=${name}&generator=${name}`,
    `action=query&format=${name}&list=allpages`,
    `action=query&format=json&list=${'Ж'.repeat(300)}`,
    `action=query&format=json&list=${'%F0%9F%98%80'.repeat(300)}`,
    `action=paraminfo&format=json&modules=query%2B${name}`,
    `action=${'../'.repeat(100)}&format=json`,
    `${name}=1&action=${'a|'.repeat(150)}&format=json`
  ]

  it('is a miss in every spelling, and no failure', async () => {
    const wiki = await fakeWiki(jsonp)
    const proxy = await startProxy(wiki.api)
    await ask(`${proxy.api}?${listing}`)
    await proxy.close()
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const form = 'application/x-www-form-urlencoded'
    const posts = [
      ...urls.map((url) => [url, form] as const),
      multipart('action'),
      multipart('list'),
      [JSON.stringify({ action: name }), 'application/json'] as const
    ]
    const replies = [
      ...(await Promise.all(urls.map((url) => ask(`${replay.api}?${url}`)))),
      ...(await Promise.all(
        posts.map(([body, type]) => post(replay.api, body, { 'content-type': type }))
      )),
      await ask(`${replay.origin}/wiki/${name}`),
      await ask(`${replay.origin}/wiki/${escaped}`)
    ]
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(replies.map(({ headers }) => headers['x-cassette-status'])).toEqual(
      replies.map(() => 'miss')
    )
  })
})
