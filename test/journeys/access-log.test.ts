/** From an access log to a report: `capture --log` and `rehearse`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { type FakeWiki, fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { spawned } from '../helpers/processes.ts'
import { run } from '../helpers/program.ts'
import { deadOrigin } from '../helpers/upstreams.ts'

const agents = {
  tool: 'CoolTool/2.1 (https://example.org; ops@example.org)',
  bot: 'script (User:Foo) Pywikibot/9.1.0 (g1) requests/2.31',
  curl: 'curl/8.1'
}
const line = (request: string, agent = agents.bot, day = 10): string =>
  `203.0.113.77 - alice [${day}/Nov/2026:13:55:36 +0000] "${request} HTTP/1.1" 200 2326 "https://wiki.example/?p=1" "${agent}"`
const page = (title: string): string =>
  `GET /w/api.php?action=query&prop=info&format=json&titles=${title}`
const siteinfo = 'GET /w/api.php?action=query&meta=siteinfo&siprop=statistics&format=json'

/** Four days; `prop=info` is what the next release answers otherwise. */
const log = [
  ...Array.from({ length: 6 }, () => line(page('A'))),
  line(page('A'), agents.tool, 14),
  line(page('%22B%22')),
  line(siteinfo, agents.curl),
  line('GET /w/api.php?action=purge&titles=A&format=json'),
  line('POST /w/api.php'),
  line('GET /w/api.php?action=query&lgpassword=hunter2&titles=A'),
  line('GET /wiki/Main_Page'),
  'GET /w/api.php?broken'
]

const wikiWith = (field: string): Promise<FakeWiki> =>
  fakeWiki((params) =>
    JSON.stringify(
      params.get('prop') === 'info'
        ? { query: { pages: [{ title: params.get('titles'), [field]: 7 }] } }
        : { query: { statistics: { pages: 3 } } }
    )
  )

function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), content)
  return folder
}

describe('capture --log', () => {
  it('sends each request of several logs once, and keeps how often, by whom and when', async () => {
    const wiki = await wikiWith('length')
    const cwd = folderWith({
      'a.log': `${log.slice(0, 7).join('\n')}\n`,
      'b.log': gzipSync(log.slice(7).join('\n'))
    })
    const args = [
      'capture',
      wiki.api,
      '--log',
      'a.log',
      '--log',
      'b.log',
      '--cassette',
      'tape'
    ]
    const { code, stderr } = await run(args, { cwd })
    expect(stderr).toContain(
      '14 lines read: 12 API calls, 5 different; 1 by POST, whose body no log has, not sent; 1 that write, not sent; 1 with a secret, not sent; 1 no request'
    )
    expect([code, wiki.asked().map((one) => one.replace('&maxlag=5', ''))]).toEqual([
      0,
      [
        'action=query&meta=siteinfo&siprop=statistics&format=json',
        'action=query&prop=info&format=json&titles=A',
        'action=query&prop=info&format=json&titles=%22B%22'
      ]
    ])
    expect(interactionFiles(path.join(cwd, 'tape'))).toHaveLength(3)
    const { requests, total } = JSON.parse(
      readFileSync(path.join(cwd, 'tape/requests.json'), 'utf8')
    )
    expect(total).toMatchObject({
      calls: 11,
      first: '2026-11-10T13:55:36.000Z',
      last: '2026-11-14T13:55:36.000Z'
    })
    expect(Object.values(requests)).toContainEqual({
      calls: 7,
      first: '2026-11-10T13:55:36.000Z',
      last: '2026-11-14T13:55:36.000Z',
      agents: { [agents.bot]: 6, 'CoolTool/2.1': 1 }
    })
    expect(allTextIn(path.join(cwd, 'tape'))).not.toMatch(
      /203\.0\.113|alice|hunter2|ops@|wiki\.example/
    )
  })

  it('leaves the file alone where others read the cassette: check, normalize, merge, replay of a second run', async () => {
    const wiki = await wikiWith('length')
    const cwd = folderWith({ 'a.log': log.join('\n') })
    await run(['capture', wiki.api, '--log', 'a.log', '--cassette', 'tape'], { cwd })
    expect((await run(['check', 'tape'], { cwd })).code).toBe(0)
    expect((await run(['normalize', 'tape', '--check'], { cwd })).code).toBe(0)
    const before = readFileSync(path.join(cwd, 'tape/requests.json'), 'utf8')
    writeFileSync(path.join(cwd, 'theirs'), before.replaceAll('2026-11-14', '2026-11-15'))
    writeFileSync(path.join(cwd, 'ours'), before)
    writeFileSync(path.join(cwd, 'base'), '')
    expect(
      (
        await run(['merge-driver', 'base', 'ours', 'theirs', 'tape/requests.json'], {
          cwd
        })
      ).code
    ).toBe(0)
    expect(readFileSync(path.join(cwd, 'ours'), 'utf8')).toContain('2026-11-15')
    const asked = wiki.asked().length
    await run(['capture', wiki.api, '--log', 'a.log', '--cassette', 'tape'], { cwd })
    expect([
      wiki.asked().length,
      readFileSync(path.join(cwd, 'tape/requests.json'), 'utf8')
    ]).toEqual([asked, before])
    writeFileSync(path.join(cwd, 'tape/requests.json'), '{}')
    expect((await run(['diff', 'tape', 'tape'], { cwd })).stdout).toContain(
      'requests.json has no counts'
    )
  })

  it.each([
    ['no such file', { files: {}, flags: ['--log', 'a.log'] }, 'cannot read a.log'],
    [
      'an empty file',
      { files: { 'a.log': '' }, flags: ['--log', 'a.log'] },
      'a.log has no request to /w/api.php that can be sent; expected an access log in the common or combined format'
    ],
    [
      'another path',
      {
        files: { 'a.log': log.join('\n') },
        flags: ['--log', 'a.log', '--log-path', '/de/api.php']
      },
      'there are requests to /w/api.php: --log-path /w/api.php'
    ],
    [
      'broken gzip',
      {
        files: { 'a.log': gzipSync(log.join('\n')).subarray(0, 90) },
        flags: ['--log', 'a.log']
      },
      'cannot read a.log: its gzip data is cut or damaged'
    ],
    ['a folder', { files: {}, flags: ['--log', '.'] }, 'cannot read .: EISDIR'],
    [
      'both sources',
      {
        files: { 'a.log': log.join('\n') },
        flags: ['--log', 'a.log', '--requests', 'a.log']
      },
      '--requests and --log: give one of them'
    ],
    [
      'a log as requests',
      {
        files: { 'a.log': `# mine\naction=query\n${log.join('\n')}` },
        flags: ['--requests', 'a.log']
      },
      'a.log:3 is not a query string; expected lines like action=query&list=allpages (--log reads access logs)'
    ],
    [
      'words as requests',
      {
        files: { 'a.log': 'meta=siteinfo\nask the wiki' },
        flags: ['--requests', 'a.log']
      },
      'a.log:2 is not a query string'
    ]
  ])('%s: says so at once, exit code 2', async (_, { files, flags }, message) => {
    const wiki = await wikiWith('length')
    const { code, stderr } = await run(
      ['capture', wiki.api, ...flags, '--cassette', 'tape'],
      {
        cwd: folderWith(files)
      }
    )
    expect(stderr).toContain(message)
    expect([code, wiki.asked().length]).toEqual([2, 0])
    expect(stderr).not.toContain('203.0.113')
  })
})

describe('rehearse', () => {
  it('leaves nothing behind where OLD cannot be reached', async () => {
    const cwd = folderWith({ 'a.log': log.join('\n') })
    const dead = `${await deadOrigin()}/w/api.php`
    const { code, stderr } = await run(
      ['rehearse', dead, dead, '--log', 'a.log', '--cassette', 'old'],
      {
        cwd
      }
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be reached')])
    expect(existsSync(path.join(cwd, 'old/requests.json'))).toBe(false)
  })

  it.each([
    ['a mistyped format', ['--format', 'htm'], '--format is "htm"'],
    [
      'a file of accepted drift that is not there',
      ['--accept', 'no.json'],
      'file not found: no.json'
    ],
    ['a wiki NEW that does not answer', [], 'cannot be reached']
  ])('refuses %s before OLD is asked', async (_, flags, message) => {
    const wiki = await wikiWith('length')
    const after = flags.length === 0 ? `${await deadOrigin()}/w/api.php` : wiki.api
    const args = [
      'rehearse',
      wiki.api,
      after,
      '--log',
      'a.log',
      '--cassette',
      'old',
      ...flags
    ]
    const { code, stderr } = await run(args, {
      cwd: folderWith({ 'a.log': log.join('\n') })
    })
    expect([code, stderr, wiki.asked().length]).toEqual([
      2,
      expect.stringContaining(message),
      0
    ])
  })

  it('says what breaks, for whom, how often, and what to tell them', async () => {
    const [before, after] = await Promise.all([wikiWith('length'), wikiWith('size')])
    const cwd = folderWith({ 'a.log': log.join('\n') })
    const { code, stdout, stderr } = await run(
      ['rehearse', before.api, after.api, '--log', 'a.log', '--cassette', 'old'],
      { cwd, env: { COLUMNS: '100' } }
    )
    expect([code, stderr]).toEqual([1, expect.stringContaining('3 of 3 requests done')])
    expect(stdout.replace(/127\.0\.0\.1:\d+/g, 'HOST')).toMatchSnapshot()
  })

  it('writes the other formats too, with the calls at each cause', async () => {
    const [before, after] = await Promise.all([wikiWith('length'), wikiWith('size')])
    const cwd = folderWith({ 'a.log': log.join('\n') })
    const args = [
      'rehearse',
      before.api,
      after.api,
      '--log',
      'a.log',
      '--cassette',
      'old'
    ]
    const { stdout } = await run([...args, '--json'], { cwd })
    expect(JSON.parse(stdout).causes[0].traffic).toEqual({
      calls: 8,
      days: 4,
      agents: { [agents.bot]: 7, 'CoolTool/2.1': 1 }
    })
    for (const format of ['terminal', 'markdown', 'html', 'junit'])
      expect(
        (await run(['diff', 'old', after.api, '--format', format], { cwd })).stdout
      ).toContain('2 calls a day, Pywikibot 9.1 and 1 other')
  })

  it('says of several wikis NEW what came with each', async () => {
    const wikis = await Promise.all(['length', 'size', 'bytes'].map(wikiWith))
    const cwd = folderWith({ 'a.log': log.join('\n') })
    const args = ['--log', 'a.log', '--cassette', 'old']
    const { code, stdout } = await run(
      ['rehearse', ...wikis.map(({ api }) => api), ...args],
      { cwd }
    )
    expect(code).toBe(1)
    const told = stdout.replace(/127\.0\.0\.1:\d+/g, 'HOST')
    expect(told.match(/^! .*/gm)).toEqual([
      '! length: field removed',
      '! size: field removed'
    ])
    expect(told.match(/2 calls a day, Pywikibot 9\.1 and 1 other/g)).toHaveLength(2)
  })

  it('wants a log, and two wikis', async () => {
    const { code, stderr } = await run([
      'rehearse',
      'http://127.0.0.1:1/w/api.php',
      'http://127.0.0.1:2/w/api.php'
    ])
    expect([code, stderr]).toEqual([2, expect.stringContaining('--log is missing')])
    expect(
      (await run(['rehearse', 'http://127.0.0.1:1/w/api.php', '--log', 'x'])).stderr
    ).toContain('too few arguments')
  })
})

describe('the built program', () => {
  it('reads a log from stdin', async () => {
    const wiki = await wikiWith('length')
    const cwd = temporaryFolder()
    const { code } = await spawned(
      ['capture', wiki.api, '--log', '-', '--cassette', 'tape'],
      {
        cwd,
        stdin: log.join('\n')
      }
    )
    expect([code, interactionFiles(path.join(cwd, 'tape')).length]).toEqual([0, 3])
  })
})
