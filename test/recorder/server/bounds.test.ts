/** Answers and requests that would take more memory or time than they are worth. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../../helpers/fake-wiki.ts'
import { interactionFiles } from '../../helpers/folders.ts'
import { ask, post } from '../../helpers/http-client.ts'
import { startProxy } from '../../helpers/proxies.ts'
import { scaled } from '../../helpers/scale.ts'

const call = '?action=query&format=json&list=allpages&apfrom=A'
const zipped = (body: string): FakeAnswer => ({
  body: gzipSync(body),
  headers: { 'content-encoding': 'gzip' }
})

describe('JSON of more values than are worth a tree', () => {
  const values = `{"debuginfo":{"mwVersion":"1.43"},"a":[${'[1,2],'.repeat(300_000)}1],"requestid":"x","b":1}`
  const kept = values
    .replace('"debuginfo":{"mwVersion":"1.43"},', '')
    .replace('"requestid":"x",', '')

  it('is recorded as the text it is, less debuginfo, and replayed byte for byte', async () => {
    const wiki = await fakeWiki(() => zipped(values))
    const proxy = await startProxy(wiki.api)
    expect((await ask(proxy.api + call)).text).toBe(kept)
    await proxy.close()
    // A tree of it would take hundreds of times its text, whenever the file is read: it is bytes beside it.
    const [file = ''] = interactionFiles(proxy.cassette)
    const body = path.join(proxy.cassette, file.replace(/\.json$/, '.0.bin'))
    expect(readFileSync(body, 'utf8') === kept).toBe(true)
    const replay = await startProxy(undefined, { cassette: proxy.cassette })
    const reply = await ask(replay.api + call)
    expect([reply.headers['x-cassette-status'], reply.text === kept]).toEqual([
      'replayed',
      true
    ])
    // Nothing can be put into such a text.
    const other = await ask(`${replay.api + call}&requestid=7`)
    expect(other.headers['x-cassette-status']).toBe('miss')
  })

  it('that is none after all is passed on', async () => {
    const broken = `[${'[1,2],'.repeat(300_000)}`
    const proxy = await startProxy((await fakeWiki(() => zipped(broken))).api)
    const reply = await ask(proxy.api + call)
    expect([reply.headers['x-cassette-status'], reply.text === broken]).toEqual([
      'passthrough',
      true
    ])
    expect(proxy.reports.join()).toContain('expected JSON, but the body is not JSON')
  })
})

describe('a text of more than 32 MB', () => {
  it('is passed on and not looked into', async () => {
    const huge = `{"a":"${'x'.repeat(33 * 1024 * 1024)}"}`
    const proxy = await startProxy((await fakeWiki(() => zipped(huge))).api)
    const reply = await ask(proxy.api + call)
    expect([reply.headers['x-cassette-status'], reply.body.length]).toEqual([
      'passthrough',
      huge.length
    ])
    expect(proxy.reports.join()).toContain('at most 33554432 are recorded')
  })
})

describe('more parameters than PHP reads', () => {
  const count = scaled(60_000, 300_000)
  const many = Array.from({ length: count }, (_, at) => `p${at}=1`).join('&')

  it.each([
    ['different ones', `action=query&format=json&${many}`],
    [
      'the same one again and again',
      `action=query&format=json&apfrom=B&${'apfrom=A&'.repeat(1000)}`
    ],
    ['arrays', `action=query&format=json&${'a[]=1&'.repeat(count)}`]
  ])('%s, are passed on and not recorded, and a miss offline', async (_, body) => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const proxy = await startProxy(wiki.api, { maxBody: 16_000_000 })
    expect((await post(proxy.api, body)).headers['x-cassette-status']).toBe('passthrough')
    const none = { 'x-cassette-mode': 'none' }
    expect((await post(proxy.api, body, none)).headers['x-cassette-status']).toBe('miss')
  })

  it('in a URL as well', async () => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const proxy = await startProxy(wiki.api)
    const url = `${proxy.api}?action=query&format=json&${'apfrom=A&'.repeat(1000)}apfrom=B`
    expect((await ask(url)).headers['x-cassette-status']).toBe('passthrough')
    expect(
      (await ask(`${proxy.api + call}&&&&${'&'.repeat(2000)}`)).headers[
        'x-cassette-status'
      ]
    ).toBe('recorded')
  })

  it('in a multipart body whose boundary repeats itself', async () => {
    const proxy = await startProxy((await fakeWiki(() => '{}')).api, {
      maxBody: 4_000_000
    })
    const boundary = '-'.repeat(4000)
    const reply = await ask(proxy.api, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
      body: '-'.repeat(3_000_000)
    })
    expect(reply.headers['x-cassette-status']).toBe('passthrough')
  })
})
