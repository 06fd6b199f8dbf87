/** Cassettes from strangers: links that lead out, pipes, devices, headers that break out of their line. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeInteraction } from '../../../src/recorder/cassette/format/decode-interaction.ts'
import { irregularFileIssues } from '../../../src/recorder/cassette-check/cassette-issues.ts'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { filesIn, temporaryFolder } from '../../helpers/folders.ts'
import { run } from '../../helpers/program.ts'
import { interactionOf } from '../../helpers/recorded.ts'

const listing = interactionOf({ action: 'query', list: 'allpages' })
const other = interactionOf({ action: 'query', list: 'allusers' })

/** Two cassettes side by side; the second is somebody else's. */
function twoCassettes(): {
  readonly dir: string
  readonly away: string
  readonly store: CassetteStore
} {
  const root = temporaryFolder()
  const dir = path.join(root, 'mine')
  const away = path.join(root, 'away')
  CassetteStore.openOrCreate(dir, 'http://wiki.example/w/api.php').put(listing)
  CassetteStore.openOrCreate(away, 'http://wiki.example/w/api.php').put(other)
  return { dir, away, store: CassetteStore.open(dir) }
}

describe('a link that leads out of a cassette', () => {
  it('to a folder is neither read, nor written through, nor deleted in', () => {
    const { dir, away } = twoCassettes()
    const before = filesIn(away)
    symlinkSync(path.join(away, 'query.allusers'), path.join(dir, 'query.allusers'))
    const store = CassetteStore.open(dir)
    expect([...store.paths()].map(([key]) => key)).toEqual([listing.key])
    expect(store.getOrDiscover(other.key, other.request)).toEqual({ kind: 'absent' })
    expect(() => store.put(other)).toThrow(/leads out of the cassette/)
    store.delete(other.key)
    expect(filesIn(away)).toEqual(before)
    expect([...irregularFileIssues(store)].map(({ file }) => file)).toEqual([
      'query.allusers'
    ])
  })

  it('is found where a folder lay a moment before', () => {
    const { dir, away } = twoCassettes()
    const before = filesIn(away)
    const folder = path.join(dir, 'query.allusers')
    symlinkSync(path.join(away, 'query.allusers'), folder)
    const store = CassetteStore.open(dir)
    expect(() => store.put(other)).toThrow(/leads out of the cassette/)
    rmSync(folder)
    store.put(other)
    expect(readFileSync(path.join(dir, store.pathFor(other)), 'utf8')).toBe(
      readFileSync(path.join(away, store.pathFor(other)), 'utf8')
    )
    rmSync(folder, { recursive: true })
    symlinkSync(path.join(away, 'query.allusers'), folder)
    expect(() => store.put(other)).toThrow(/leads out of the cassette/)
    expect(filesIn(away)).toEqual(before)
  })

  it('to the folder itself is no endless way', () => {
    const { dir } = twoCassettes()
    symlinkSync(dir, path.join(dir, 'again'))
    expect(CassetteStore.open(dir).size).toBe(1)
  })

  it('to a file is not read, be it a recording, its body or a description', () => {
    const { dir, store } = twoCassettes()
    const secret = path.join(temporaryFolder(), 'secret')
    writeFileSync(secret, '{"path":"query+allpages"}')
    mkdirSync(path.join(dir, 'paraminfo'))
    symlinkSync(secret, path.join(dir, 'paraminfo', 'query+allpages.json'))
    expect(() => store.module('query+allpages')).not.toThrow()
    expect(store.module('query+allpages')).toBeUndefined()
    const [, file = ''] = [...store.paths()][0] ?? []
    const whole = path.join(dir, file)
    const text = readFileSync(whole, 'utf8').replace(
      /"json": \{[^}]*\}/,
      '"file": "stolen.bin"'
    )
    writeFileSync(whole, text)
    symlinkSync('/etc/passwd', path.join(path.dirname(whole), 'stolen.bin'))
    expect(store.get(listing.key)).toMatchObject({
      kind: 'broken',
      fault: { message: /stolen\.bin.* is missing/ }
    })
  })
})

/**
 * Pipes, at each of which a process waits until somebody reads; `read` gives those where somebody has.
 * They have to stay where they are, since that process may not have come to its pipe yet.
 */
async function pipesWithWriters(count: number) {
  const folder = temporaryFolder()
  const pipes = Array.from({ length: count }, (_, at) => path.join(folder, String(at)))
  const line =
    'mkfifo "$@"; for one; do { echo "{}" > "$one"; echo "$one"; } & done; echo ready; wait'
  const shell = spawn('/bin/sh', ['-c', line, 'sh', ...pipes], { detached: true })
  onTestFinished(() => void process.kill(-(shell.pid ?? 0), 'SIGKILL'))
  let told = ''
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    told += text
  })
  await once(shell.stdout, 'data')
  return { pipes, read: () => told.split('\n').filter((one) => one.startsWith(folder)) }
}

/** What each verb makes of a cassette that holds such a thing, and no later than at once. */
describe('every verb', () => {
  const verbs = [
    ['check', (dir: string) => ['check', dir]],
    ['ls', (dir: string) => ['ls', dir]],
    ['normalize', (dir: string) => ['normalize', dir]],
    ['diff', (dir: string, away: string) => ['diff', dir, away]],
    ['coverage', (dir: string) => ['coverage', dir]],
    [
      'export',
      (dir: string, away: string) => [
        'export',
        dir,
        '--format',
        'har',
        '--output',
        `${away}.har`
      ]
    ],
    ['refresh', (dir: string) => ['refresh', dir]]
  ] as const
  const links = [
    'noise.json',
    'pages.json',
    'paraminfo/query.json',
    'query.allpages/body.0.bin'
  ]

  it.each(verbs)(
    '%s waits for no pipe, and takes nothing from behind a link',
    async (_, args) => {
      const { pipes, read } = await pipesWithWriters(links.length)
      for (const [at, name] of links.entries()) {
        const { dir, away, store } = twoCassettes()
        const [, file = ''] = [...store.paths()][0] ?? []
        if (name.endsWith('.bin')) {
          const text = readFileSync(path.join(dir, file), 'utf8')
          writeFileSync(
            path.join(dir, file),
            text.replace(/"json": \{[^}]*\}/, '"file": "body.0.bin"')
          )
        }
        const secret = path.join(temporaryFolder(), 'secret')
        writeFileSync(secret, '{"noise":[],"pages":{},"path":"behind the link"}')
        const place = path.join(dir, name)
        mkdirSync(path.dirname(place), { recursive: true })
        symlinkSync(secret, place)
        const told = await run(args(dir, away))
        expect(told.stdout + told.stderr).not.toContain('behind the link')
        expect([...filesIn(dir).values()].join()).not.toMatch(
          /behind the link|YmVoaW5kIHRoZ/
        )
        expect(readFileSync(secret, 'utf8')).toContain('behind the link')
        rmSync(place, { force: true })
        linkSync(pipes[at] ?? '', place)
        await run(args(dir, away))
      }
      await setTimeout(100)
      expect(read()).toEqual([])
    }
  )

  it('that did read a pipe would be seen', async () => {
    const { pipes, read } = await pipesWithWriters(2)
    expect(await readFile(pipes[1] ?? '', 'utf8')).toBe('{}\n')
    await expect.poll(read).toEqual([pipes[1]])
  })
})

describe('what is not a regular file', () => {
  it('is not read with the folder that it lies in, though it took the place of a recording', () => {
    const { dir, away, store } = twoCassettes()
    const [[, file = ''] = []] = [...store.paths()]
    const whole = path.join(dir, file)
    const [[, stolen = ''] = []] = [...CassetteStore.open(away).paths()]
    expect([...store.readFolder('query.allpages')].map(({ kind }) => kind)).toEqual([
      'found'
    ])
    rmSync(whole)
    symlinkSync(path.join(away, stolen), whole)
    expect([...store.readFolder('query.allpages')].map(({ kind }) => kind)).toEqual([
      'broken'
    ])
    rmSync(whole)
    execFileSync('/usr/bin/env', ['mkfifo', whole])
    expect([...store.readFolder('query.allpages')].map(({ kind }) => kind)).toEqual([
      'broken'
    ])
    rmSync(path.dirname(whole), { recursive: true })
    symlinkSync(path.join(away, 'query.allusers'), path.dirname(whole))
    expect([...store.readFolder('query.allpages')].map(({ kind }) => kind)).toEqual([
      'broken'
    ])
  })

  it('is skipped, though it has the name of a recording: a pipe would be read for ever', () => {
    const { dir } = twoCassettes()
    execFileSync('/usr/bin/env', [
      'mkfifo',
      path.join(dir, 'query.allpages', 'x.0123456789ab.json')
    ])
    symlinkSync('/dev/zero', path.join(dir, 'query.allpages', 'x.0123456789ac.json'))
    expect(CassetteStore.open(dir).size).toBe(1)
  })

  it('is no cassette.json', () => {
    const dir = temporaryFolder()
    execFileSync('/usr/bin/env', ['mkfifo', path.join(dir, 'cassette.json')])
    expect(() => CassetteStore.open(dir)).toThrow(/not a regular file/)
  })
})

describe('a header of an edited recording', () => {
  const reading = (headers: object, cookies: object[] = []): string => {
    const text = JSON.stringify({
      request: {},
      responses: [{ status: 200, headers, cookies, json: {} }]
    })
    const found = decodeInteraction(text, () => undefined)
    return found.ok ? 'read' : found.fault.message
  }

  it.each([
    { 'x-a': 'b\r\nSet-Cookie: c=d' },
    { 'x-a': 'b\nc' },
    { 'x-a\r\nb': 'c' },
    { 'x a': 'c' },
    { 'x-a': 'Ж' },
    { '': 'c' }
  ])('that breaks out of its line makes the file a broken one: %o', (headers) =>
    expect(reading(headers)).toContain('is not valid in an HTTP header')
  )

  it('or of its cookie', () => {
    expect(reading({}, [{ name: 'wiki_session', value: 'b\r\nx: y' }])).toContain(
      'is not valid in an HTTP header'
    )
    expect(reading({}, [{ name: 'wiki_session', value: 'b; domain=x' }])).toContain(
      'is not valid in an HTTP header'
    )
    expect(
      reading({ 'content-type': 'text/html; charset=é' }, [
        { name: 'wiki_session', value: 'b', attributes: ['path=/'] }
      ])
    ).toBe('read')
  })
})

describe('a name of 300 signs', () => {
  it.each(['x'.repeat(300), 'ё'.repeat(300), `${'a+'.repeat(3000)}`, 'con', 'nul'])(
    'of a module is a module that nobody has described',
    (name) => {
      const { store } = twoCassettes()
      expect(store.module(name)).toBeUndefined()
    }
  )
})
