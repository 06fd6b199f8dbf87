/** `import` and `export`: HAR files of browsers, and what other programs get of a cassette. */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import nock from 'nock'
import { afterEach, describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { run, serving } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'

afterEach(() => {
  nock.cleanAll()
  nock.restore()
})

const api = 'https://wiki.test/w/api.php'

interface Asked {
  readonly url: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly post?: object
  readonly status?: number
  readonly type?: string
  readonly setCookie?: string
  readonly content?: object
}

const named = (all: Readonly<Record<string, string>>): object[] =>
  Object.entries(all).map(([name, value]) => ({ name, value }))

const entry = (text: string, asked: Asked): object => ({
  startedDateTime: '2026-11-21T00:00:00.000Z',
  request: {
    method: asked.method ?? 'GET',
    url: asked.url,
    headers: named({ ':authority': 'wiki.test', ...asked.headers }),
    ...(asked.post === undefined ? {} : { postData: asked.post }),
  },
  response: {
    status: asked.status ?? 200,
    headers: named({
      'Content-Type': asked.type ?? 'application/json; charset=utf-8',
      'Content-Encoding': 'br',
      ...(asked.setCookie === undefined ? {} : { 'set-cookie': asked.setCookie }),
    }),
    content: {
      size: Buffer.byteLength(text),
      mimeType: asked.type ?? 'application/json',
      text,
      ...asked.content,
    },
  },
})

function harFile(...entries: readonly unknown[]): { readonly file: string; readonly dir: string } {
  const root = temporaryFolder()
  const file = path.join(root, 'session.har')
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }))
  return { file, dir: path.join(root, 'tape') }
}

const call = 'action=query&format=json&list=allpages'

describe('import', () => {
  it('makes recordings that replay what the browser saw', async () => {
    const { file, dir } = harFile(
      entry('{"query":{"allpages":[{"title":"\\u0412"}]}}', { url: `${api}?${call}&apfrom=A` }),
      entry('/**/f({"query":{}})', {
        url: `${api}?${call}&apfrom=B&callback=f`,
        type: 'text/javascript; charset=utf-8',
      }),
      entry('{"parse":{}}', {
        url: api,
        method: 'POST',
        post: {
          mimeType: 'application/x-www-form-urlencoded',
          params: [
            { name: 'action', value: 'parse' },
            { name: 'text', value: 'ж & я' },
            { name: 'format', value: 'json' },
          ],
        },
      }),
      entry('body { }', { url: 'https://wiki.test/w/load.php?modules=a', type: 'text/css' }),
      entry('{"query":{}}', { url: 'https://elsewhere.test/w/api.php?action=query&format=json' }),
    )
    const { code, stdout, stderr } = await run(['import', file, '--cassette', dir, '--json'])
    expect([stderr, code, JSON.parse(stdout)]).toEqual([
      '',
      0,
      { entries: 5, lacking: 0, elsewhere: 1, recorded: 4, unchanged: 0 },
    ])
    const before = filesIn(dir)
    const again = await run(['import', file, '--cassette', dir])
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('recorded 0, unchanged 4')])
    expect(filesIn(dir)).toEqual(before)
    expect((await run(['check', dir])).code).toBe(0)

    const replay = await serving(['replay', '--cassette', dir])
    expect((await ask(`${replay.api}?${call}&apfrom=A`)).text).toBe(
      '{"query":{"allpages":[{"title":"\\u0412"}]}}',
    )
    expect((await ask(`${replay.api}?${call}&apfrom=B`)).text).toBe('{"query":{}}')
    const posted = await ask(`${replay.api}?action=parse&format=json&text=${encodeURIComponent('ж & я')}`)
    expect(posted.text).toBe('{"parse":{}}')
    expect((await ask(new URL('/w/load.php?modules=a', replay.api).href)).text).toBe('body { }')
    expect((await replay.stop()).stderr).toContain('missed 0')
  })

  it('keeps no secret', async () => {
    const secrets = {
      password: 'correct-horse-battery-9x',
      token: '5f4dcc3b5aa765d61d8327deb882cf99662a1b20+\\',
      session: 'q8v1m5n7r2t4k6j9h3g1f5d7s2a4p6o8',
      oauth: 'oauth-secret-K7hq29sLx0',
    }
    const form = { mimeType: 'application/x-www-form-urlencoded' }
    const { file, dir } = harFile(
      entry(JSON.stringify({ query: { tokens: { logintoken: secrets.token } } }), {
        url: `${api}?action=query&meta=tokens&type=login&format=json`,
        setCookie: `wiki_session=${secrets.session}; path=/; HttpOnly`,
      }),
      entry(JSON.stringify({ login: { result: 'Success', lgusername: 'Bob' } }), {
        url: `${api}?format=json`,
        method: 'POST',
        headers: { Cookie: `wiki_session=${secrets.session}`, Authorization: `Bearer ${secrets.oauth}` },
        post: {
          ...form,
          text: `action=login&lgname=Bob&lgpassword=${secrets.password}&lgtoken=${encodeURIComponent(secrets.token)}`,
        },
      }),
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect([code, stderr]).toEqual([0, expect.stringContaining('recorded 2')])
    const written = allTextIn(dir) + stderr
    for (const secret of Object.values(secrets)) {
      expect(written).not.toContain(secret)
      expect(written).not.toContain(encodeURIComponent(secret))
    }
    expect((await run(['check', dir])).code).toBe(0)
  })

  it('leaves out what is not whole, and says so', async () => {
    const url = (name: string): string =>
      `${api}?action=query&format=json&titles=${name}&lgpassword=planted-93jx`
    const { file, dir } = harFile(
      entry('{"query":{}}', { url: url('fine') }),
      entry('', { url: url('cached'), status: 304 }),
      entry('', { url: url('aborted'), status: 0 }),
      entry('{"query"', { url: url('cut'), content: { size: 5000 } }),
      entry('{"query":{}}', { url: url('head'), method: 'HEAD' }),
      entry('{"upload":{}}', {
        url: api,
        method: 'POST',
        post: { mimeType: 'multipart/form-data; boundary=x', text: '--x\r\nfilename="a"' },
      }),
      entry('{"error":{"code":"maxlag"}}', { url: url('lag') }),
      entry('<html>blocked', { url: url('blocked'), type: 'text/html' }),
      entry('', { url: 'blob:nothing' }),
      null,
      7,
      { request: [], response: 'x' },
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect(code).toBe(1)
    for (const why of [
      'titles=cached',
      'the browser had the answer, and the file does not',
      'titles=aborted',
      'it was not answered',
      'its body has 5000 bytes, of which the file holds 8',
      'its method is HEAD',
      'its file or form was not kept byte for byte',
      'not recorded, passed on: the error "maxlag"',
      "a page of text/html (status 200) where the API's JSON was expected",
    ])
      expect(stderr).toContain(why)
    expect(stderr).toMatch(/12 entries: recorded 1, unchanged 0, left out 5, of other sites 4\n$/)
    expect(stderr).not.toContain('planted-93jx')
    expect(interactionFiles(dir).length).toBe(1)
  })

  it.each([
    ['', 'value expected'],
    ['{"log": {"entries": [', 'session.har:1:'],
    ['[]', 'is JSON but no HAR'],
    ['{"log":{"entries":{}}}', 'is JSON but no HAR'],
    ['{"log":{"entries":[]}}', 'holds no answer of an api.php'],
    ['['.repeat(50_000), 'nested too deeply'],
    [Buffer.from([0xff, 0xfe]), 'not UTF-8'],
  ])('is told of a file that holds %j', async (text, why) => {
    const root = temporaryFolder()
    writeFileSync(path.join(root, 'session.har'), text)
    const { code, stderr } = await run(['import', 'session.har', '--cassette', 'tape'], { cwd: root })
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    expect(stderr).not.toContain('    at ')
    const gone = await run(['import', 'gone.har'], { cwd: root })
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('there is no file gone.har')])
  })

  it('goes out only to have modules described, and only when told to', async () => {
    const wiki = await fakeWiki()
    const { file, dir } = harFile(entry('{"query":{}}', { url: `${wiki.api}?${call}` }))
    await run(['import', file, '--cassette', dir])
    expect(wiki.seen.length).toBe(0)
    expect(CassetteStore.open(dir).manifest.describesItself).toBe(false)
    const described = harFile(entry('{"query":{}}', { url: `${wiki.api}?${call}` }))
    const refused = await run(['import', described.file, '--cassette', described.dir, '--describe'], {
      env: { CI: 'true' },
    })
    expect([refused.code, wiki.seen.length]).toEqual([2, 0])
    expect((await run(['import', described.file, '--cassette', described.dir, '--describe'])).code).toBe(0)
    expect(wiki.asked()).toEqual([])
    expect(CassetteStore.open(described.dir).module('query+allpages')?.path).toBe('query+allpages')
  })

  it('never makes a cassette doubt its descriptions', async () => {
    const wiki = await fakeWiki()
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    await ask(`${recording.api}?${call}`)
    await recording.stop()
    const { file } = harFile(
      entry('{"query":{}}', { url: `${wiki.api}?${call}&apfrom=X` }),
      entry('{"query":{}}', { url: `${wiki.api}?action=query&format=json&list=allimages` }),
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('what the wiki says of its modules is not in the cassette yet'),
    ])
    expect(stderr).toContain('recorded 1')
    expect(CassetteStore.open(dir).manifest.describesItself).toBe(true)
  })
})

describe('export', () => {
  it('of a real cassette gives a HAR that imports as the same files', async () => {
    const shipped = path.resolve('cassettes/ru-1.43')
    const root = temporaryFolder()
    const [har, copy] = [path.join(root, 'ru.har'), path.join(root, 'copy')]
    const exported = await run(['export', shipped, '--to', 'har', '--output', har, '--json'])
    expect(exported.code).toBe(0)
    const told: unknown = JSON.parse(exported.stderr)
    expect(told).toMatchObject({ exchanges: expect.any(Number), broken: [] })
    mkdirSync(copy)
    copyFileSync(path.join(shipped, 'cassette.json'), path.join(copy, 'cassette.json'))
    cpSync(path.join(shipped, 'paraminfo'), path.join(copy, 'paraminfo'), { recursive: true })
    const imported = await run(['import', har, '--cassette', copy])
    expect(imported.stderr).toMatch(/left out 0, of other sites 0\n$/)
    const [original, made] = [filesIn(shipped), filesIn(copy)]
    const same = interactionFiles(copy).filter((name) => made.get(name) === original.get(name))
    expect(same.length).toBeGreaterThan(0.9 * interactionFiles(shipped).length)
    expect(interactionFiles(copy).filter((name) => !same.includes(name))).toEqual([])
  }, 120_000)

  it('for nock serves the same bytes', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const file = path.join(path.dirname(dir), 'fixtures.json')
    const store = CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php')
    const texts = ['{"b":1,"a":[1.5]}', '{"10":1.0,"2":"\\u0416"}']
    for (const [at, text] of texts.entries())
      store.put(interactionOf({ action: 'query', titles: `T ${at}` }, [response(jsonBody(text))]))
    const image = Buffer.from([0x89, 0xff, 0, 1])
    store.put(interactionOf({ 'plain target': '/w/a.png' }, [response({ kind: 'binary', bytes: image })]))
    store.put(interactionOf({ action: 'query', 'as user': 'Bob' }))
    store.put(interactionOf({ action: 'query', 'after writes': 'abc' }))
    const { code, stderr } = await run(['export', dir, '--to', 'nock', '--output', file])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('3 exchanges written; left out 2 that no URL tells'),
    ])
    if (!nock.isActive()) nock.activate()
    nock.load(file)
    for (const [at, text] of texts.entries()) {
      const reply = await fetch(`http://wiki.test/w/api.php?titles=T%20${at}&format=json&action=query`)
      expect(await reply.text()).toBe(text)
    }
    const picture = await fetch('http://wiki.test/w/a.png')
    expect(Buffer.from(await picture.arrayBuffer()).equals(image)).toBe(true)
  })

  it('tells what it cannot do', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php').put(interactionOf({ action: 'query' }))
    expect((await run(['export', dir])).stderr).toContain('--to is missing; expected har or nock')
    expect((await run(['export', dir, '--to', 'vcr'])).stderr).toContain(
      '--to is "vcr"; expected har or nock',
    )
    const [file = ''] = interactionFiles(dir)
    writeFileSync(path.join(dir, file), '{')
    const { code, stderr, stdout } = await run(['export', dir, '--to', 'har'])
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file}: left out: it cannot be read`)])
    expect(JSON.parse(stdout)).toMatchObject({ log: { entries: [] } })
    writeFileSync(
      path.join(dir, 'cassette.json'),
      readFileSync(path.join(dir, 'cassette.json'), 'utf8').replace('http://wiki.test/w/api.php', ''),
    )
    expect((await run(['export', dir, '--to', 'har'])).stderr).toContain('names no wiki under "upstream"')
  })
})
