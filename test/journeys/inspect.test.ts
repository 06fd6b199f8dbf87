/** Looking into a cassette: ls, show, explain, check. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { copyFolder } from '../helpers/copies.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { ask, post } from '../helpers/http-client.ts'
import { program } from '../helpers/processes.ts'
import { run, serving } from '../helpers/program.ts'
import { interactionOf, jsonBody, response } from '../helpers/recorded.ts'

/** Recorded once, copied for each test. */
let made:
  | {
      readonly files: ReadonlyMap<string, string>
      readonly bodies: ReadonlyMap<string, string>
    }
  | undefined

const listing = 'action=query&format=json&list=allpages'
const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 10, 13, 0x80])

async function record(): Promise<NonNullable<typeof made>> {
  const wiki = await fakeWiki((_, { target }) =>
    target.endsWith('/a.png')
      ? { body: image, headers: { 'content-type': 'image/png' } }
      : '{"query":{"allpages":[{"title":"\\u0412\\u043e\\u043b\\u0433\\u0430"}]}}'
  )
  const cassette = path.join(temporaryFolder(), 'tape')
  const recording = await serving(['record', wiki.api, '--cassette', cassette])
  const bodies = new Map<string, string>()
  for (const query of [
    `${listing}&apfrom=A`,
    `${listing}&apfrom=B&aplimit=5`,
    'action=query&format=json&prop=info&titles=Волга|файл:map_07.png'
  ]) {
    const reply = await ask(`${recording.api}?${encodeURI(query)}`)
    bodies.set(String(reply.headers['x-cassette-key']), reply.text)
  }
  await ask(`${new URL(recording.api).origin}/w/images/a.png`)
  await recording.stop()
  return { files: copyFolder(cassette), bodies }
}

/** A cassette of four interactions. */
async function cassette(): Promise<{
  readonly dir: string
  readonly bodies: ReadonlyMap<string, string>
}> {
  made ??= await record()
  const dir = path.join(temporaryFolder(), 'tape')
  for (const [name, bytes] of made.files) {
    mkdirSync(path.dirname(path.join(dir, name)), { recursive: true })
    writeFileSync(path.join(dir, name), bytes, 'latin1')
  }
  return { dir, bodies: made.bodies }
}

/** The one file whose name holds this text. */
function fileNamed(dir: string, part: string): string {
  const [name, other] = interactionFiles(dir).filter((one) => one.includes(part))
  if (name === undefined || other !== undefined)
    throw new Error(`expected one file with ${part}`)
  return path.join(dir, name)
}

describe('addresses of rest.php', () => {
  it('are shown as people write them, by ls, explain and coverage', async () => {
    const wiki = await fakeWiki(() => '{"revisions":[]}')
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    const { origin } = new URL(recording.api)
    const history = '/w/rest.php/v1/page/Волга/history'
    await ask(origin + encodeURI(history))
    await recording.stop()
    expect((await run(['ls', dir])).stdout).toContain(`  GET ${history}\n`)
    expect((await run(['coverage', dir])).stdout).toContain(
      `as recorded       GET ${history}\n`
    )
    const explained = await run(['explain', '--cassette', dir, history])
    expect([explained.code, explained.stdout]).toEqual([
      0,
      expect.stringContaining('is recorded')
    ])
    const missed = await run(['explain', '--cassette', dir, `${history}?older_than=5`])
    expect(missed.stdout).toContain(`No recording of ${history} has these parameters.`)
  })
})

describe('ls', () => {
  it('tells who asked and when where names alone do not', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(dir, 'http://wiki.example/w/api.php')
    const edit = interactionOf({
      action: 'edit',
      title: 'Волга',
      text: 'x'.repeat(100),
      'as user': 'user:Admin'
    })
    const read = {
      action: 'query',
      prop: 'revisions',
      rvprop: 'ids|timestamp|user|comment|content',
      titles: 'Волга'.repeat(20)
    }
    store.put(edit)
    for (const more of [
      {},
      { 'as user': 'user:Admin' },
      { 'as user': 'user:Admin', 'after writes': edit.key }
    ])
      store.put(interactionOf({ ...read, ...more }))
    const { stdout } = await run(['ls', dir])
    const told = [...stdout.matchAll(/query\.revisions\/\S+?\.json(.*)/g)].map(
      ([, more]) => more
    )
    expect(told.toSorted()).toEqual([
      '',
      '  (as Admin)',
      '  (as Admin, after the edit of Волга)'
    ])
    expect(stdout).toMatch(/edit\/\S+\.json$/m)
  })

  it('lists module, bytes, error and user with --long', async () => {
    const dir = path.join(temporaryFolder(), 'tape')
    const store = CassetteStore.openOrCreate(dir, 'http://wiki.example/w/api.php')
    const one = interactionOf({ action: 'parse', page: 'A', 'as user': 'user:Admin' }, [
      response(jsonBody('{"error":{"code":"missingtitle"}}'), {
        headers: new Map([['mediawiki-api-error', 'missingtitle']])
      })
    ])
    store.put(one)
    const { stdout } = await run(['ls', '--long', dir])
    expect(stdout).toMatch(
      new RegExp(`^${one.key}  parse +\\d+  missingtitle  Admin +parse/.*\\.json$`, 'm')
    )
  })

  it('lists keys and files by name', async () => {
    const { dir, bodies } = await cassette()
    const { code, stdout } = await run(['ls', dir])
    expect(code).toBe(0)
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toMatch(
      /tape: 4 interactions of http:\/\/127\.0\.0\.1:\d+\/w\/api\.php, MediaWiki 1\.43\.9$/
    )
    expect(rows.length).toBe(4)
    expect(rows.map((row) => row.slice(14))).toEqual(
      rows.map((row) => row.slice(14)).sort()
    )
    for (const key of bodies.keys()) expect(stdout).toContain(`${key}  query.`)
  })

  it('lists as JSON', async () => {
    const { dir } = await cassette()
    const listed: unknown = JSON.parse(
      (await run(['ls', '--cassette', dir, '--json'])).stdout
    )
    expect(listed).toMatchObject({
      cassette: dir,
      engine: '1.43.9',
      interactions: { length: 4 }
    })
  })
})

describe('show', () => {
  it('shows request, status, headers and body by any unmistakable beginning of the key', async () => {
    const { dir, bodies } = await cassette()
    const [key = ''] = bodies.keys()
    const { code, stdout } = await run(['show', key.slice(0, 8), '--cassette', dir])
    expect(code).toBe(0)
    expect(stdout).toContain('apfrom=A')
    expect(stdout).toContain('HTTP 200')
    expect(stdout).toContain('"title": "Волга"')
  })

  it('--raw prints the body byte for byte as replay sends it', async () => {
    const { dir, bodies } = await cassette()
    for (const [key, body] of bodies)
      expect((await run(['show', key, '--raw', '--cassette', dir])).stdout).toBe(body)
  })

  it('--raw prints binary bodies as they are', async () => {
    const { dir } = await cassette()
    const key = /([0-9a-f]{12})\.json$/.exec(fileNamed(dir, 'a_png'))?.[1] ?? ''
    const bytes = execFileSync(process.execPath, [
      program,
      'show',
      key,
      '--raw',
      '--cassette',
      dir
    ])
    expect(bytes.equals(image)).toBe(true)
  })

  it('--json prints the file', async () => {
    const { dir, bodies } = await cassette()
    const [key = ''] = bodies.keys()
    const { stdout } = await run(['show', key, '--json', '--cassette', dir])
    expect(stdout).toBe(readFileSync(fileNamed(dir, key), 'utf8'))
  })

  it.each([
    [
      'ffffffffffff',
      'no key in .* starts with "ffffffffffff"; wikitape ls .* lists them'
    ],
    ['', 'no key in .* starts with ""']
  ])('of %j says what there is instead, exit code 2', async (key, message) => {
    const { dir } = await cassette()
    const { code, stderr } = await run(['show', key, '--cassette', dir])
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(message))
  })

  it('of a beginning that fits several keys asks for more digits', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    const key = /([0-9a-f]{12})\.json$/.exec(file)?.[1] ?? ''
    const twin = key.slice(0, 11) + (key.endsWith('0') ? '1' : '0')
    writeFileSync(file.replace(key, twin), readFileSync(file))
    const { code, stderr } = await run(['show', key.slice(0, 11), '--cassette', dir])
    expect(code).toBe(2)
    expect(stderr).toContain('matches 2 keys')
    expect(stderr).toContain('add more digits')
  })
})

describe('explain', () => {
  it.each([
    ['transport only: not in the key', `${listing}&apfrom=A&maxlag=5`, 'maxlag'],
    [
      "the module's default: counts as absent",
      `${listing}&apfrom=A&apdir=ascending`,
      'apdir'
    ],
    [
      'unknown to the wiki: its name counts, its value does not',
      `${listing}&apfrom=A&rand=17`,
      'rand'
    ],
    [
      'several values: order and doubles do not count',
      'action=query&prop=info|categories|info',
      'prop'
    ],
    [
      'echo of an earlier answer: not in the key',
      'action=edit&title=A&text=x&starttimestamp=20260101000000',
      'starttimestamp'
    ],
    ['on by its presence', 'action=query&prop=info&titles=A&redirects=yes', 'redirects'],
    [
      'timestamp in one spelling',
      'action=query&list=recentchanges&rcstart=20260102030405',
      'rcstart'
    ],
    [
      'secret: only its kind counts',
      'action=login&lgname=Bob&lgpassword=hunter2-secret',
      'lgpassword'
    ],
    ['as sent', `${listing}&apfrom=A`, 'apfrom']
  ])('shows the rule "%s"', async (rule, query, param) => {
    const wiki = await fakeWiki()
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    await ask(`${recording.api}?${query}&format=json`)
    await recording.stop()
    const { stdout } = await run(['explain', query, '--cassette', dir])
    const line = stdout.split('\n').find((one) => one.trimStart().startsWith(`${param} `))
    expect(line).toContain(`(${rule})`)
    expect(stdout).not.toContain('hunter2-secret')
  })

  it.each([
    ['a query string', (query: string) => query],
    ['a path', (query: string) => `/w/api.php?${query}`],
    ['a whole URL', (query: string) => `http://127.0.0.1:4050/w/api.php?${query}`],
    [
      'a URL with a cassette in its path',
      (query: string) => `http://127.0.0.1:4050/~tape/w/api.php?${query}`
    ]
  ])('takes %s, real characters too, and finds what is recorded', async (_, spelled) => {
    const { dir } = await cassette()
    const { code, stdout } = await run([
      'explain',
      spelled('action=query&prop=info&titles=Волга|файл:map_07.png'),
      '--cassette',
      dir
    ])
    expect(stdout).toMatch(/key [0-9a-f]{12} is recorded/)
    expect(stdout).toContain('Волга|Файл:Map 07.png')
    expect(code).toBe(0)
  })
})

describe('explain of a miss', () => {
  it('of a miss tells reason, nearest recordings and command, exit code 1', async () => {
    const { dir } = await cassette()
    const { code, stdout } = await run([
      'explain',
      `${listing}&apfrom=A&apnamespace=2`,
      '--cassette',
      dir
    ])
    expect(code).toBe(1)
    expect(stdout).toMatch(/key [0-9a-f]{12} is not recorded\nparam-differs: /)
    expect(stdout).toMatch(
      /nearest [0-9a-f]{12}\n {2}apnamespace="2" was not sent when recording/
    )
    expect(stdout).toMatch(/record it: echo '.*' \| wikitape capture http/)
  })

  it('names a module that the cassette does not describe, and no format', async () => {
    const { dir } = await cassette()
    const explained = async (more: string): Promise<string> =>
      (await run(['explain', `${listing}&apfrom=C${more}`, '--cassette', dir])).stdout
    expect(await explained('&format=xml')).toContain('has these parameters.\n')
    rmSync(path.join(dir, 'paraminfo', 'query+allpages.json'))
    expect(await explained('')).toContain(
      'the cassette does not describe query+allpages (paraminfo/)'
    )
  })

  it('tells what replay makes of recorded batches, exit code 0', async () => {
    const query = 'action=query&format=json&list=allpages&aplimit=3'
    const dir = 'cassettes/ru-1.43'
    const { code, stdout } = await run(['explain', query, '--cassette', dir])
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/is not recorded; replay makes the answer of /)
    ])
    const told = await run(['explain', query, '--cassette', dir, '--json'])
    const replaying = await serving(['replay', '--cassette', dir])
    const answer = await ask(`${replaying.api}?${query}`)
    await replaying.stop()
    expect(JSON.parse(told.stdout)).toMatchObject({
      status: answer.headers['x-cassette-status'],
      by: answer.headers['x-cassette-synthesized-by'],
      recorded: false
    })
  })

  it('tells all of it as JSON', async () => {
    const { dir } = await cassette()
    const { stdout } = await run([
      'explain',
      `${listing}&apfrom=Q`,
      '--cassette',
      dir,
      '--json'
    ])
    expect(JSON.parse(stdout)).toMatchObject({
      recorded: false,
      steps: expect.any(Array),
      miss: { reason: 'outside-coverage' }
    })
  })
})

describe('check', () => {
  it('finds no fault in a fresh cassette', async () => {
    const { dir } = await cassette()
    expect(await run(['check', dir])).toMatchObject({
      code: 0,
      stdout: `no faults in ${dir}\n`
    })
  })

  it('names an unreadable file with line and column, exit code 1', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"responses": [', '"responses": [,')
    )
    const { code, stdout } = await run(['check', dir])
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /apfrom=A[^\n]*\.json:\d+:\d+: unreadable: [^\n]*fix it or record it again\n/
    )
  })

  it('names a file whose request was edited, exit code 1', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"apfrom": "A"', '"apfrom": "AA"')
    )
    const { code, stdout } = await run(['check', dir])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/misnamed: its request has the key [0-9a-f]{12}/)
    ])
  })

  it('names a file without a key in its name, which nothing serves', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    renameSync(file, path.join(path.dirname(file), 'mine.json'))
    const { code, stdout } = await run(['check', dir])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/mine\.json: misnamed: its name does not end in a key/)
    ])
  })

  it('names two files for one key, exit code 1', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    writeFileSync(
      path.join(path.dirname(file), `zz.${path.basename(file)}`),
      readFileSync(file)
    )
    const { code, stdout } = await run(['check', dir])
    expect([code, stdout]).toEqual([1, expect.stringContaining('doubled: ')])
    expect(stdout).toContain('delete one')
  })
})

const secret = 'q7Zx2LmV9tRb4KcW8sYd'

describe('check for secrets', () => {
  it.each<[string, (text: string) => string]>([
    [
      'a header',
      (text) =>
        text.replace(
          '"headers": {',
          `"headers": {\n        "authorization": "Bearer ${secret}",`
        )
    ],
    [
      'a cookie with an unknown name',
      (text) =>
        text.replace(
          '"headers": {',
          `"headers": {\n        "set-cookie": "zzid=${secret}${secret}; path=/",`
        )
    ],
    [
      'a query',
      (text) =>
        text.replace('"apfrom": "A"', `"apfrom": "A", "lgtoken": "${secret}+\\\\"`)
    ],
    [
      'a URL',
      (text) =>
        text.replace('Волга', `http://wiki.example/?access_token=${secret}${secret}`)
    ],
    ['a form', (text) => text.replace('Волга', `lgname=Bob&lgpassword=${secret}`)],
    [
      'JSON',
      (text) =>
        text.replace(
          '"title": "Волга"',
          `"title": "Волга", "csrftoken": "0123456789abcdef0123456789abcdef65a1b2c3+\\\\"`
        )
    ]
  ])('finds a secret in %s, exit code 4', async (_, plant) => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    const text = readFileSync(file, 'utf8')
    expect(plant(text)).not.toBe(text)
    writeFileSync(file, plant(text))
    const { code, stdout } = await run(['check', dir])
    expect(stdout).toContain('secret: ')
    expect(stdout).not.toContain(secret)
    expect(code).toBe(4)
  })
})

describe('check for secrets in packed bodies', () => {
  it('finds a secret inside gzip, exit code 4', async () => {
    const { dir } = await cassette()
    const form = `action=login&lgname=Bob&lgpassword=${secret}`
    writeFileSync(path.join(dir, 'plain', 'body.bin'), gzipSync(form))
    const beside = await run(['check', dir])
    expect([beside.code, beside.stdout]).toEqual([4, expect.stringContaining('body.bin')])
  })

  it('finds a secret inside a gzipped body that a file holds in base64', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'a_png')
    const form = `action=login&lgname=Bob&lgpassword=${secret}`
    const text = readFileSync(file, 'utf8').replace(
      image.toString('base64'),
      gzipSync(form).toString('base64')
    )
    writeFileSync(file, text)
    expect((await run(['check', dir])).code).toBe(4)
  })

  it('looks at several cassettes, and tells as JSON', async () => {
    const one = await cassette()
    const other = await cassette()
    writeFileSync(fileNamed(other.dir, 'apfrom=A'), '{')
    const { code, stdout } = await run(['check', one.dir, other.dir, '--json'])
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ complaints: [{ kind: 'unreadable' }] })
  })
})

describe('recording', () => {
  it('of a login leaves no secret behind that check could find', async () => {
    const wiki = await fakeWiki(() => ({
      body: JSON.stringify({
        login: {
          result: 'Success',
          lgtoken: 'c0ffee00c0ffee00c0ffee00c0ffee0065a1b2c3+\\'
        }
      }),
      headers: {
        'set-cookie': 'wikiToken=9f8e7d6c5b4a39281706f5e4d3c2b1a0; path=/; HttpOnly'
      }
    }))
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    const reply = await post(
      recording.api,
      'action=login&format=json&lgname=Bob&lgpassword=hunter2-Secret-77&lgtoken=ab%2B%5C',
      {
        cookie: 'wiki_session=0123456789abcdef0123456789abcdef',
        'x-forwarded-for': '203.0.113.77'
      }
    )
    expect(reply.text).toContain('c0ffee00')
    await recording.stop()
    const text = [...copyFolder(dir)].join('\n')
    expect(text).not.toMatch(/hunter2|c0ffee00|9f8e7d6c|0123456789abcdef|203\.0\.113/)
    expect(await run(['check', dir])).toMatchObject({ code: 0 })
  })

  it('files moved to another folder by hand are still found', async () => {
    const { dir } = await cassette()
    const file = fileNamed(dir, 'apfrom=A')
    mkdirSync(path.join(dir, 'mine'))
    renameSync(file, path.join(dir, 'mine', path.basename(file)))
    const replay = await serving(['replay', '--cassette', dir])
    expect(
      (await ask(`${replay.api}?${listing}&apfrom=A`)).headers['x-cassette-status']
    ).toBe('replayed')
  })
})
