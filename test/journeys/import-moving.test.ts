/** Moving in with a folder of recordings: a cassette for each file and each wiki, what is told, and what it costs nothing to try. */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { runProgram } from '../../src/cli/program.ts'
import { clearLine } from '../../src/cli/terminal/terminal-output.ts'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type Run, run, serving } from '../helpers/program.ts'
import { testShell } from '../helpers/shells.ts'

const json = { 'Content-Type': ['application/json; charset=utf-8'] }

interface Said {
  readonly url: string
  readonly body: string
  readonly form?: string
  readonly status?: number
  readonly headers?: object
  readonly at?: string
}

const interaction = ({
  url,
  body,
  form,
  status = 200,
  headers = json,
  at = '2015-01-02'
}: Said): object => ({
  request: {
    method: form === undefined ? 'get' : 'post',
    uri: url,
    body: { encoding: 'UTF-8', string: form ?? '' },
    headers:
      form === undefined ? {} : { 'Content-Type': ['application/x-www-form-urlencoded'] }
  },
  response: {
    status: { code: status },
    headers,
    body: { encoding: 'UTF-8', string: body }
  },
  recorded_at: `${at}T00:00:00Z`
})

/** A folder of VCR's cassettes, and where to record to. */
function suite(files: Readonly<Record<string, readonly Said[]>>): {
  readonly from: string
  readonly to: string
} {
  const root = temporaryFolder()
  const from = path.join(root, 'fixtures')
  for (const [name, all] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(from, name)), { recursive: true })
    writeFileSync(
      path.join(from, name),
      JSON.stringify({ http_interactions: all.map(interaction) })
    )
  }
  return { from, to: path.join(root, 'cassettes') }
}

const api = 'https://wiki.test/w/api.php'
const read = (title: string): string =>
  `action=query&format=json&prop=info&titles=${title}`
const page = (title: string, touched: number): string =>
  `{"batchcomplete":"","query":{"pages":{"7":{"pageid":7,"ns":0,"title":"${title}","touched":${touched}}}}}`

/** What replay says to these, one after the other. */
async function replayed(
  cassette: string,
  asked: readonly Said[],
  session = ''
): Promise<readonly string[]> {
  const replay = await serving(['replay', '--cassette', cassette])
  const all = await told(replay.api, asked, session)
  await replay.stop()
  return all
}

/** What a server says to these, one after the other. */
async function told(
  to: string,
  asked: readonly Said[],
  session: string
): Promise<readonly string[]> {
  const all: string[] = []
  for (const { url, form } of asked) {
    const named = session === '' ? {} : { 'x-cassette-session': session }
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    const { search } = new URL(url)
    const reply =
      form === undefined
        ? await ask(`${to}${search}`, { headers: named })
        : await ask(to, { method: 'POST', headers: { ...named, ...type }, body: form })
    all.push(reply.text)
  }
  return all
}

const bodiesOf = (all: readonly Said[]): readonly string[] => all.map(({ body }) => body)

/** A test of a suite: it reads, writes, and reads back; all ask the same and are told something else. */
const test = (number: number): readonly Said[] => [
  { url: `${api}?${read('A')}`, body: page('A', number) },
  { url: `${api}?${read('A')}`, body: page('A', number + 1) },
  {
    url: api,
    form: 'action=edit&format=json&title=A&text=x&token=%2B%5C',
    body: `{"edit":{"result":"Success","pageid":7,"title":"A","newrevid":${number}}}`
  },
  { url: `${api}?${read('A')}`, body: page('A', 100 + number) }
]

describe('a folder', () => {
  it('of twenty files that ask the same and write becomes twenty cassettes, each exact by itself', async () => {
    const numbers = Array.from({ length: 20 }, (_, at) => at)
    const files = Object.fromEntries(
      numbers.map((at) => [`deep/test_${at}.json`, test(at)])
    )
    const { from, to } = suite(files)
    const { code, stderr } = await run(['import', from, '--cassette', to])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(
        '80 entries for 20 cassettes: recorded 80, unchanged 0, skipped 0'
      )
    ])
    for (const at of numbers)
      expect(await replayed(path.join(to, `deep/test_${at}`), test(at))).toEqual(
        bodiesOf(test(at))
      )
  })

  it('of twenty such files is exact together too: shuffled, and all at the same time', async () => {
    const numbers = Array.from({ length: 20 }, (_, at) => at)
    const files = Object.fromEntries(numbers.map((at) => [`test_${at}.json`, test(at)]))
    const { from, to } = suite(files)
    expect((await run(['import', from, '--cassette', to, '--together'])).code).toBe(0)
    const shuffled = numbers.map((at) => (at * 7 + 3) % 20)
    const replay = await serving(['replay', '--cassette', to])
    for (const at of shuffled)
      expect(await told(replay.api, test(at), `test_${at}.json`)).toEqual(
        bodiesOf(test(at))
      )
    const again = await serving(['replay', '--cassette', to])
    const all = await Promise.all(
      shuffled.map((at) => told(again.api, test(at), `test_${at}.json`))
    )
    expect(all).toEqual(shuffled.map((at) => bodiesOf(test(at))))
  })

  it('becomes one with --together, in which each file is a session', async () => {
    const { from, to } = suite({
      'a.json': test(1),
      'b.json': test(5),
      'c.json': test(9)
    })
    const { code, stderr } = await run(['import', from, '--cassette', to, '--together'])
    expect([code, stderr]).toEqual([0, expect.stringContaining('skipped 0')])
    for (const [name, at] of [
      ['b.json', 5],
      ['a.json', 1],
      ['c.json', 9]
    ] as const)
      expect(await replayed(to, test(at), name)).toEqual(bodiesOf(test(at)))
  })

  it('never puts one cassette into another', async () => {
    const one = [{ url: `${api}?${read('A')}`, body: page('A', 1) }]
    const { from, to } = suite({
      'a.json': one,
      'a.yml': one,
      'b.json': one,
      'b/c.json': one
    })
    expect((await run(['import', from, '--cassette', to])).code).toBe(0)
    for (const name of ['a.json', 'a.yml', 'b.json', 'b/c'])
      expect(CassetteStore.open(path.join(to, name)).size).toBe(1)
    const into = await run(['import', from, '--cassette', path.join(to, 'b.json')])
    expect([into.code, into.stderr]).toEqual([
      2,
      expect.stringContaining('is a cassette and cannot contain other cassettes')
    ])
  })
})

describe('a file', () => {
  it('of another wiki than the one that is named says which it holds', async () => {
    const { from, to } = suite({
      'a.json': [{ url: `${api}?${read('A')}`, body: page('A', 1) }]
    })
    const file = path.join(from, 'a.json')
    const { code, stderr } = await run([
      'import',
      file,
      '--cassette',
      to,
      '--wiki',
      'https://other.test/w/api.php'
    ])
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        `a.json has no answer of https://other.test/w/api.php, but of ${api}\n`
      )
    ])
  })

  it('of several wikis becomes one cassette each; a redirect joins what it leads to', async () => {
    const other = 'https://other.test/w/api.php'
    const moved = {
      url: `http://wiki.test/w/api.php?${read('A')}`,
      status: 301,
      headers: {
        Location: [`https://www.wiki.test/w/api.php?${read('A')}`],
        'Content-Type': ['text/html']
      },
      body: '<html>Moved</html>'
    }
    const all = [
      moved,
      { url: `https://www.wiki.test/w/api.php?${read('A')}`, body: page('A', 1) },
      { url: `${other}?${read('B')}`, body: page('B', 2) }
    ]
    const { from, to } = suite({ 'a.json': all })
    const { code, stderr } = await run([
      'import',
      path.join(from, 'a.json'),
      '--cassette',
      to
    ])
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('3 entries for 2 cassettes: recorded 3')
    ])
    expect(stderr).toContain(
      '1 redirects from one address of the wiki to another are recorded'
    )
    const www = path.join(to, 'www.wiki.test')
    expect(CassetteStore.open(www).manifest.upstream).toBe(
      'https://www.wiki.test/w/api.php'
    )
    expect(await replayed(www, all.slice(0, 2))).toEqual(bodiesOf(all.slice(0, 2)))
    expect(await replayed(path.join(to, 'other.test'), all.slice(2))).toEqual(
      bodiesOf(all.slice(2))
    )
  })

  it('dates its cassette by its oldest recording, so that it expires', async () => {
    const dated = (name: string, at: string): Said => ({
      url: `${api}?${read(name)}`,
      body: page(name, 1),
      at
    })
    const { from, to } = suite({
      'a.json': [
        dated('A', '2015-03-01'),
        dated('B', '2014-02-03'),
        dated('C', '2016-01-01')
      ]
    })
    await run(['import', path.join(from, 'a.json'), '--cassette', to])
    expect(CassetteStore.open(to).manifest.recorded).toBe('2014-02-03')
    expect((await run(['check', to, '--expires', '30d'])).code).toBe(1)
  })
})

describe('the content of an imported file', () => {
  it('says by entry what it skipped, and the totals add up', async () => {
    const { from, to } = suite({
      'a.json': [
        { url: `${api}?${read('A')}`, body: page('A', 1) },
        { url: `${api}?${read('A')}`, body: page('A', 1) },
        { url: `${api}?${read('B')}`, body: '{"query":' },
        {
          url: 'https://elsewhere.test/style.css',
          body: 'a',
          headers: { 'Content-Type': ['text/css'] }
        }
      ]
    })
    const { code, stdout } = await run([
      'import',
      from,
      '--cassette',
      to,
      '--json',
      '--dry-run'
    ])
    expect([code, filesIn(path.dirname(to)).size]).toEqual([1, 1])
    expect(JSON.parse(stdout)).toMatchObject({
      entries: 4,
      taken: 1,
      same: 1,
      leftOut: 1,
      elsewhere: 1,
      dryRun: true,
      files: [
        {
          cassette: path.join(to, 'a'),
          leftOut: [{ entry: 3, why: expect.stringContaining('expected JSON') }]
        }
      ]
    })
  })

  it('takes fixtures written by hand, without headers and method, as what they are', async () => {
    const root = temporaryFolder()
    const fixture = path.join(root, 'fixture.json')
    const to = path.join(root, 'tape')
    const url = `${api}?${read('Волга')}`
    const body = page('Волга', 5)
    writeFileSync(
      fixture,
      JSON.stringify([{ request: { url }, response: { status_code: 200, body } }])
    )
    const { code, stdout, stderr } = await run(['import', fixture, '--cassette', to])
    expect([code, stdout + stderr]).toEqual([
      0,
      expect.stringContaining('recorded 1, unchanged 0, skipped 0')
    ])
    expect(await replayed(to, [{ url, body }])).toEqual([body])
  })

  it('learns what modules are like from another cassette', async () => {
    const { from, to } = suite({
      'a.json': [{ url: `${api}?${read('A_b')}`, body: page('A b', 1) }]
    })
    const described = path.resolve('cassettes/ru-1.43')
    const { stderr } = await run([
      'import',
      from,
      '--cassette',
      to,
      '--describe-from',
      described
    ])
    expect(stderr).not.toContain('no wiki described its modules')
    const store = CassetteStore.open(path.join(to, 'a'))
    expect([store.manifest.site?.lang, store.manifest.describesItself]).toEqual([
      'ru',
      true
    ])
    expect(
      await replayed(path.join(to, 'a'), [{ url: `${api}?${read('A%20b')}`, body: '' }])
    ).toEqual([expect.stringContaining('"touched":1')])
  })
})

describe('what is broken', () => {
  const said = {
    url: `https://wiki.test/w/api.php?action=query&meta=siteinfo&format=json`,
    body: '{"query":{}}'
  }

  it('is refused as a file, with the place, and costs no other file of its folder', async () => {
    const { from, to } = suite({ 'a.json': [said], 'b.json': [said] })
    const file = path.join(from, 'a.json')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, text.lastIndexOf('recorded_at')))
    const report = await run(['import', from, '--cassette', to])
    expect(report.code).toBe(1)
    expect(report.stderr).toMatch(
      /skipped: \S+a\.json:\d+:\d+: .*; make the recording again, or cut the file at its last whole entry\n/
    )
    expect(report.stderr).toContain(
      '1 entry: recorded 1, unchanged 0, skipped 0, of other sites 0'
    )
    const alone = await run(['import', file, '--cassette', path.join(to, 'alone')])
    expect([alone.code, alone.stderr]).toEqual([
      2,
      expect.stringMatching(/a\.json:\d+:\d+: .*make the recording/)
    ])
  })

  it('or of no known ending is told in a folder of others', async () => {
    const { from, to } = suite({ 'a.json': [said] })
    copyFileSync(path.join(from, 'a.json'), path.join(from, 'b.txt'))
    writeFileSync(path.join(from, 'README.md'), 'see "interactions"')
    writeFileSync(path.join(from, 'photo.png'), Buffer.from([0x89, 0x50, 0xff]))
    const report = await run(['import', from, '--cassette', to])
    expect([report.code, report.stderr]).toEqual([
      0,
      expect.stringContaining(
        '2 entries for 2 cassettes: recorded 2, unchanged 0, skipped 0'
      )
    ])
  })
})

describe('mappings of WireMock', () => {
  /** A folder of WireMock whose one mapping has its body in a file. */
  function mapped(bodyFileName: string): string {
    const root = temporaryFolder()
    const url = '/w/api.php?action=query&meta=siteinfo&format=json'
    for (const folder of ['mappings/tokens/deep', '__files/tokens'])
      mkdirSync(path.join(root, folder), { recursive: true })
    const response = {
      status: 200,
      bodyFileName,
      headers: { 'Content-Type': 'application/json' }
    }
    const mapping = { request: { method: 'GET', url }, response }
    writeFileSync(path.join(root, 'mappings/tokens/deep/a.json'), JSON.stringify(mapping))
    return root
  }
  const imported = (root: string): Promise<Run> =>
    run([
      'import',
      root,
      '--cassette',
      path.join(root, 'out'),
      '--wiki',
      'https://wiki.test/w/api.php'
    ])

  it('in folders have their bodies beside the outermost', async () => {
    const root = mapped('tokens/a.json')
    writeFileSync(path.join(root, '__files/tokens/a.json'), '{"query":{}}')
    const report = await imported(root)
    expect([report.code, report.stderr]).toEqual([
      0,
      expect.stringContaining('recorded 1, unchanged 0, skipped 0')
    ])
  })

  it.each(['a link', 'a folder that is a link'])(
    'are not followed out of __files by %s',
    async (what) => {
      const root = mapped('tokens/away/a.json')
      const outside = temporaryFolder()
      writeFileSync(
        path.join(outside, 'a.json'),
        '{"query":{"secret":"of another folder"}}'
      )
      const away = path.join(root, '__files/tokens/away')
      if (what === 'a link') {
        mkdirSync(away)
        symlinkSync(path.join(outside, 'a.json'), path.join(away, 'a.json'))
      } else symlinkSync(outside, away)
      const { stderr } = await imported(root)
      expect(stderr).toContain(
        'skipped: its body is in __files/tokens/away/a.json, which does not exist'
      )
      expect(existsSync(path.join(root, 'out'))).toBe(false)
    }
  )
})

it('says on a terminal how far a long import has come', async () => {
  const all = Array.from({ length: 120 }, (_, n) => ({
    url: `${api}?${read(`T${n}`)}`,
    body: page(`T${n}`, n)
  }))
  const { from, to } = suite({ 'many.json': all })
  // Widths of characters are loaded when a terminal needs them: here before the import is over.
  await import('../../src/drift/report/terminal/column-width.ts')
  // Each look at the progress comes at once, instead of every 200 ms.
  vi.spyOn(globalThis, 'setInterval').mockImplementation((look) => {
    const again = (): void => {
      look()
      timer = setImmediate(again)
    }
    let timer = setImmediate(again)
    onTestFinished(() => clearImmediate(timer))
    return setTimeout(() => undefined)
  })
  const shell = testShell({ isTerminal: true })
  expect(
    await runProgram(['import', path.join(from, 'many.json'), '--cassette', to], shell)
  ).toBe(0)
  vi.restoreAllMocks()
  const told = shell.printed.filter((text) => text.startsWith(clearLine))
  expect(told[0]).toContain('reading ')
  expect(told.filter((text) => / of 120 entries$/.test(text)).length).toBeGreaterThan(1)
  expect(told.at(-1)).toBe(clearLine)
})

it('what a recorder filtered out of a login and of an edit is there again, so that they replay', async () => {
  const url = 'http://wiki.example/w/api.php'
  const { from, to } = suite({
    'bot.yml': [
      {
        url,
        form: 'action=login&lgname=Bot&format=json',
        body: '{"login":{"result":"Success","lguserid":2,"lgusername":"Bot"}}'
      },
      {
        url,
        form: 'action=edit&title=A&text=b&format=json',
        body: '{"edit":{"result":"Success","pageid":1,"title":"A"}}'
      }
    ]
  })
  expect((await run(['import', from, '--cassette', to])).stderr).not.toContain(
    'skipped 1'
  )
  const [file = ''] = [...filesIn(to).keys()].filter((name) =>
    /cassette\.json$/.test(name)
  )
  const replay = await serving([
    'replay',
    '--cassette',
    path.join(to, path.dirname(file))
  ])
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const token = `${'0a1b2c3d'.repeat(5)}%2B%5C`
  for (const [body, expected] of [
    [`action=login&lgname=Bot&lgpassword=mine&lgtoken=${token}&format=json`, 'lguserid'],
    [`action=edit&title=A&text=b&token=${token}&format=json`, '"pageid":1']
  ] as const)
    expect(
      (await ask(`${replay.api}`, { method: 'POST', headers: form, body })).text
    ).toContain(expected)
})
