/** Names that come from a file, a host or a client are no way out of the folder that was named. */
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  folderNameOf,
  isDeviceName
} from '../../src/recorder/cassette/interaction-path.ts'
import { isInside, pathInside } from '../../src/recorder/store/files/paths-inside.ts'
import { StoreError } from '../../src/recorder/store/store-error.ts'
import { character } from '../helpers/any-text.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { allTextIn, filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type Run, run, serving } from '../helpers/program.ts'

const target = '/w/api.php?action=query&format=json&list=allpages'

/** A HAR with one answer of each of these wikis. */
const har = (...hosts: readonly string[]): string =>
  JSON.stringify({
    log: {
      entries: hosts.map((host) => ({
        startedDateTime: '2026-01-02T03:04:05Z',
        request: { method: 'GET', url: `http://${host}${target}`, headers: [] },
        response: {
          status: 200,
          headers: [{ name: 'Content-Type', value: 'application/json; charset=utf-8' }],
          content: { mimeType: 'application/json', text: `{"query":{"host":"${host}"}}` }
        }
      }))
    }
  })

/** Everything that lies beside `to` must stay as it is. */
async function importedInto(files: Readonly<Record<string, string>>): Promise<{
  readonly report: Run
  readonly to: string
  readonly names: readonly string[]
}> {
  const root = temporaryFolder()
  const from = path.join(root, 'from')
  const to = path.join(root, 'cassettes', 'new')
  mkdirSync(from)
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(from, name), text)
  const beside = path.join(root, 'cassettes', 'own')
  const own = path.join(root, 'own.har')
  writeFileSync(own, har('wiki.test'))
  expect((await run(['import', own, '--cassette', beside])).code).toBe(0)
  const before = filesIn(root)
  const report = await run(['import', from, '--cassette', to])
  const after = [...filesIn(root)].filter(([name]) => !name.startsWith('cassettes/new/'))
  expect(after).toEqual([...before])
  return { report, to, names: readdirSync(to).sort() }
}

describe('import keeps to its folder', () => {
  it('where a host is the way up', async () => {
    const { report, to } = await importedInto({ 'evil.har': har('wiki.test', '..') })
    expect(report.stderr).toContain('recorded 2')
    expect(readdirSync(path.join(to, 'evil')).sort()).toEqual(['_', 'wiki.test'])
  })

  it('where one file alone is named, whose host is the way up', async () => {
    const root = temporaryFolder()
    const file = path.join(root, 'evil.har')
    const above = path.join(root, 'cass')
    writeFileSync(file, har('wiki.test', '..'))
    await run([
      'import',
      file,
      '--cassette',
      above,
      '--wiki',
      'http://wiki.test/w/api.php'
    ])
    const before = filesIn(above)
    const inside = await run(['import', file, '--cassette', path.join(above, 'new')])
    expect([inside.code, inside.stderr]).toEqual([2, expect.stringContaining('cassette')])
    expect(filesIn(above)).toEqual(before)
    const other = path.join(root, 'other')
    await run(['import', file, '--cassette', other])
    expect(allTextIn(path.join(other, 'wiki.test'))).toContain('"host": "wiki.test"')
  })

  it.each<[string, string]>([
    ['...har', '_'],
    ['....har', '_'],
    ['.git.har', '_git'],
    ['CON.har', '_CON'],
    ['aux.old.har', '_aux.old'],
    ['lpt1.har', '_lpt1'],
    ['dot..har', 'dot_'],
    ['space .har', 'space_'],
    ['c:d.har', 'c_d'],
    ['..\\up.har', '__up'],
    ['\u202egnp.har', '_gnp'],
    ['what?*.har', 'what_'],
    ['Волга (2).har', 'Волга (2)']
  ])('where a file is called %j', async (name, folder) => {
    const { report, names } = await importedInto({ [name]: har('wiki.test') })
    expect([report.code, names]).toEqual([0, [folder]])
  })

  it('and gives each of two names that differ in case, or in what is replaced, a folder that no system takes for the other', async () => {
    const text = har('wiki.test')
    const { names } = await importedInto({
      'Tape.har': text,
      'tape.har': text,
      'a?.har': text,
      'a_.har': text
    })
    expect(names).toEqual(['Tape', 'a_', 'a_-2', 'tape-2'])
  })

  it('where a folder of that name is a link that leads out', async () => {
    const root = temporaryFolder()
    const [file, to, away] = ['tape.har', 'to', 'away'].map((name) =>
      path.join(root, name)
    )
    writeFileSync(file ?? '', har('a.test', 'b.test'))
    for (const folder of [to, away]) mkdirSync(folder ?? '')
    symlinkSync(away ?? '', path.join(to ?? '', 'b.test'))
    const { code, stderr } = await run(['import', file ?? '', '--cassette', to ?? ''])
    expect(code).toBe(2)
    expect(stderr).toMatch(
      /b\.test is not inside .+to, or is a link that leads out of it; nothing was read/
    )
    expect(readdirSync(away ?? '')).toEqual([])
  })
})

describe('mappings of WireMock name bodies in __files alone', () => {
  const mapping = (bodyFileName: string): string =>
    JSON.stringify({
      request: { method: 'GET', url: target },
      response: {
        status: 200,
        bodyFileName,
        headers: { 'Content-Type': 'application/json' }
      }
    })
  const imported = (root: string): Promise<Run> =>
    run([
      'import',
      root,
      '--cassette',
      path.join(root, 'out'),
      '--wiki',
      'http://wiki.test/w/api.php'
    ])

  it.each([
    ['with NUL in the name', 'a\0.json'],
    ['that lies above', '../stolen.json'],
    ['that lies above, in the spelling of Windows', '..\\stolen.json'],
    ['by its absolute path', '/etc/hostname'],
    ['with a name that no system takes', 'x'.repeat(5000)]
  ])('one %s is skipped', async (_, name) => {
    const root = temporaryFolder()
    for (const folder of ['mappings', '__files']) mkdirSync(path.join(root, folder))
    writeFileSync(path.join(root, 'stolen.json'), '{"query":{"stolen":1}}')
    writeFileSync(path.join(root, 'mappings/a.json'), mapping(name))
    const { code, stderr } = await imported(root)
    expect([code, stderr]).toEqual([1, expect.stringContaining('which does not exist')])
    expect(stderr).not.toMatch(/\n\s+at /)
  })

  it('one in __files that is itself a link is skipped', async () => {
    const root = temporaryFolder()
    const away = temporaryFolder()
    mkdirSync(path.join(root, 'mappings'))
    writeFileSync(path.join(away, 'a.json'), '{"query":{"stolen":1}}')
    symlinkSync(away, path.join(root, '__files'))
    writeFileSync(path.join(root, 'mappings/a.json'), mapping('a.json'))
    expect((await imported(root)).stderr).toContain('which does not exist')
  })
})

it('a wiki whose host is the way up is recorded below cassettes/', async () => {
  const cwd = temporaryFolder()
  const server = await serving(['record', 'http://../w/api.php'], { cwd })
  expect((await server.stop()).stdout).toContain(
    `recording ${path.join('cassettes', '_')} on`
  )
})

it.each(['record', 'replay'])(
  'X-Cassette names no link that leads out, in %s',
  async (verb) => {
    const wiki = await fakeWiki()
    const root = temporaryFolder()
    const away = temporaryFolder()
    const first = path.join(root, 'first')
    const recording = await serving(['record', wiki.api, '--cassette', first])
    await ask(`${new URL(recording.api).origin}${target}`)
    await recording.stop()
    const elsewhere = await serving([
      'record',
      wiki.api,
      '--cassette',
      path.join(away, 'tape')
    ])
    await ask(`${new URL(elsewhere.api).origin}${target}&apfrom=Away`)
    await elsewhere.stop()
    symlinkSync(path.join(away, 'tape'), path.join(root, 'beside'))
    const before = filesIn(away)
    const server = await serving(
      verb === 'record'
        ? ['record', wiki.api, '--cassette', first]
        : ['replay', '--cassette', first]
    )
    const reply = await ask(`${new URL(server.api).origin}${target}&apfrom=Away`, {
      headers: { 'x-cassette': 'beside' }
    })
    expect([reply.status, reply.text]).toEqual([
      500,
      expect.stringContaining('is a link that leads out of it')
    ])
    await server.stop()
    expect(filesIn(away)).toEqual(before)
  }
)

it('a cassette that is a link itself may be named at the start, and by its own name', async () => {
  const wiki = await fakeWiki()
  const root = temporaryFolder()
  const away = temporaryFolder()
  symlinkSync(away, path.join(root, 'mine'))
  const server = await serving([
    'record',
    wiki.api,
    '--cassette',
    path.join(root, 'mine')
  ])
  const reply = await ask(`${new URL(server.api).origin}${target}`, {
    headers: { 'x-cassette': 'mine' }
  })
  expect(reply.status).toBe(200)
  await server.stop()
  expect(readFileSync(path.join(away, 'cassette.json'), 'utf8')).toContain(wiki.api)
})

describe('a name from outside', () => {
  const names = fc.oneof(
    fc.string({ unit: character }),
    fc.constantFrom(
      '..',
      '.',
      '',
      '/',
      'a/../..',
      '\0',
      'con',
      'NUL.txt',
      'com¹',
      'a.',
      ' ',
      '...',
      '~',
      '-'
    )
  )

  it('becomes one folder below the root, on every system', () => {
    fc.assert(
      fc.property(names, (text) => {
        const name = folderNameOf(text)
        for (const system of [path.posix, path.win32])
          expect(system.dirname(system.resolve('/root', name))).toBe(
            system.resolve('/root')
          )
        expect(isDeviceName(name) || /^\.|[. ]$|\p{Cc}/u.test(name)).toBe(false)
        expect(Buffer.byteLength(name)).toBeLessThan(256)
        expect(folderNameOf(name)).toBe(name)
      })
    )
  })

  it('is refused where it is used as it is and leads anywhere else', () => {
    const root = temporaryFolder()
    for (const name of ['..', '.', '', 'a/b', 'a\\b', '/etc', 'a\0b'])
      expect(() => pathInside(root, name)).toThrow(StoreError)
    for (const file of ['../x', 'a/../../x', '/etc/passwd', '', 'a\0b'])
      expect(isInside(root, file)).toBe(false)
    expect([pathInside(root, 'a', 'b'), isInside(root, 'a/../b')]).toEqual([
      path.join(root, 'a', 'b'),
      true
    ])
  })
})
