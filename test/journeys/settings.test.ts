/** `wikitape.config.json`: what a project settles once. */
import { execFileSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startRecording, startReplay } from '../../src/index.ts'
import { resolveInsertOptions } from '../../src/integrations/in-process/insert-options.ts'
import { readProjectSettings } from '../../src/recorder/settings/project-settings.ts'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { filesIn, temporaryFolder } from '../helpers/folders.ts'
import { ask } from '../helpers/http-client.ts'
import { type Run, type RunOptions, run } from '../helpers/program.ts'
import { partOf, shipped } from '../helpers/shipped.ts'

const older = partOf('1.35', ['tokens'])
const newer = partOf('1.43', ['tokens'])

/** A project whose settings are these. */
function project(settings: unknown): string {
  const dir = temporaryFolder()
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings)
  writeFileSync(path.join(dir, 'wikitape.config.json'), text)
  return dir
}

const capture = (
  cwd: string,
  args: readonly string[] = [],
  more: RunOptions = {}
): Promise<Run> =>
  run(['capture', '--requests', '-', ...args], {
    cwd,
    stdin: 'action=query&list=allpages',
    ...more
  })

describe('settings', () => {
  it('name the wiki, the cassette and who asks', async () => {
    const wiki = await fakeWiki()
    const dir = project({
      apiUrl: wiki.api,
      cassette: 'tapes/mine',
      contact: 'bot@example.org'
    })
    expect(await capture(dir)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(dir, 'tapes', 'mine', 'cassette.json'))).toBe(true)
    expect(wiki.seen[0]?.headers['user-agent']).toContain('(bot@example.org)')
    expect((await run(['ls'], { cwd: dir })).stdout).toMatch(
      /^tapes\/mine: 1 interaction/
    )
  })

  it('are found from a folder below, which their paths do not depend on', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine' })
    mkdirSync(path.join(dir, '.git'))
    const below = path.join(dir, 'test', 'unit')
    mkdirSync(below, { recursive: true })
    expect(await capture(below)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(dir, 'tapes', 'mine', 'cassette.json'))).toBe(true)
  })

  it.each([
    ['a folder', (file: string) => mkdirSync(file), 'is not a file'],
    [
      'a pipe',
      (file: string) => execFileSync('/usr/bin/env', ['mkfifo', file]),
      'is not a file'
    ]
  ])('that are %s are told in a sentence', async (_, make, why) => {
    const dir = temporaryFolder()
    make(path.join(dir, 'wikitape.config.json'))
    const { code, stderr } = await run(['ls'], { cwd: dir })
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^wikitape: [^\n]*${why}[^\n]*\n$`))
    ])
  })

  it('of another repository above are not taken', async () => {
    const dir = project({ cassette: 'tapes/mine' })
    const clone = path.join(dir, 'clone')
    mkdirSync(path.join(clone, '.git'), { recursive: true })
    expect((await run(['ls'], { cwd: clone })).stderr).toContain('no cassette named')
  })
})

describe('settings and what gives way to them', () => {
  it('give way to flags and the environment', async () => {
    const wiki = await fakeWiki()
    const dir = project({
      apiUrl: wiki.api,
      cassette: 'settled',
      mode: 'none',
      contact: 'a@example.org'
    })
    expect(
      await capture(dir, [], {
        env: {
          WIKITAPE_CASSETTE: 'env',
          VCR_MODE: 'once',
          WIKITAPE_CONTACT: 'b@example.org'
        }
      })
    ).toMatchObject({ code: 0 })
    expect(await capture(dir, ['--cassette', 'flag', '--mode', 'once'])).toMatchObject({
      code: 0
    })
    expect(
      ['settled', 'env', 'flag'].map((name) => existsSync(path.join(dir, name)))
    ).toEqual([false, true, true])
    expect(wiki.seen[0]?.headers['user-agent']).toContain('(b@example.org)')
  })

  it('say how old a cassette may be', async () => {
    const dir = project({ expires: '0d', cassette: 'tape' })
    cpSync(older, path.join(dir, 'tape'), { recursive: true })
    const { code, stdout } = await run(['check'], { cwd: dir })
    expect([code, stdout]).toEqual([1, expect.stringContaining(': expired: ')])
  })

  it('rate kinds of drift, unless drift.json does', async () => {
    const verdict = async (cwd: string): Promise<string> =>
      (await run(['diff', older, newer, '--json', '--fail-on', 'none'], { cwd })).stdout
    const severity = { 'param.value-added': 'cosmetic' }
    const plain = await verdict(temporaryFolder())
    const rated = await verdict(project({ severity }))
    expect(rated).not.toBe(plain)
    const both = project({ severity })
    writeFileSync(path.join(both, 'drift.json'), '{}')
    expect(await verdict(both)).toBe(plain)
  })
})

/** As a program that was started in this folder. */
async function inside<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const home = process.cwd()
  process.chdir(dir)
  try {
    return await work()
  } finally {
    process.chdir(home)
  }
}

describe('settings in a program', () => {
  const query = '?action=query&list=allpages&format=json'

  it('name wiki, cassette and mode for startRecording and startReplay', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine', mode: 'once' })
    await inside(dir, async () => {
      const recording = await startRecording()
      await ask(recording.apiUrl + query)
      expect((await recording.close()).recorded).toBe(1)
      // once: what is recorded already is not added to.
      const again = await startRecording()
      expect(
        (await ask(`${again.apiUrl}${query}&apfrom=X`)).headers['x-cassette-status']
      ).toBe('miss')
      await again.close()
      const replay = await startReplay()
      expect((await ask(replay.apiUrl + query)).headers['x-cassette-status']).toBe(
        'replayed'
      )
      await replay.close()
    })
    expect(existsSync(path.join(dir, 'tapes', 'mine', 'cassette.json'))).toBe(true)
  })

  it('give way to options', async () => {
    const wiki = await fakeWiki()
    const dir = project({
      apiUrl: 'http://127.0.0.1:9/w/api.php',
      cassette: 'settled',
      mode: 'none'
    })
    await inside(dir, async () => {
      const recording = await startRecording({
        apiUrl: wiki.api,
        cassette: 'given',
        mode: 'all'
      })
      await ask(recording.apiUrl + query)
      expect((await recording.close()).recorded).toBe(1)
    })
    expect(['settled', 'given'].map((name) => existsSync(path.join(dir, name)))).toEqual([
      false,
      true
    ])
  })
})

describe('missing settings in a program', () => {
  it('are asked for in words where they lack, and CI goes out only where that is allowed', async () => {
    await inside(project({}), async () => {
      expect(() => startRecording()).toThrow(
        'no apiUrl is given; pass it, or set it in wikitape.config.json'
      )
      expect(() => startRecording({ apiUrl: 'http://127.0.0.1:9/w/api.php' })).toThrow(
        'no cassette is given'
      )
      expect(() => startReplay()).toThrow('no cassette is given')
    })
    vi.stubEnv('CI', 'true')
    onTestFinished(() => void vi.unstubAllEnvs())
    const options = {
      apiUrl: 'http://127.0.0.1:9/w/api.php',
      cassette: path.join(temporaryFolder(), 'x')
    }
    expect(() => startRecording(options)).toThrow('pass allowLive: true to allow it')
    await (await startRecording({ ...options, allowLive: true })).close()
  })

  it('name the wiki of a test, after what its cassette was recorded from; the mode of tests they leave alone', async () => {
    await inside(
      project({ apiUrl: 'http://wiki.example/w/api.php', mode: 'new_episodes' }),
      async () => {
        const settled = resolveInsertOptions('new', {}, {})
        expect([settled.api.href, settled.mode]).toEqual([
          'http://wiki.example/w/api.php',
          'once'
        ])
        expect(
          resolveInsertOptions('new', { apiUrl: 'http://given.example/w/api.php' }, {})
            .api.host
        ).toBe('given.example')
        const root = path.dirname(shipped('1.43'))
        expect(resolveInsertOptions('ru-1.43', { root }, {}).api.host).not.toBe(
          'wiki.example'
        )
      }
    )
  })
})

describe('settings that cannot be', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'wikitape.config.json is not JSON: '],
    [
      'no object',
      [],
      'wikitape.config.json is not an object; expected {"cassette": "cassettes/mine"}'
    ],
    [
      'a slip',
      { casette: 'x' },
      'unknown setting "casette" (did you mean cassette?); expected apiUrl, '
    ],
    [
      'a number',
      { expires: 30 },
      '"expires" is not a string; expected for example "30d"'
    ],
    [
      'nothing in it',
      { mode: '' },
      '"mode" is not a string; expected for example "new_episodes"'
    ],
    [
      'an unknown mode',
      { mode: 'some' },
      'the mode "some" is unknown; expected one of none, '
    ]
  ])('are told: %s', async (_, settings, message) => {
    const wiki = await fakeWiki()
    const { code, stderr } = await run(
      ['capture', wiki.api, '--requests', '-', '--cassette', 'x'],
      {
        cwd: project(settings),
        stdin: 'action=query'
      }
    )
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('are told: an age that is none', async () => {
    const dir = project({ expires: 'soon', cassette: 'tape' })
    cpSync(older, path.join(dir, 'tape'), { recursive: true })
    expect(await run(['check'], { cwd: dir })).toMatchObject({
      code: 2,
      stderr: 'wikitape: the age is "soon"; expected days or weeks, such as 30d or 6w\n'
    })
  })
})

describe("settings of a stranger's folder", () => {
  it('above it count within a repository alone', async () => {
    const dir = project({ cassette: 'tapes/mine' })
    const below = path.join(dir, 'below')
    mkdirSync(below)
    expect((await run(['ls'], { cwd: below })).stderr).toContain('no cassette named')
    mkdirSync(path.join(dir, '.git'))
    expect((await run(['ls'], { cwd: below })).stderr).toContain(
      'there is no cassette at ../tapes/mine'
    )
  })

  it.each<[string, (victim: string, dir: string) => string]>([
    ['by its whole path', (victim) => victim],
    ['above', (victim, dir) => path.relative(dir, victim)],
    ['through a link', (victim, dir) => linked(dir, 'tape', victim)],
    [
      'in a linked folder',
      (victim, dir) => path.join(linked(dir, 'tapes', path.dirname(victim)), 'own')
    ],
    [
      'not there yet, through a link',
      (victim, dir) => linked(dir, 'tape', `${victim}-new`)
    ]
  ])('name no cassette outside of it: %s', async (_, cassetteOf) => {
    const wiki = await fakeWiki()
    const victim = path.join(temporaryFolder(), 'own')
    expect(
      await capture(temporaryFolder(), [wiki.api, '--cassette', victim])
    ).toMatchObject({
      code: 0
    })
    const before = filesIn(path.dirname(victim))
    const count = wiki.asked().length
    const dir = project({})
    const cassette = cassetteOf(victim, dir)
    writeFileSync(
      path.join(dir, 'wikitape.config.json'),
      JSON.stringify({ apiUrl: wiki.api, cassette })
    )
    for (const args of [
      ['capture', '--mode', 'all', '--requests', '-'],
      ['ls'],
      ['prune', '--yes'],
      ['replay']
    ]) {
      const { code, stderr } = await run(args, {
        cwd: dir,
        stdin: 'action=query&list=allpages'
      })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`the cassette "${cassette}" is outside of ${dir}`)
      ])
    }
    expect(filesIn(path.dirname(victim))).toEqual(before)
    expect(wiki.asked()).toHaveLength(count)
  })

  it('may name one in it by its whole path', async () => {
    const wiki = await fakeWiki()
    const dir = project({})
    const cassette = path.join(dir, 'tapes', 'mine')
    writeFileSync(
      path.join(dir, 'wikitape.config.json'),
      JSON.stringify({ apiUrl: wiki.api, cassette })
    )
    expect(await capture(dir)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(cassette, 'cassette.json'))).toBe(true)
  })
})

describe('modes in settings of a stranger’s folder', () => {
  it.each(['all', 'update'])(
    'do not overwrite: mode %s is refused by every verb',
    async (mode) => {
      const wiki = await fakeWiki()
      const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine', mode })
      for (const args of [
        ['capture', '--requests', '-'],
        ['capture', '--mode', 'once', '--requests', '-'],
        ['ls'],
        ['check']
      ]) {
        const { code, stderr } = await run(args, { cwd: dir, stdin: 'action=query' })
        expect([code, stderr]).toEqual([
          2,
          expect.stringContaining(`the mode "${mode}" overwrites recordings`)
        ])
      }
      expect(wiki.asked()).toEqual([])
    }
  )

  it.each(['ls', 'check', 'replay', 'doctor', 'coverage'])(
    'a mode that does not exist is an error of %s',
    async (verb) => {
      const { code, stderr } = await run([verb], { cwd: project({ mode: 'always' }) })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('the mode "always" is unknown')
      ])
    }
  )

  it('a mode that does not exist is an error in programs', () => {
    expect(() => readProjectSettings(project({ mode: 'always' }))).toThrow(
      'the mode "always" is unknown'
    )
  })
})

describe('settings of a stranger’s folder and of other users', () => {
  it('are told where they name the wiki, which is not told any password', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine' })
    const told = `the wiki is ${wiki.api}, as ${path.join(dir, 'wikitape.config.json')} says`
    expect((await capture(dir)).stderr).toContain(told)
    const count = wiki.seen.length
    for (const [args, env] of [
      [['--login', 'Bot'], { WIKITAPE_PASSWORD: 'hunter2hunter2' }],
      [['--header', 'X-Key: k'], {}],
      [[], { WIKITAPE_BEARER: 'a-token' }]
    ] as const) {
      const { code, stderr } = await capture(dir, args, { env })
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining('credentials go only to one that the command line names')
      ])
    }
    expect(wiki.seen).toHaveLength(count)
  })

  it('of another user are not followed, unless told so', () => {
    const dir = project({ expires: '30d' })
    const file = path.join(dir, 'wikitape.config.json')
    // Only root can give a file away; to anybody else its own is one of another user.
    if (process.getuid?.() === 0) chownSync(file, 12_345, 12_345)
    const owner = process.getuid?.() === 0 ? 12_345 : (process.getuid?.() ?? 0)
    const read = (uid: number | undefined, env = {}): unknown =>
      readProjectSettings(dir, { uid, env })?.expires
    for (const uid of [54_321, 0])
      expect(() => read(uid)).toThrow(
        `${file} belongs to another user (${owner}; you are ${uid})`
      )
    for (const [uid, env] of [
      [owner, {}],
      [undefined, {}],
      [0, { SUDO_UID: String(owner) }],
      [54_321, { WIKITAPE_SAFE_DIRECTORY: dir }],
      [54_321, { WIKITAPE_SAFE_DIRECTORY: '*' }],
      [54_321, { WIKITAPE_SAFE_DIRECTORY: ['/elsewhere', dir].join(path.delimiter) }]
    ] as const)
      expect(read(uid, env)).toBe('30d')
    expect(() => read(54_321, { SUDO_UID: String(owner) })).toThrow(
      'belongs to another user'
    )
    expect(() => read(54_321, { WIKITAPE_SAFE_DIRECTORY: path.dirname(dir) })).toThrow(
      'belongs to another user'
    )
  })
})

/** @returns its name, relative to the folder */
function linked(dir: string, name: string, to: string): string {
  symlinkSync(to, path.join(dir, name))
  return name
}
