/** What wikitape itself wrote, `check` finds nothing wrong with, whatever the wiki said. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { maxInlineCharacters } from '../../../src/recorder/cassette/format/encode-interaction.ts'
import { cassetteIssues } from '../../../src/recorder/cassette-check/cassette-issues.ts'
import type { EngineRegistry } from '../../../src/recorder/engine/registry/engine-registry.ts'
import { digest } from '../../../src/recorder/request/request-key.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { type FakeAnswer, fakeWiki } from '../../helpers/fake-wiki.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { interactionOf, jsonBody, response } from '../../helpers/recorded.ts'
import { secretIssues } from '../../helpers/secret-issues.ts'

const long = ` ${'x '.repeat(maxInlineCharacters / 2)}`
const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P'
const key = 'A7fK29sLq0Zx81Vb3nTe6WdA7fK29sLq0Zx81Vb3nTe6Wd'
const fields = {
  password: 'hunter2hunter2',
  token: `${'f3a9c0de'.repeat(4)}+\\`,
  lgtoken: `${'0b1c2d3e'.repeat(4)}+\\`,
  csrftoken: `${'9f8e7d6c'.repeat(5)}+\\`,
  apikey: key,
  email: 'someone@example.org',
  session: key,
  authorization: `Bearer ${jwt}`,
  cookies: [{ name: 'wikiSession', value: key }],
  base64: Buffer.from(`password=${key}&token=${key}`).toString('base64'),
  ip: '203.0.113.7'
}
/** Each value once: what is redacted at one place stands at no other. */
const single = {
  password: 'hunter2hunter2',
  lgtoken: `${'0b1c2d3e'.repeat(4)}+\\`,
  apikey: key,
  author: { name: 'sessionid', value: `${key}9` },
  cookies: [{ name: 'forumSession', value: `${key}8` }]
}
const prose = [
  `https://user:secret99@wiki.test/?token=${key}`,
  `Authorization: Bearer ${jwt}`,
  `Cookie: wikiSession=${key}; wikiUserID=1`,
  'password=hunter2hunter2&lgtoken=',
  '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----',
  gzipSync(`token=${key}`).toString('base64'),
  '\u001b[31m\u202e\u0000'
].join('\n')
const text = (type: string, body: string | Uint8Array): FakeAnswer => ({
  body,
  headers: { 'content-type': type }
})

const answers: readonly (readonly [string, FakeAnswer])[] = [
  ['fields named like secrets', JSON.stringify({ query: { pages: [fields] } })],
  ['such fields at the top', JSON.stringify(fields)],
  ['prose full of secrets', JSON.stringify({ parse: { text: prose } })],
  [
    'JSON inside of JSON',
    JSON.stringify({ parse: { text: JSON.stringify(JSON.stringify(fields)) } })
  ],
  ['such fields that cannot be written back', JSON.stringify({ query: fields }, null, 1)],
  [
    'such fields that are too large for a tree',
    JSON.stringify({ query: { ...fields, many: Array(210_000).fill(1), long } })
  ],
  [
    'names that are secrets',
    JSON.stringify({ query: { [`token=${key}`]: 1, [jwt]: { password: 'x' } } })
  ],
  [
    'XML',
    text(
      'text/xml',
      `<?xml version="1.0"?><api token="${key}"><p>${prose.replaceAll('&', '&amp;')}</p></api>`
    )
  ],
  [
    'headers',
    {
      body: '{"query":{}}',
      headers: { 'content-disposition': `inline; filename=${key}`, 'retry-after': key }
    }
  ]
]
const pages: readonly (readonly [string, FakeAnswer])[] = [
  [
    'a page of HTML',
    text('text/html', `<script>mw.config.set(${JSON.stringify(single)})</script>`)
  ],
  ['a long page of HTML', text('text/html', `<p>${prose}${long}${prose}`)],
  ['JSON', text('application/json', JSON.stringify(single))],
  ['long JSON', text('application/json', JSON.stringify({ ...single, long }))],
  ['bytes that are JSON', text('application/octet-stream', JSON.stringify(single))],
  [
    'many bytes that are JSON',
    text('application/octet-stream', JSON.stringify({ ...single, long }))
  ],
  ['many bytes that are text', text('application/octet-stream', `${prose}${long}`)],
  [
    'many bytes in gzip',
    text('application/octet-stream', gzipSync(`${prose}${JSON.stringify(single)}`))
  ],
  [
    'an image with text in it',
    text('image/png', Buffer.concat([Buffer.alloc(70_000, 0xff), Buffer.from(prose)]))
  ],
  [
    'a redirect',
    { status: 302, body: '', headers: { location: `/wiki/X?token=${key}&code=${jwt}` } }
  ]
]

/** What `check` is certain of. */
function complaints(dir: string): readonly string[] {
  const store = CassetteStore.open(dir)
  const all = [...cassetteIssues(store)]
  const certain = all.filter(({ judgeable }) => judgeable === undefined)
  return certain.map(({ kind, file, what }) => `${kind} ${file}: ${what}`)
}

/** Where `check` finds a text that may be a secret. */
const doubts = (dir: string): readonly string[] =>
  [...secretIssues(CassetteStore.open(dir))].flatMap(({ judgeable: one }) =>
    one === undefined ? [] : [`${one.file} ${one.where}`]
  )

/** Where the recorder has said so. */
const told = (rack: EngineRegistry): readonly string[] =>
  rack.doubtful().map((place) => place.replace(/ \([a-z-]+\)$/, ''))

describe('check has nothing to say but what the recorder has said, of', () => {
  it.each(answers)('%s from the API', async (_, answer) => {
    const proxy = await startProxy((await fakeWiki(() => answer)).api)
    const reply = await ask(`${proxy.api}?action=parse&format=json&page=A`)
    expect(reply.headers['x-cassette-status']).toMatch(/recorded|passthrough/)
    await proxy.close()
    expect(complaints(proxy.cassette)).toEqual([])
    expect([...doubts(proxy.cassette)].sort()).toEqual([...told(proxy.rack)].sort())
  })

  it.each(pages)('%s', async (_, answer) => {
    const proxy = await startProxy((await fakeWiki(() => answer)).api)
    const reply = await ask(`${proxy.origin}/wiki/A`)
    expect(reply.headers['x-cassette-status']).toBe('recorded')
    await proxy.close()
    expect(complaints(proxy.cassette)).toEqual([])
    expect([...doubts(proxy.cassette)].sort()).toEqual([...told(proxy.rack)].sort())
  })

  it.each(['query', 'urlencoded', 'JSON'])('what a client sent, as %s', async (how) => {
    const proxy = await startProxy((await fakeWiki(() => '{"query":{}}')).api)
    const sent = new URLSearchParams({
      action: 'parse',
      format: 'json',
      text: prose,
      title: jwt
    })
    for (const [name, value] of Object.entries(fields)) sent.append(name, String(value))
    const url = `${proxy.api}?${sent}`
    if (how === 'query') await ask(url)
    if (how === 'urlencoded') await post(proxy.api, sent.toString())
    if (how === 'JSON')
      await post(`${proxy.origin}/rest.php/v1/page`, JSON.stringify(fields), {
        'content-type': 'application/json'
      })
    await proxy.close()
    expect(complaints(proxy.cassette)).toEqual([])
    expect([...doubts(proxy.cassette)].sort()).toEqual([...told(proxy.rack)].sort())
  })
})

describe('a page that is a value of an answer', () => {
  const block = '{"mwVersion":"1.43.9","request":{"headers":{"X-MY":"private header"}}}'
  const answer = JSON.stringify({
    help: { help: `<script>mw.config.set({"debugInfo":${block}});</script>` }
  })

  it('is recorded without its block, and reported where an older version left it', async () => {
    const proxy = await startProxy((await fakeWiki(() => answer)).api)
    const { text: reply } = await ask(`${proxy.api}?action=help&wrap=&format=json`)
    await proxy.close()
    expect(reply).not.toContain('private header')
    expect(complaints(proxy.cassette)).toEqual([])
    const store = CassetteStore.open(proxy.cassette)
    store.put(interactionOf({ action: 'help', wrap: '' }, [response(jsonBody(answer))]))
    expect(complaints(proxy.cassette).join()).toContain('debuginfo of a page')
  })
})

describe('nothing that a recorder writes silences check', () => {
  const leak = `Bearer ${jwt}`

  it('not what an older version wrote into the file of a recording', async () => {
    const proxy = await startProxy(
      (await fakeWiki(() => JSON.stringify({ x: leak }))).api
    )
    await ask(`${proxy.api}?action=parse&format=json&page=A`)
    await proxy.close()
    const found = doubts(proxy.cassette)
    expect(found).not.toEqual([])
    const store = CassetteStore.open(proxy.cassette)
    for (const [, name] of store.paths()) {
      const file = path.join(proxy.cassette, name)
      const digests = [...secretIssues(store)].map(({ judgeable }) => judgeable?.digest)
      const text = JSON.parse(readFileSync(file, 'utf8')) as object
      const judged = [
        ...digests,
        digest(leak, 12),
        digest(leak, 40),
        digest(jwt, 40),
        jwt
      ]
      writeFileSync(file, JSON.stringify({ ...text, judged }, undefined, 2))
    }
    // What is in such a member is found like anything else.
    expect(doubts(proxy.cassette).length).toBeGreaterThan(found.length)
  })

  it('not names of special pages in the manifest', async () => {
    const page = `<p>Your secret token: <b>${key}</b></p>`
    const wiki = await fakeWiki(() => text('text/html', page))
    const proxy = await startProxy(wiki.api)
    await ask(`${proxy.origin}/wiki/Special:ResetTokens`)
    await proxy.close()
    const store = CassetteStore.open(proxy.cassette)
    const [[, name = ''] = []] = [...store.paths()]
    const file = path.join(proxy.cassette, name)
    writeFileSync(file, readFileSync(file, 'utf8').replace('redacted-token', key))
    const before = complaints(proxy.cassette)
    expect(before).not.toEqual([])
    const { manifest } = store
    const specialPages = new Map([['resettokens', 'Version']])
    store.setManifest({
      ...manifest,
      site: manifest.site && { ...manifest.site, specialPages }
    })
    expect(complaints(proxy.cassette)).toEqual(before)
  })
})
