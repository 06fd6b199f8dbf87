/** Cassettes of deleted and renamed tests, from the file that a run of the suite wrote. */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { CassetteStore } from '../../../src/recorder/store/cassette-store.ts'
import { temporaryFolder } from '../../helpers/folders.ts'
import { run } from '../../helpers/program.ts'
import { interactionOf, response } from '../../helpers/recorded.ts'

interface Suite {
  readonly dir: string
  readonly file: string
  folder(name: string): string
}

/** A suite whose cassettes have these recordings, and a run that opened some. */
function suiteOf(
  cassettes: Readonly<Record<string, readonly string[]>>,
  opened: readonly string[]
): Suite {
  const root = temporaryFolder()
  const dir = path.join(root, 'cassettes')
  for (const [name, targets] of Object.entries(cassettes)) {
    const upstream = 'http://127.0.0.1:9/w/api.php'
    const store = CassetteStore.openOrCreate(path.join(dir, name), upstream)
    for (const text of targets) {
      const answer = response({ kind: 'text', text })
      store.put(interactionOf({ 'plain target': `/w/${text}` }, [answer]))
    }
    store.checkpoint()
  }
  const file = path.join(root, 'suite.txt')
  writeFileSync(file, opened.map((one) => `cassettes/${one}\n`).join(''))
  return { dir, file, folder: (name) => path.join(dir, name) }
}

const suite = () =>
  suiteOf(
    {
      'a/kept': ['x'],
      'a/gone': ['y'],
      'a/old_name': ['p', 'q'],
      'b/new_name': ['q', 'p']
    },
    ['a/kept', 'b/new_name', 'a/kept']
  )

describe('cassettes that no test opened', () => {
  it('are named by check, with the one of a renamed test that holds the same', async () => {
    const { dir, file, folder } = suite()
    const { code, stdout } = await run(['check', dir, '--suite', file])
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/^2 faults in .*cassettes \(4 cassettes\)$/m)
    ])
    expect(stdout).toContain(`${folder('a/gone')}: orphan: no test opened it; `)
    expect(stdout).toContain(
      `${folder('a/old_name')}: orphan: no test opened it; ${folder('b/new_name')} holds the same, so its test was renamed`
    )
    expect((await run(['check', dir])).code).toBe(0)
  })

  it('are deleted by prune, only when told to', async () => {
    const { dir, file, folder } = suite()
    const listed = await run(['prune', dir, '--suite', file])
    expect(listed.stdout).toMatch(/would delete .*a\/gone: no test opened it\n/)
    expect(listed.stdout).toMatch(/no test opened 2 of 4 cassettes; add --yes/)
    expect(existsSync(folder('a/gone'))).toBe(true)
    const done = await run(['prune', dir, '--suite', file, '--yes', '--json'])
    expect(JSON.parse(done.stdout)).toMatchObject({ done: true, cassettes: 4 })
    expect(
      ['a/gone', 'a/old_name', 'a/kept', 'b/new_name'].map(folder).map(existsSync)
    ).toEqual([false, false, true, true])
    expect((await run(['check', dir, '--suite', file])).code).toBe(0)
  })

  it('are not known from a run of another suite, or from no file', async () => {
    const { dir, file, folder } = suiteOf({ one: ['x'] }, ['two'])
    for (const verb of ['check', 'prune']) {
      const other = await run([
        verb,
        dir,
        '--suite',
        file,
        ...(verb === 'prune' ? ['--yes'] : [])
      ])
      expect([other.code, other.stderr]).toEqual([
        2,
        expect.stringContaining('names none of these cassettes; run the whole suite with')
      ])
      const none = await run([verb, dir, '--suite', `${file}.none`])
      expect([none.code, none.stderr]).toEqual([
        2,
        expect.stringMatching(
          /there is no file .*; run the whole suite with WIKITAPE_SUITE=/
        )
      ])
    }
    expect(existsSync(folder('one'))).toBe(true)
  })
})
