/** `import` and `export`: what other programs kept of a wiki, and what they get of a cassette. */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import nock from 'nock'
import { afterEach, describe, expect, it } from 'vitest'
import { maxInlineCharacters } from '../../src/recorder/cassette/format/encode-interaction.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import {
  allTextIn,
  filesIn,
  interactionFiles,
  temporaryFolder
} from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { spawned } from '../helpers/processes.ts'
import { run, serving } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'
import { partOf } from '../helpers/shipped.ts'

afterEach(() => nock.cleanAll())

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
    ...(asked.post === undefined ? {} : { postData: asked.post })
  },
  response: {
    status: asked.status ?? 200,
    headers: named({
      'Content-Type': asked.type ?? 'application/json; charset=utf-8',
      'Content-Encoding': 'br',
      ...(asked.setCookie === undefined ? {} : { 'set-cookie': asked.setCookie })
    }),
    content: {
      size: Buffer.byteLength(text),
      mimeType: asked.type ?? 'application/json',
      text,
      ...asked.content
    }
  }
})

function harFile(...entries: readonly unknown[]): {
  readonly file: string
  readonly dir: string
} {
  const root = temporaryFolder()
  const file = path.join(root, 'session.har')
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries } }))
  return { file, dir: path.join(root, 'tape') }
}

const call = 'action=query&format=json&list=allpages'

describe('import of what a browser saw', () => {
  it('makes recordings that replay what the browser saw', async () => {
    const { file, dir } = harFile(
      entry('{"query":{"allpages":[{"title":"\\u0412"}]}}', {
        url: `${api}?${call}&apfrom=A`
      }),
      entry('/**/f({"query":{}})', {
        url: `${api}?${call}&apfrom=B&callback=f`,
        type: 'text/javascript; charset=utf-8'
      }),
      entry('{"parse":{}}', {
        url: api,
        method: 'POST',
        post: {
          mimeType: 'application/x-www-form-urlencoded',
          params: [
            { name: 'action', value: 'parse' },
            { name: 'text', value: 'ж & я' },
            { name: 'format', value: 'json' }
          ]
        }
      }),
      entry('body { }', {
        url: 'https://wiki.test/w/load.php?modules=a',
        type: 'text/css'
      }),
      entry('{"query":{}}', {
        url: 'https://elsewhere.test/w/api.php?action=query&format=json'
      })
    )
    const only = ['--wiki', api]
    const { code, stdout, stderr } = await run([
      'import',
      file,
      '--cassette',
      dir,
      '--json',
      ...only
    ])
    expect([stderr, code, JSON.parse(stdout)]).toEqual([
      '',
      0,
      expect.objectContaining({
        entries: 5,
        taken: 4,
        same: 0,
        leftOut: 0,
        elsewhere: 1,
        redacted: 0
      })
    ])
    const before = filesIn(dir)
    const again = await run(['import', file, '--cassette', dir, ...only])
    expect([again.code, again.stderr]).toEqual([
      0,
      expect.stringContaining('recorded 0, unchanged 4')
    ])
    expect(filesIn(dir)).toEqual(before)
    expect((await run(['check', dir])).code).toBe(0)

    const replay = await serving(['replay', '--cassette', dir])
    expect((await ask(`${replay.api}?${call}&apfrom=A`)).text).toBe(
      '{"query":{"allpages":[{"title":"\\u0412"}]}}'
    )
    expect((await ask(`${replay.api}?${call}&apfrom=B`)).text).toBe('{"query":{}}')
    const posted = await ask(
      `${replay.api}?action=parse&format=json&text=${encodeURIComponent('ж & я')}`
    )
    expect(posted.text).toBe('{"parse":{}}')
    expect((await ask(new URL('/w/load.php?modules=a', replay.api).href)).text).toBe(
      'body { }'
    )
    expect((await replay.stop()).stderr).toMatch(
      /^(?![\s\S]*missed \d)[\s\S]*replayed \d/
    )
  })
})

describe('import of secrets', () => {
  it('keeps no secret', async () => {
    const secrets = {
      password: 'correct-horse-battery-9x',
      token: '5f4dcc3b5aa765d61d8327deb882cf99662a1b20+\\',
      session: 'q8v1m5n7r2t4k6j9h3g1f5d7s2a4p6o8',
      oauth: 'oauth-secret-K7hq29sLx0'
    }
    const form = { mimeType: 'application/x-www-form-urlencoded' }
    const headers = {
      Cookie: `wiki_session=${secrets.session}`,
      Authorization: `Bearer ${secrets.oauth}`
    }
    const { file, dir } = harFile(
      entry(JSON.stringify({ query: { tokens: { logintoken: secrets.token } } }), {
        url: `${api}?action=query&meta=tokens&type=login&format=json`,
        setCookie: `wiki_session=${secrets.session}; path=/; HttpOnly`
      }),
      entry(JSON.stringify({ query: { userinfo: { id: 3, name: 'Bob' } } }), {
        url: `${api}?action=query&meta=userinfo&format=json`,
        headers
      }),
      entry(JSON.stringify({ login: { result: 'Success', lgusername: 'Bob' } }), {
        url: `${api}?format=json`,
        method: 'POST',
        headers,
        post: {
          ...form,
          text: `action=login&lgname=Bob&lgpassword=${secrets.password}&lgtoken=${encodeURIComponent(secrets.token)}`
        }
      })
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/recorded 3, .* redacted 1/)
    ])
    const written = allTextIn(dir) + stderr
    for (const secret of Object.values(secrets)) {
      expect(written).not.toContain(secret)
      expect(written).not.toContain(encodeURIComponent(secret))
    }
    expect((await run(['check', dir])).code).toBe(0)
  })
})

describe('import of what is incomplete', () => {
  it('leaves out what is not whole, and says so', async () => {
    const url = (name: string): string =>
      `${api}?action=query&format=json&titles=${name}&lgtoken=planted-93jx`
    const { file, dir } = harFile(
      entry('{"query":{}}', { url: url('fine') }),
      entry('', { url: url('cached'), status: 304 }),
      entry('', { url: url('aborted'), status: 0 }),
      entry('{"query"', { url: url('cut'), content: { size: 5000 } }),
      entry('{"query":{}}', { url: url('head'), method: 'HEAD' }),
      entry('{"upload":{}}', {
        url: api,
        method: 'POST',
        post: {
          mimeType: 'multipart/form-data; boundary=x',
          text: '--x\r\nfilename="a"'
        }
      }),
      entry('{"error":{"code":"maxlag"}}', { url: url('lag') }),
      entry('<html>blocked', { url: url('blocked'), type: 'text/html' }),
      entry('', { url: 'blob:nothing' }),
      null,
      7,
      { request: [], response: 'x' }
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect(code).toBe(1)
    for (const why of [
      'titles=cached',
      'its answer is not in the file',
      'titles=aborted',
      'it was not answered',
      'its body has 5000 bytes, but the file has 8',
      'its method is HEAD',
      'its file or form was not recorded byte for byte',
      'skipped: the error "maxlag"',
      "a page of text/html (status 200) where the API's JSON was expected"
    ])
      expect(stderr).toContain(why)
    expect(stderr).toMatch(
      /12 entries: recorded 1, unchanged 0, skipped 10, of other sites 1; redacted 0\n$/
    )
    expect(stderr).not.toContain('planted-93jx')
    expect(interactionFiles(dir).length).toBe(1)
  })

  it.each([
    ['session.har:1:1: it is of no known format; expected one of: a HAR file', ''],
    ['session.har:1:22: invalid end of input', '{"log": {"entries": ['],
    ['session.har:1:1: it is of no known format; expected one of: a HAR file', '[]'],
    ['it is of no known format; expected one of: a HAR file', '{"log":{"entries":{}}}'],
    ['has no answer of an api.php', '{"log":{"entries":[]}}'],
    ['session.har:1:50001: invalid end of input', '['.repeat(50_000)],
    ['session.har:3:11: Missing closing "quote', 'interactions:\n- request:\n   uri: "a'],
    ['not UTF-8', Buffer.from([0xff, 0xfe])]
  ])('is told: %s', async (why, text) => {
    const root = temporaryFolder()
    writeFileSync(path.join(root, 'session.har'), text)
    const { code, stderr } = await run(['import', 'session.har', '--cassette', 'tape'], {
      cwd: root
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(why)])
    expect(stderr).not.toContain('    at ')
    const gone = await run(['import', 'gone.har'], { cwd: root })
    expect([gone.code, gone.stderr]).toEqual([
      2,
      expect.stringContaining('file not found: gone.har')
    ])
  })
})

describe('import of descriptions', () => {
  it('goes out only to have modules described, and only when told to', async () => {
    const wiki = await fakeWiki()
    const { file, dir } = harFile(entry('{"query":{}}', { url: `${wiki.api}?${call}` }))
    await run(['import', file, '--cassette', dir])
    expect(wiki.seen.length).toBe(0)
    expect(CassetteStore.open(dir).manifest.describesItself).toBe(false)
    const described = harFile(entry('{"query":{}}', { url: `${wiki.api}?${call}` }))
    const refused = await run(
      ['import', described.file, '--cassette', described.dir, '--describe', wiki.api],
      {
        env: { CI: 'true' }
      }
    )
    expect([refused.code, wiki.seen.length]).toEqual([2, 0])
    const asked = ['--describe', wiki.api]
    expect(
      (await run(['import', described.file, '--cassette', described.dir, ...asked])).code
    ).toBe(0)
    expect(wiki.asked()).toEqual([])
    expect(CassetteStore.open(described.dir).module('query+allpages')?.path).toBe(
      'query+allpages'
    )
  })

  it('never makes a cassette doubt its descriptions', async () => {
    const wiki = await fakeWiki()
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    await ask(`${recording.api}?${call}`)
    await recording.stop()
    const { file } = harFile(
      entry('{"query":{}}', { url: `${wiki.api}?${call}&apfrom=X` }),
      entry('{"query":{}}', {
        url: `${wiki.api}?action=query&format=json&list=allimages`
      })
    )
    const { code, stderr } = await run(['import', file, '--cassette', dir])
    expect([code, stderr]).toEqual([0, expect.stringContaining('recorded 2')])
    expect(CassetteStore.open(dir).moduleText('query+allimages')).toContain(
      '"describedby": "wikitape"'
    )
    expect(CassetteStore.open(dir).manifest.describesItself).toBe(true)
  })
})

describe('import of a folder', () => {
  const tape = (text: string, asked: string, at: number): string => `{
    meta: { createdAt: '2026-11-21T00:00:0${at}.000Z', host: 'https://wiki.test', resHumanReadable: true },
    req: { url: '/w/api.php?${asked}', method: 'GET', headers: {}, body: '' },
    res: { status: 200, headers: { 'content-type': ['application/json; charset=utf-8'] }, body: ${text} },
  }`

  it('takes every file in the order in which it was recorded, and names what it cannot read', async () => {
    const root = temporaryFolder()
    const tapes = path.join(root, 'tapes')
    const dir = path.join(root, 'tape')
    mkdirSync(path.join(tapes, 'deeper'), { recursive: true })
    writeFileSync(path.join(tapes, 'a.json5'), tape('{query: {second: ""}}', call, 2))
    writeFileSync(
      path.join(tapes, 'deeper/b.json5'),
      tape('{query: {first: ""}}', call, 1)
    )
    writeFileSync(path.join(tapes, 'broken.json5'), '{meta: {},\n req: !}')
    writeFileSync(path.join(tapes, 'other.yml'), 'jobs: {}')
    writeFileSync(path.join(tapes, 'README.md'), '# tapes')
    const { code, stderr } = await run(['import', tapes, '--cassette', dir])
    expect(code).toBe(1)
    expect(stderr).toContain(
      `skipped: ${path.join(tapes, 'broken.json5')}:2:7: invalid character '!'`
    )
    expect(stderr).toContain(
      `skipped: ${path.join(tapes, 'other.yml')}:1:1: it is of no known format`
    )
    expect(stderr).toMatch(/2 entries: recorded 2, .* 2 files not read completely\n$/)
    const replay = await serving(['replay', '--cassette', dir])
    for (const body of ['{"query":{"first":""}}', '{"query":{"second":""}}'])
      expect((await ask(`${replay.api}?${call}`)).text).toBe(body)
  })

  it('names ten of many files of something else', async () => {
    const root = temporaryFolder()
    writeFileSync(path.join(root, 'a.json5'), tape('{query: {}}', call, 1))
    for (let at = 0; at < 25; at += 1) writeFileSync(path.join(root, `z${at}.json`), '{}')
    const { code, stderr } = await run([
      'import',
      root,
      '--cassette',
      path.join(temporaryFolder(), 'tape')
    ])
    expect(code).toBe(1)
    expect(stderr.match(/skipped: .*z\d+\.json/g)).toHaveLength(10)
    expect(stderr).toContain('skipped: 15 more files of the folder')
    expect(stderr).toMatch(/1 entry: recorded 1, .* 25 files not read completely\n$/)
  })

  it('fails where there is nothing to read', async () => {
    const root = temporaryFolder()
    writeFileSync(path.join(root, 'README.md'), '')
    const none = await run(['import', root, '--cassette', path.join(root, 'tape')])
    expect([none.code, none.stderr]).toEqual([
      2,
      expect.stringContaining('expected tapes or cassettes')
    ])
    writeFileSync(path.join(root, 'a.json5'), '{')
    const broken = await run(['import', root, '--cassette', path.join(root, 'tape')])
    expect([broken.code, broken.stderr]).toEqual([
      2,
      expect.stringContaining('a.json5:1:2: invalid end')
    ])
    chmodSync(root, 0o755)
    chmodSync(path.join(root, 'a.json5'), 0)
    const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {}
    const closed = await spawned(['import', 'a.json5', '--cassette', 'tape'], {
      cwd: root,
      ...nobody
    })
    expect([closed.code, closed.stderr]).toEqual([
      2,
      expect.stringContaining('cannot read a.json5')
    ])
  })
})

describe('a text that lies in a file of its own', () => {
  const text = (words: string): string => `{"parse":{"title":"A","text":"${words}"}}`
  /** A cassette whose only answer is JSON of that many characters, spelled so that it can only be kept as text. */
  function recorded(words: string): string {
    const dir = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(dir, api)
    const body = { kind: 'text', text: text(words), spelling: 'ascii' } as const
    store.put(interactionOf({ action: 'parse', page: 'A' }, [response(body, json)]))
    store.checkpoint()
    return dir
  }
  const long = 'Ж '.repeat(maxInlineCharacters / 2)
  const json = { headers: new Map([['content-type', 'application/json; charset=utf-8']]) }
  const bodiesIn = (dir: string): readonly (readonly [string, string])[] =>
    [...filesIn(dir)].filter(([name]) => name.endsWith('.bin'))

  it.each(['har', 'vcr'])(
    'goes through %s and comes back in the same bytes',
    async (format) => {
      const dir = recorded(long)
      const made = path.join(dir, '../made')
      const copy = path.join(dir, '../copy')
      const exported = await run(['export', dir, '--to', format, '--output', made])
      expect([exported.code, exported.stderr]).toEqual([
        0,
        expect.stringContaining('1 exchanges written')
      ])
      const imported = await run(['import', made, '--cassette', copy])
      expect([imported.code, imported.stderr]).toEqual([
        0,
        expect.stringContaining('recorded 1')
      ])
      expect(bodiesIn(copy)).toEqual(bodiesIn(dir))
      expect(bodiesIn(dir)).toEqual([[expect.stringMatching(/^parse\//), text(long)]])
    }
  )

  it('is compared like any other', async () => {
    const { code, stdout } = await run([
      'diff',
      recorded(long),
      recorded(`${long}!`),
      '--json'
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      compared: { requests: 1 },
      counts: { data: 1 }
    })
    expect(code).toBe(0)
  })
})

describe('export', () => {
  const recorded = partOf('1.43', [
    ...[
      'tokens',
      'parse',
      'compare',
      'expandtemplates',
      'logout',
      'query.userinfo',
      'query.allpages'
    ],
    ...[
      'query.backlinks',
      'query.categorymembers',
      'query.g-allpages+info',
      'query.search',
      'query.allmessages'
    ]
  ])

  it.each(['har', 'vcrpy', 'vcr', 'talkback'])(
    'of a real cassette as %s imports as the same files',
    async (format) => {
      const root = temporaryFolder()
      const made = path.join(root, 'made')
      const copy = path.join(root, 'copy')
      const exported = await run([
        'export',
        recorded,
        '--to',
        format,
        '--output',
        made,
        '--json'
      ])
      expect(exported.code).toBe(0)
      const told: unknown = JSON.parse(exported.stderr)
      expect(told).toMatchObject({ exchanges: expect.any(Number), broken: [] })
      mkdirSync(copy)
      copyFileSync(path.join(recorded, 'cassette.json'), path.join(copy, 'cassette.json'))
      cpSync(path.join(recorded, 'paraminfo'), path.join(copy, 'paraminfo'), {
        recursive: true
      })
      const imported = await run(['import', made, '--cassette', copy])
      expect(imported.stderr).toMatch(/skipped 0, of other sites 0; redacted \d+\n$/)
      const original = filesIn(recorded)
      const again = filesIn(copy)
      const same = interactionFiles(copy).filter(
        (name) => again.get(name) === original.get(name)
      )
      expect(same.length).toBeGreaterThan(0.9 * interactionFiles(recorded).length)
      expect(interactionFiles(copy).filter((name) => !same.includes(name))).toEqual([])
    },
    120_000
  )
})

describe('export to nock', () => {
  it('for nock serves the same bytes', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const file = path.join(path.dirname(dir), 'fixtures.json')
    const store = CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php')
    const texts = ['{"b":1,"a":[1.5]}', '{"10":1.0,"2":"\\u0416"}']
    for (const [at, text] of texts.entries())
      store.put(
        interactionOf({ action: 'query', titles: `T ${at}` }, [response(jsonBody(text))])
      )
    const image = Buffer.from([0x89, 0xff, 0, 1])
    store.put(
      interactionOf({ 'plain target': '/w/a.png' }, [
        response({ kind: 'binary', bytes: image })
      ])
    )
    store.put(interactionOf({ action: 'query', 'as user': 'Bob' }))
    store.put(interactionOf({ action: 'query', 'after writes': 'abc' }))
    const { code, stderr } = await run(['export', dir, '--to', 'nock', '--output', file])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        '3 exchanges written; skipped 2 that depend on more than a URL'
      )
    ])
    nock.load(file)
    for (const [at, text] of texts.entries()) {
      const reply = await fetch(
        `http://wiki.test/w/api.php?titles=T%20${at}&format=json&action=query`
      )
      expect(await reply.text()).toBe(text)
    }
    const picture = await fetch('http://wiki.test/w/a.png')
    expect(Buffer.from(await picture.arrayBuffer()).equals(image)).toBe(true)
  })

  it('tells what it cannot do', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    CassetteStore.openOrCreate(dir, 'http://wiki.test/w/api.php').put(
      interactionOf({ action: 'query' })
    )
    const formats = 'expected one of har, nock, vcrpy, vcr, talkback'
    expect((await run(['export', dir])).stderr).toContain(`--to is missing; ${formats}`)
    expect((await run(['export', dir, '--to', 'vhs'])).stderr).toContain(
      `--to is "vhs"; ${formats}`
    )
    const tapes = await run(['export', dir, '--to', 'talkback'])
    expect([tapes.code, tapes.stdout, tapes.stderr]).toEqual([
      2,
      '',
      expect.stringContaining(
        '--output is missing: talkback keeps a folder of files; name a new one'
      )
    ])
    const used = await run(['export', dir, '--to', 'talkback', '--output', dir])
    expect([used.code, used.stderr]).toEqual([
      2,
      expect.stringContaining('already exists and is not empty')
    ])
    const [file = ''] = interactionFiles(dir)
    writeFileSync(path.join(dir, file), '{')
    const { code, stderr, stdout } = await run(['export', dir, '--to', 'har'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(`${file}: skipped: it cannot be read`)
    ])
    expect(JSON.parse(stdout)).toMatchObject({ log: { entries: [] } })
    writeFileSync(
      path.join(dir, 'cassette.json'),
      readFileSync(path.join(dir, 'cassette.json'), 'utf8').replace(
        'http://wiki.test/w/api.php',
        ''
      )
    )
    expect((await run(['export', dir, '--to', 'har'])).stderr).toContain(
      'cassette.json: upstream: "" has no http'
    )
  })
})
