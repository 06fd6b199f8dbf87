/** `wikitape.config.json`: what a project settles once. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fakeWiki } from '../helpers/fake-wiki.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { type Run, type RunOptions, run } from '../helpers/program.ts'
import { partOf, shipped } from '../helpers/shipped.ts'

const [older, newer] = [partOf('1.35', ['tokens']), partOf('1.43', ['tokens'])]

/** A project whose settings are these. */
function project(settings: unknown): string {
  const dir = temporaryFolder()
  const text = typeof settings === 'string' ? settings : JSON.stringify(settings)
  writeFileSync(path.join(dir, 'wikitape.config.json'), text)
  return dir
}

const capture = (cwd: string, args: readonly string[] = [], more: RunOptions = {}): Promise<Run> =>
  run(['capture', '--requests', '-', ...args], { cwd, stdin: 'action=query&list=allpages', ...more })

describe('settings', () => {
  it('name the wiki, the cassette and who asks', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine', contact: 'bot@example.org' })
    expect(await capture(dir)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(dir, 'tapes', 'mine', 'cassette.json'))).toBe(true)
    expect(wiki.seen[0]?.headers['user-agent']).toContain('(bot@example.org)')
    expect((await run(['ls'], { cwd: dir })).stdout).toMatch(/^tapes\/mine: 1 interaction/)
  })

  it('are found from a folder below, which their paths do not depend on', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'tapes/mine' })
    const below = path.join(dir, 'test', 'unit')
    mkdirSync(below, { recursive: true })
    expect(await capture(below)).toMatchObject({ code: 0 })
    expect(existsSync(path.join(dir, 'tapes', 'mine', 'cassette.json'))).toBe(true)
  })

  it.each([
    ['a folder', (file: string) => mkdirSync(file), 'is no file'],
    ['a pipe', (file: string) => execFileSync('/usr/bin/env', ['mkfifo', file]), 'is no file'],
  ])('that are %s are told in a sentence', async (_, make, why) => {
    const dir = temporaryFolder()
    make(path.join(dir, 'wikitape.config.json'))
    const { code, stderr } = await run(['ls'], { cwd: dir })
    expect([code, stderr]).toEqual([2, expect.stringMatching(new RegExp(`^wikitape: [^\n]*${why}[^\n]*\n$`))])
  })

  it('of another repository above are not taken', async () => {
    const dir = project({ cassette: 'tapes/mine' })
    const clone = path.join(dir, 'clone')
    mkdirSync(path.join(clone, '.git'), { recursive: true })
    expect((await run(['ls'], { cwd: clone })).stderr).toContain('no cassette named')
  })

  it('give way to flags and the environment', async () => {
    const wiki = await fakeWiki()
    const dir = project({ apiUrl: wiki.api, cassette: 'settled', mode: 'none', contact: 'a@example.org' })
    expect(
      await capture(dir, [], {
        env: { WIKITAPE_CASSETTE: 'env', VCR_MODE: 'once', WIKITAPE_CONTACT: 'b@example.org' },
      }),
    ).toMatchObject({ code: 0 })
    expect(await capture(dir, ['--cassette', 'flag', '--mode', 'once'])).toMatchObject({ code: 0 })
    expect(['settled', 'env', 'flag'].map((name) => existsSync(path.join(dir, name)))).toEqual([
      false,
      true,
      true,
    ])
    expect(wiki.seen[0]?.headers['user-agent']).toContain('(b@example.org)')
  })

  it('say how old a cassette may be', async () => {
    const dir = project({ expires: '0d', cassette: shipped('1.43') })
    const { code, stdout } = await run(['check'], { cwd: dir })
    expect([code, stdout]).toEqual([1, expect.stringContaining(': expired: ')])
  })

  it('rate kinds of drift, unless drift.json does', async () => {
    const verdict = async (cwd: string): Promise<string> =>
      (await run(['diff', older, newer, '--json', '--fail-on', 'none'], { cwd })).stdout
    const severity = { 'param.value-added': 'cosmetic' }
    const [plain, rated] = [await verdict(temporaryFolder()), await verdict(project({ severity }))]
    expect(rated).not.toBe(plain)
    const both = project({ severity })
    writeFileSync(path.join(both, 'drift.json'), '{}')
    expect(await verdict(both)).toBe(plain)
  })
})

describe('settings that cannot be', () => {
  it.each<[string, unknown, string]>([
    ['no JSON', '{', 'wikitape.config.json is not JSON: '],
    ['no object', [], 'wikitape.config.json is not an object; expected {"cassette": "cassettes/mine"}'],
    ['a slip', { casette: 'x' }, '"casette" is no setting (did you mean cassette?); expected apiUrl, '],
    ['a number', { expires: 30 }, '"expires" is not a text; expected for example "30d"'],
    ['nothing in it', { mode: '' }, '"mode" is not a text; expected for example "new_episodes"'],
    ['an unknown mode', { mode: 'some' }, 'the mode "some" is unknown; expected one of none, '],
  ])('are told: %s', async (_, settings, message) => {
    const wiki = await fakeWiki()
    const { code, stderr } = await run(['capture', wiki.api, '--requests', '-', '--cassette', 'x'], {
      cwd: project(settings),
      stdin: 'action=query',
    })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  it('are told: an age that is none', async () => {
    const dir = project({ expires: 'soon', cassette: shipped('1.43') })
    expect(await run(['check'], { cwd: dir })).toMatchObject({
      code: 2,
      stderr: 'wikitape: the age is "soon"; expected days or weeks, such as 30d or 6w\n',
    })
  })
})
