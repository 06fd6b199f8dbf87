/** Secrets that answers hand out, that messages would quote, and that become known only after they were written. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type FakeAnswer, fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, temporaryFolder } from '../helpers/folders.ts'
import { ask, post } from '../helpers/http-client.ts'
import { spawnServing } from '../helpers/processes.ts'
import { type Run, run, serving } from '../helpers/program.ts'

const made = 'A7fK29sLq0Zx81Vb3nTe6Wd'
const token = 'f3a9c0de11b24cd5e6f708192a3b4c5d6920f1ab+\\'
const query = '?action=query&format=json&meta=authmanagerinfo'

interface Recorded {
  readonly run: Run
  readonly disk: string
  readonly log: string
}

/** Records one GET of this, and says all that was written and printed. */
async function recorded(answer: FakeAnswer, sent = query): Promise<Recorded> {
  const folder = temporaryFolder()
  const cassette = path.join(folder, 'tape')
  const log = path.join(folder, 'log')
  const wiki = await fakeWiki(() => answer)
  const server = await serving([
    'record',
    wiki.api,
    '--cassette',
    cassette,
    '--log',
    log,
    '--verbose'
  ])
  await ask(server.api + sent)
  const run = await server.stop()
  const disk = existsSync(cassette) ? allTextIn(cassette) : ''
  return { run, disk, log: readFileSync(log, 'utf8') }
}

describe('an answer is recorded without', () => {
  const nested = (value: unknown): string =>
    JSON.stringify({ a: JSON.stringify([JSON.stringify({ b: JSON.stringify(value) })]) })

  it.each<[string, string, string]>([
    [
      'what a login leads on to',
      made,
      `{"clientlogin":{"status":"REDIRECT","redirecttarget":"https://id.test/authorize?client_id=x&visit=${made}"}}`
    ],
    [
      'the key of an authenticator',
      'JBSWY3DPEHPK3PXP',
      '{"query":{"authmanagerinfo":{"requests":[{"id":"Totp","metadata":{"key":"JBSWY3DPEHPK3PXP"}}]}}}'
    ],
    [
      'what a field of type password holds',
      'plum tart',
      '{"query":{"authmanagerinfo":{"requests":[{"fields":{"word":{"type":"password","value":"plum tart","label":"Word"}}}]}}}'
    ],
    ['a token in JSON in JSON in JSON', made, nested({ access_token: made })],
    [
      'a token of its own in JSON in JSON in JSON',
      token.slice(0, 40),
      nested({ csrftoken: token })
    ],
    [
      'a token of its own in JSON',
      token.slice(0, 40),
      JSON.stringify({ a: JSON.stringify({ csrftoken: token }) })
    ]
  ])('%s', async (_, secret, body) => {
    const { run, disk } = await recorded(body)
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('recorded 1')])
    expect(disk).not.toContain(secret)
  })

  it('what a field of type password holds in XML', async () => {
    const body =
      '<?xml version="1.0"?><api><f type="password" value="plum tart" label="Word" /></api>'
    const { disk } = await recorded(
      { body, headers: { 'content-type': 'text/xml' } },
      `${query}&format=xml`
    )
    expect(disk).toContain('label')
    expect(disk).not.toContain('plum tart')
  })

  it.each<[string, string]>([
    [
      'JSON of a page that names a password',
      JSON.stringify({ parse: { wikitext: `{"access_token":"${made}"}` } })
    ],
    [
      'a type that is no form',
      '{"query":{"x":{"type":"passwords","value":"plum tart"}}}'
    ],
    [
      'metadata of an image',
      '{"query":{"metadata":[{"name":"key","value":"JBSWY3DPEHPK3PXP"}]}}'
    ]
  ])('nothing of what is content: %s', async (_, body) => {
    const { disk } = await recorded(body)
    for (const word of [made, 'plum tart', 'JBSWY3DPEHPK3PXP'].filter((one) =>
      body.includes(one)
    ))
      expect(disk).toContain(word)
  })
})

describe('nothing of a secret is told at the terminal or in the log', () => {
  it.each<[string, FakeAnswer, string]>([
    [
      'a 503 that names a token',
      { status: 503, body: `bad token ${token} for you` },
      token
    ],
    [
      'a 503 that names credentials',
      { status: 503, body: `Authorization: Bearer ${made}${made}` },
      made
    ],
    [
      'a page that names a password',
      {
        body: '<html>you sent password=plumTart_48213x</html>',
        headers: { 'content-type': 'text/html' }
      },
      'plumTart_48213x'
    ],
    [
      'a long page that is cut in the middle of a secret',
      { status: 503, body: `${'word '.repeat(21)}${'x'.repeat(5)}${made}${made}` },
      made.slice(0, 8)
    ],
    [
      'a redirect',
      { status: 302, body: '', headers: { location: `https://x.test/?code=${made}` } },
      made
    ]
  ])('from %s', async (_, answer, secret) => {
    const { run, log } = await recorded(answer)
    expect(run.stderr).toContain('not recorded')
    expect(run.stderr + run.stdout + log).not.toContain(secret)
  })

  it('from a page that echoes the password that a client sent', async () => {
    const log = path.join(temporaryFolder(), 'log')
    const echo = { status: 503, body: 'we do not know lazy-plum-7 at all' }
    const wiki = await fakeWiki((params) =>
      params.has('lgpassword') ? echo : { status: 503, body: 'lazy-plum-7' }
    )
    const args = ['record', wiki.api, '--cassette', path.join(temporaryFolder(), 'tape')]
    const server = await serving([...args, '--log', log, '--verbose'])
    await post(server.api, 'action=login&lgname=B&lgpassword=lazy-plum-7')
    await ask(`${server.api}?action=query&titles=A`)
    await ask(
      `${new URL(server.api).origin}/wiki/Special:ConfirmEmail/9f86d081884c7d659a2feaa0c55ad015`
    )
    const { stderr } = await server.stop()
    expect(stderr).toContain('HTTP status 503')
    for (const text of [stderr, readFileSync(log, 'utf8')]) {
      expect(text).not.toContain('lazy-plum')
      expect(text).not.toContain('9f86d081884c7d659a2feaa0c55ad015')
    }
  })

  it('from a miss in replay, whose command has none of what was sent either', async () => {
    const folder = temporaryFolder()
    const wiki = await fakeWiki()
    const recording = await serving(['record', wiki.api, '--cassette', folder])
    await ask(`${recording.api}?action=query&titles=A&url=x`)
    await recording.stop()
    const server = await serving(['replay', '--cassette', folder, '--verbose'])
    const back = encodeURIComponent(`https://app.test/?access_token=${made}`)
    const reply = await ask(`${server.api}?action=frob&url=${back}`)
    const pages = await ask(`${new URL(server.api).origin}/__wikitape/misses`)
    const { stderr } = await server.stop()
    expect(reply.headers['x-cassette-status']).toBe('miss')
    for (const text of [reply.text, pages.text, stderr]) expect(text).not.toContain(made)
  })
})

describe('what becomes known as a secret after it was written', () => {
  it('is found when the run ends: exit code 4, and the file', async () => {
    const cassette = path.join(temporaryFolder(), 'tape')
    const wiki = await fakeWiki((params) =>
      params.has('lgpassword')
        ? '{"login":{"result":"Success"}}'
        : '{"query":{"pages":{"1":{"pageid":1,"title":"Wifi","extract":"ask for Kq7fP29xLr0Zt8mW here"}}}}'
    )
    const server = await serving(['record', wiki.api, '--cassette', cassette])
    const { headers } = await ask(`${server.api}?action=query&format=json&titles=Wifi`)
    await post(
      server.api,
      'action=login&format=json&lgname=B&lgpassword=Kq7fP29xLr0Zt8mW'
    )
    const { code, stderr } = await server.stop()
    const key = String(headers['x-cassette-key'])
    expect(code).toBe(4)
    expect(stderr).toMatch(
      new RegExp(
        `tape/query/\\S*${key}\\.json contains a secret in plain text .*password \\(found in lgpassword\\)`
      )
    )
    expect(stderr).toContain('delete the file, and record it again after the login')
    expect(stderr).not.toContain('Kq7fP29')
  })

  it("is the caller's own address as well", async () => {
    const wiki = await fakeWiki((params) =>
      params.get('meta') === 'userinfo'
        ? '{"query":{"userinfo":{"id":0,"name":"203.0.113.77","anon":""}}}'
        : '{"query":{"recentchanges":[{"user":"203.0.113.77"}]}}'
    )
    const args = ['record', wiki.api, '--cassette', path.join(temporaryFolder(), 'tape')]
    const server = await serving(args)
    await ask(`${server.api}?action=query&format=json&list=recentchanges`)
    await ask(`${server.api}?action=query&format=json&meta=userinfo`)
    expect(await server.stop()).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(
        /query\.recentchanges\S* contains a secret in plain text .*address \(found in name\)/
      )
    })
  })

  it('is not looked for in what was written after it was known', async () => {
    const wiki = await fakeWiki(() => '{"query":{}}')
    const server = await serving([
      'record',
      wiki.api,
      '--cassette',
      path.join(temporaryFolder(), 'tape')
    ])
    await post(server.api, 'action=login&format=json&lgname=B&lgpassword=lazy-plum-7')
    await ask(`${server.api}?action=query&format=json&titles=Wifi`)
    expect((await server.stop()).code).toBe(0)
  })
})

it('import keeps the password of an address out of what it records and says', async () => {
  const folder = temporaryFolder()
  const file = path.join(folder, 'a.har')
  const cassette = path.join(folder, 'tape')
  const entry = (path: string, text: string): object => ({
    startedDateTime: '2026-01-02T03:04:05Z',
    request: {
      method: 'GET',
      url: `http://bob:lazy-plum-7@wiki.test${path}`,
      headers: []
    },
    response: {
      status: 200,
      headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
      content: { mimeType: 'application/json', text }
    }
  })
  const entries = [
    entry(
      '/w/api.php?action=query&format=json&titles=A',
      '{"query":{"echo":"bob:lazy-plum-7"}}'
    ),
    entry(
      '/w/api.php?action=query&format=json&titles=B',
      '{"query":{"echo":"Basic Ym9iOmxhenktcGx1bS03"}}'
    ),
    entry('/w/api.php?action=query&format=json&titles=C', '{"query":{"echo":"fine"}}')
  ]
  writeFileSync(file, JSON.stringify({ log: { entries } }))
  const first = await run(['import', file, '--cassette', cassette])
  const other = await run([
    'import',
    file,
    '--cassette',
    cassette,
    '--wiki',
    'http://bob:lazy-plum-7@x.test/w/api.php'
  ])
  const all =
    allTextIn(cassette) + [first, other].map((one) => one.stdout + one.stderr).join('')
  expect(first.stderr).toContain('3 entries')
  expect(all).toContain('fine')
  expect(all).not.toMatch(/lazy-plum|Ym9iOmxhenktcGx1bS03/)
})

describe('--log', () => {
  it('makes a file that only its user may read', async () => {
    const log = path.join(temporaryFolder(), 'log')
    const server = await serving([
      'replay',
      '--cassette',
      'cassettes/ru-1.43',
      '--log',
      log
    ])
    await server.stop()
    expect(statSync(log).mode & 0o777).toBe(0o600)
  })

  it('on a pipe that nobody reads holds nobody up, and is read by whoever comes later', async () => {
    const pipe = path.join(temporaryFolder(), 'pipe')
    execFileSync('/usr/bin/env', ['mkfifo', pipe])
    const server = await spawnServing([
      'replay',
      '--cassette',
      'cassettes/ru-1.43',
      '--log',
      pipe
    ])
    const asked = `${server.api}?action=query&format=json&list=nothing&x=`
    // More than a pipe holds.
    for (let at = 0; at < 60; at += 1)
      await Promise.all([...'0123456789'].map((one) => ask(`${asked}${at}-${one}`)))
    const reader = spawn('cat', [pipe])
    onTestFinished(() => void reader.kill())
    let read = ''
    reader.stdout.on('data', (part: Buffer) => {
      read += part.toString('utf8')
    })
    await wait(300)
    await ask(`${asked}last`)
    await wait(300)
    expect((await server.stop()).signal).toBe(null)
    expect(read.trimEnd().split('\n')).toHaveLength(601)
  })
})
