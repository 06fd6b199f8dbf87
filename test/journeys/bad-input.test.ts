/** What can be wrong with wiki, cassette, disk and port: each is told clearly, none stops the rest, nothing is lost. */
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../src/recorder/store/cassette-store.ts'
import { type FakeAnswer, fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, interactionFiles, temporaryFolder } from '../helpers/folders.ts'
import { fullDiskAfter } from '../helpers/full-disk.ts'
import { ask } from '../helpers/http-client.ts'
import { spawned, spawnServing } from '../helpers/processes.ts'
import { run, serving } from '../helpers/program.ts'
import { httpStandIn } from '../helpers/upstreams.ts'

const call = (from: string): string =>
  `?action=query&format=json&list=allpages&apfrom=${from}`

/** A cassette that holds the answers to A, B and C, and those answers. */
async function cassetteOfThree(): Promise<{
  readonly dir: string
  readonly texts: ReadonlyMap<string, string>
  /** Address of the wiki that it was recorded from. */
  readonly api: string
}> {
  const wiki = await fakeWiki()
  const dir = path.join(temporaryFolder(), 'tape')
  const recording = await serving(['record', wiki.api, '--cassette', dir])
  const texts = new Map<string, string>()
  for (const from of ['A', 'B', 'C'])
    texts.set(from, (await ask(recording.api + call(from))).text)
  await recording.stop()
  return { dir, texts, api: wiki.api }
}

const fileOf = (dir: string, from: string): string =>
  path.join(
    dir,
    interactionFiles(dir).find((name) => name.includes(`apfrom=${from}.`)) ?? ''
  )

/** Edits a file of a cassette and replays: what is answered to A, B and C. */
async function replayed(dir: string): Promise<readonly string[]> {
  const replay = await serving(['replay', '--cassette', dir])
  const answers: string[] = []
  for (const from of ['A', 'B', 'C']) {
    const { headers, text } = await ask(replay.api + call(from))
    answers.push(
      headers['x-cassette-status'] === 'replayed'
        ? text
        : String(headers['x-cassette-status'])
    )
  }
  const { stderr } = await replay.stop()
  return [...answers, stderr]
}

it('a folder that is deleted while it is recorded into is a whole cassette again, and that is said', async () => {
  const wiki = await fakeWiki()
  const dir = path.join(temporaryFolder(), 'tape')
  const recording = await serving(['record', wiki.api, '--cassette', dir])
  await ask(recording.api + call('A'))
  rmSync(dir, { recursive: true })
  const texts = new Map<string, string>()
  for (const from of ['B', 'C', 'D'])
    texts.set(from, (await ask(recording.api + call(from))).text)
  const { code, stderr } = await recording.stop()
  expect(stderr).toContain(`${dir} was deleted while it was recorded into`)
  expect(stderr).toContain(
    `1 recording of this run is gone from ${dir}: files were deleted`
  )
  expect(code).toBe(2)
  const names = [...filesIn(dir).keys()]
  expect(names).toContain('cassette.json')
  expect(names).toContain('paraminfo/query+allpages.json')
  expect((await run(['check', dir])).stdout).toContain('no faults')
  expect((await replayed(dir)).slice(0, 3)).toEqual(['miss', 'miss', texts.get('C')])
})

describe('a wiki that misbehaves', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n'

  it.each<[string, string, number, string]>([
    [
      'breaks off',
      `${head}Content-Length: 100\r\n\r\n{"query"`,
      502,
      'closed the connection after 8 bytes'
    ],
    [
      'says too small a length',
      `${head}Content-Length: 8\r\n\r\n{"query":{}}`,
      200,
      'expected JSON, but at line 1'
    ],
    ['speaks no HTTP', 'hello\r\n', 502, 'does not answer in HTTP'],
    ['hangs up', '', 502, 'closed the connection without an answer'],
    [
      'says HTML where JSON was announced',
      `${head}Content-Length: 6\r\n\r\n<html>`,
      200,
      'expected JSON, but at line 1, column 1'
    ]
  ])(
    'that %s: the client hears of it, nothing is recorded, the server goes on',
    async (_, bytes, status, message) => {
      const good = await fakeWiki()
      const between = await httpStandIn(({ target }, response) => {
        if (target.includes('apfrom=A')) return void response.socket?.end(bytes)
        ask(good.origin, { target }).then(
          (reply) =>
            response
              .writeHead(reply.status, { 'content-type': reply.headers['content-type'] })
              .end(reply.body),
          () => response.destroy()
        )
      })
      const cassette = path.join(temporaryFolder(), 'tape')
      const recording = await serving([
        'record',
        `${between.origin}/w/api.php`,
        '--cassette',
        cassette
      ])
      const reply = await ask(recording.api + call('A'))
      expect(reply.status).toBe(status)
      expect((await ask(recording.api + call('B'))).headers['x-cassette-status']).toBe(
        'recorded'
      )
      const { stderr, code } = await recording.stop()
      expect(stderr).toContain(message)
      expect(code).toBe(status === 502 ? 3 : 0)
      expect(interactionFiles(cassette)).toEqual([expect.stringContaining('apfrom=B')])
    }
  )
})

describe('a cassette', () => {
  it.each<[string, (dir: string) => string, string]>([
    [
      'that is missing',
      (dir) => path.join(dir, 'none'),
      'there is no cassette at DIR; record one: wikitape record <api-url> --cassette DIR'
    ],
    [
      'that is empty',
      (dir) => dir,
      'DIR is not a cassette: cassette.json not found; name the folder'
    ],
    [
      'that is a file',
      (dir) => {
        writeFileSync(path.join(dir, 'file'), 'x')
        return path.join(dir, 'file')
      },
      'DIR is a file; a cassette is a folder with a cassette.json'
    ],
    [
      'from a newer format',
      (dir) => {
        writeFileSync(path.join(dir, 'cassette.json'), '{"format": 99}')
        return dir
      },
      'has format 99; this wikitape reads formats up to 2: install a newer wikitape'
    ],
    [
      'whose cassette.json is broken',
      (dir) => {
        writeFileSync(path.join(dir, 'cassette.json'), '{\n  "format": 1,\n  oops\n}')
        return dir
      },
      'cassette.json:3:3: '
    ],
    [
      'whose cassette.json is something else',
      (dir) => {
        writeFileSync(path.join(dir, 'cassette.json'), '[]')
        return dir
      },
      'expected an object with a number under "format"'
    ]
  ])('%s: every verb says so in one line, exit code 2', async (_, make, message) => {
    const dir = make(temporaryFolder())
    for (const args of [
      ['replay', '--cassette', dir],
      ['ls', dir],
      ['check', dir],
      ['explain', 'action=query', '--cassette', dir],
      ['show', 'a', '--cassette', dir]
    ]) {
      const { code, stdout, stderr } = await run(args)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^wikitape: [^\n]*\n$/)
      expect(stderr).toContain(message.replaceAll('DIR', dir))
    }
  })
})

describe('a cassette with one bad file', () => {
  it('that is a file, of a newer format or broken is not recorded over', async () => {
    const dir = temporaryFolder()
    writeFileSync(path.join(dir, 'file'), 'mine')
    mkdirSync(path.join(dir, 'newer'))
    writeFileSync(path.join(dir, 'newer', 'cassette.json'), '{"format": 99}')
    mkdirSync(path.join(dir, 'other'))
    writeFileSync(path.join(dir, 'other', 'notes.txt'), 'mine')
    const before = filesIn(dir)
    for (const name of ['file', 'newer', 'other'])
      expect(
        (
          await run([
            'record',
            'http://127.0.0.1:1/w/api.php',
            '--cassette',
            path.join(dir, name)
          ])
        ).code
      ).toBe(2)
    expect(filesIn(dir)).toEqual(before)
  })

  it('with one file half-written serves the others, and names it with line and column', async () => {
    const { dir, texts } = await cassetteOfThree()
    const file = fileOf(dir, 'B')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.slice(0, text.length / 2))
    const [a, b, c, stderr] = await replayed(dir)
    expect([a, b, c]).toEqual([texts.get('A'), 'miss', texts.get('C')])
    expect(stderr).toMatch(
      /broken recording \S*apfrom=B\S*\.json:\d+:\d+: .*fix it or record it again/
    )
  })

  it('with a draft that a killed process left behind is whole', async () => {
    const { dir, texts } = await cassetteOfThree()
    const file = fileOf(dir, 'B')
    writeFileSync(`${file}.12345.tmp`, '{"half')
    expect((await replayed(dir)).slice(0, 3)).toEqual([...texts.values()])
  })

  it('edited by hand into invalid JSON serves the others, and records that one again', async () => {
    const { dir, texts, api } = await cassetteOfThree()
    const file = fileOf(dir, 'A')
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('"responses": [', '"responses": [,')
    )
    expect((await replayed(dir)).slice(0, 3)).toEqual([
      'miss',
      texts.get('B'),
      texts.get('C')
    ])
    const recording = await serving(['record', api, '--cassette', dir])
    const again = await ask(recording.api + call('A'))
    expect([again.headers['x-cassette-status'], again.text]).toEqual([
      'recorded',
      texts.get('A')
    ])
    await recording.stop()
    expect((await replayed(dir)).slice(0, 3)).toEqual([...texts.values()])
  })
})

describe('a cassette that was edited', () => {
  it.each<[string, (text: string) => string]>([
    ['reformatted by an editor', (text) => JSON.stringify(JSON.parse(text), null, '\t')],
    ['minified', (text) => JSON.stringify(JSON.parse(text))],
    ['with CRLF', (text) => text.replaceAll('\n', '\r\n')],
    ['with a byte order mark', (text) => `\ufeff${text}`],
    ['without its final newline', (text) => text.trimEnd()],
    ['with its letters escaped', (text) => text.replace('echo', '\\u0065cho')]
  ])('%s still works, byte for byte', async (_, edit) => {
    const { dir, texts } = await cassetteOfThree()
    for (const name of [...interactionFiles(dir), 'cassette.json']) {
      const file = path.join(dir, name)
      writeFileSync(file, edit(readFileSync(file, 'utf8')))
    }
    expect((await replayed(dir)).slice(0, 3)).toEqual([...texts.values()])
    expect((await run(['check', dir])).code).toBe(0)
  })

  it('with two files for one key serves one of them, always the same', async () => {
    const { dir, texts } = await cassetteOfThree()
    const file = fileOf(dir, 'A')
    copyFileSync(file, path.join(path.dirname(file), `zz.${path.basename(file)}`))
    expect((await replayed(dir)).slice(0, 3)).toEqual([...texts.values()])
    expect((await run(['check', dir])).stdout).toContain('doubled')
  })

  it('whose file vanishes while it is served misses that one alone', async () => {
    const { dir, texts } = await cassetteOfThree()
    const replay = await serving(['replay', '--cassette', dir])
    rmSync(fileOf(dir, 'B'))
    expect((await ask(replay.api + call('B'))).headers['x-cassette-status']).toBe('miss')
    expect((await ask(replay.api + call('A'))).text).toBe(texts.get('A'))
  })
})

describe('a folder that cannot be written', () => {
  /** Root may write everywhere, so the binary runs as nobody then. */
  const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {}

  it('replays as ever', async () => {
    const { dir, texts, api } = await cassetteOfThree()
    chmodSync(path.dirname(dir), 0o755)
    chmodSync(dir, 0o555)
    for (const args of [['replay'], ['record', api, '--mode', 'once']]) {
      const replay = await spawnServing([...args, '--cassette', dir], {
        ...nobody,
        env: { HOME: dir }
      })
      expect((await ask(replay.api + call('A'))).text).toBe(texts.get('A'))
      await replay.stop()
    }
    chmodSync(dir, 0o755)
  })

  it('is refused for recording at the start, exit code 2', async () => {
    const { dir } = await cassetteOfThree()
    chmodSync(path.dirname(dir), 0o755)
    chmodSync(dir, 0o555)
    const { code, stderr } = await spawned(
      ['record', 'http://127.0.0.1:1/w/api.php', '--cassette', dir, '--port', '0'],
      nobody
    )
    chmodSync(dir, 0o755)
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /^wikitape: cannot write \S+: permission denied \(EACCES\): give this user access [^\n]*; nothing recorded earlier is lost\n$/
    )
  })
})

it('names the folder that is to be written, not only the one above it', async () => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o555)
  const nobody = process.getuid?.() === 0 ? { uid: 65_534 } : {}
  const { code, stderr } = await spawned(
    ['record', 'http://127.0.0.1:1/w/api.php', '--port', '0'],
    {
      ...nobody,
      cwd: folder
    }
  )
  chmodSync(folder, 0o755)
  expect(code).toBe(2)
  expect(stderr).toContain(
    `cannot write cassettes/127.0.0.1_1 in ${folder}: permission denied (EACCES): give`
  )
})

it('a folder with a space in its name is quoted in commands, which can be pasted', async () => {
  const dir = path.join(temporaryFolder(), 'my bot')
  const missing = await run(['exec', '--cassette', dir, '--', 'true'])
  expect(missing.stderr).toContain(`wikitape record <api-url> --cassette '${dir}'\n`)
  CassetteStore.openOrCreate(dir, 'http://127.0.0.1:9/w/api.php').saveManifest()
  const shown = await run(['show', 'abcdef', '--cassette', dir])
  expect(shown.stderr).toContain(`wikitape ls '${dir}' lists them`)
})

it('ls of a folder that is not a cassette does not look through it', async () => {
  const folder = temporaryFolder()
  mkdirSync(path.join(folder, 'query'))
  for (const name of ['a', 'b'])
    writeFileSync(path.join(folder, 'query', `${name}.0123456789ab.json`), '{}')
  expect(await run(['ls', folder])).toMatchObject({
    code: 2,
    stderr: `wikitape: ${folder} is not a cassette: cassette.json not found; name the folder that contains it, or record into an empty one; in a test suite, restore the file from version control, or delete the folder and run the test again\n`
  })
})

describe('a full disk', () => {
  it.each([0, 1, 2, 3, 4, 5])(
    'after %i files: clients get every answer, what was recorded stays, the summary tells, exit code 2',
    async (writes) => {
      const { dir, texts, api } = await cassetteOfThree()
      const before = filesIn(dir)
      const makeRoom = fullDiskAfter(writes)
      const recording = await serving(['record', api, '--cassette', dir])
      for (const from of ['A', 'D', 'E', 'F', 'G', 'H'])
        expect((await ask(recording.api + call(from))).text).toContain(`apfrom=${from}`)
      expect((await ask(`${recording.api}?action=parse&format=json&text=x`)).status).toBe(
        200
      )
      const { code, stderr } = await recording.stop()
      expect(code).toBe(2)
      makeRoom()
      expect(stderr).toContain('the disk is full; nothing recorded earlier is lost')
      const after = filesIn(dir)
      for (const [name, text] of before) expect(after.get(name)).toBe(text)
      expect([...after.keys()].filter((name) => name.endsWith('.tmp'))).toEqual([])
      expect((await run(['check', dir])).code).toBe(0)
      expect((await replayed(dir)).slice(0, 3)).toEqual([...texts.values()])
    }
  )

  it('from the beginning leaves a new cassette unmade, and serves', async () => {
    const wiki = await fakeWiki()
    const dir = path.join(temporaryFolder(), 'tape')
    fullDiskAfter(0)
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    expect((await ask(recording.api + call('A'))).text).toContain('apfrom=A')
    expect((await recording.stop()).code).toBe(2)
  })
})

describe('a port', () => {
  it('in use is told with what to do, exit code 2', async () => {
    const { dir } = await cassetteOfThree()
    const taken = new URL((await serving(['replay', '--cassette', dir])).api).port
    const { code, stdout, stderr } = await run([
      'replay',
      '--cassette',
      dir,
      '--port',
      taken
    ])
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toBe(
      `wikitape: cannot listen on 127.0.0.1: port ${taken} is in use; choose another with --port, or any free one with --port 0\n`
    )
  })

  it('of an address that is not this machine’s is told, exit code 2', async () => {
    const { dir } = await cassetteOfThree()
    const { code, stderr } = await run([
      'replay',
      '--cassette',
      dir,
      '--host',
      '192.0.2.1',
      '--port',
      '0'
    ])
    expect(code).toBe(2)
    expect(stderr).toMatch(/cannot listen on 192\.0\.2\.1: E\w+/)
  })
})

describe('one bad answer among many', () => {
  it('loses nothing of what was recorded before and after it', async () => {
    const answers: FakeAnswer[] = [
      '{"query":1}',
      { status: 503, body: 'busy' },
      '{"query":',
      '{"query":2}'
    ]
    const wiki = await fakeWiki(() => answers.shift() ?? '{"query":3}')
    const dir = path.join(temporaryFolder(), 'tape')
    const recording = await serving(['record', wiki.api, '--cassette', dir])
    for (const from of ['A', 'B', 'C', 'D', 'E']) await ask(recording.api + call(from))
    await recording.stop()
    expect(interactionFiles(dir).map((name) => /apfrom=(\w)/.exec(name)?.[1])).toEqual([
      'A',
      'D',
      'E'
    ])
  })
})

it.each([
  ...['ls', 'check', 'ui', 'normalize'].map((verb) => [verb]),
  ['replay', '--cassette'],
  ['record', 'http://127.0.0.1:9/w/api.php', '--cassette']
])('a cassette below a file: what %s says of it', async (...verb) => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { code, stderr } = await run([...verb, path.join(file, 'tape')])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: expect.stringContaining('a part of that path is a file')
  })
})

it('a folder below a file: what init says of it', async () => {
  const file = path.join(temporaryFolder(), 'file')
  writeFileSync(file, '')
  const { code, stderr } = await run(['init', path.join(file, 'tape')])
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `wikitape: ${file} is a file; name the folder of the cassettes\n`
  })
})

it.each([
  [['import', '/dev/zero']],
  [['review', 'cassettes/ru-1.43', '--log', '/dev/zero']],
  [['capture', 'http://127.0.0.1:1/w/api.php', '--requests', '/dev/zero']],
  [['capture', 'http://127.0.0.1:1/w/api.php', '--log', '/dev/zero']],
  [['doctor', 'https://127.0.0.1:1/w/api.php', '--cacert', '/dev/zero']]
])('%s: a device is not read', async (args) => {
  const { code, stderr } = await run(args)
  expect(code).toBe(2)
  expect(stderr).toMatch(
    /it is (?:a device, a pipe or a socket; expected a file|no plain file)/
  )
})
