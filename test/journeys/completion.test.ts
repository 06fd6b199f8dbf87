/** Tab, as shells ask for it. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { flagsOf } from '../../src/cli/args/flags.ts'
import { commands } from '../../src/cli/commands.ts'
import { temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'

describe('bash', () => {
  /** What Tab offers at the end of these words. */
  async function offered(...words: readonly string[]): Promise<readonly string[]> {
    const dir = temporaryFolder()
    const file = path.join(dir, 'wikitape.bash')
    writeFileSync(file, (await run(['completion', 'bash'])).stdout)
    writeFileSync(path.join(dir, 'calls.txt'), '')
    const typed = words.map((word) => `'${word}'`).join(' ')
    const asked = `source ${file}; COMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _wikitape; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', asked], {
      encoding: 'utf8',
      cwd: dir
    })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  it('completes verbs', async () => {
    expect(await offered('wikitape', 're')).toEqual([
      'record',
      'replay',
      'review',
      'rehearse',
      'refresh'
    ])
    expect(await offered('wikitape', '')).toEqual([
      ...commands.map(({ name }) => name),
      'help'
    ])
    expect(await offered('wikitape', 'help', 'cov')).toEqual(['coverage'])
  })

  it("completes a verb's own flags", async () => {
    expect(await offered('wikitape', 'replay', '--on')).toEqual(['--on-miss'])
    expect(await offered('wikitape', 'ls', '--on')).toEqual([])
  })

  it('completes values: words where there are few, files where files are meant', async () => {
    expect(await offered('wikitape', 'record', '--mode', 'n')).toEqual([
      'none',
      'new_episodes'
    ])
    expect(await offered('wikitape', 'diff', '--fail-on', '')).toEqual([
      'breaking',
      'risky',
      'any',
      'none'
    ])
    expect(await offered('wikitape', 'diff', '--format', 'j')).toEqual(['json', 'junit'])
    expect(await offered('wikitape', 'diff', '--show', 'a')).toEqual(['all'])
    expect(await offered('wikitape', 'capture', '--requests', 'c')).toEqual(['calls.txt'])
    expect(await offered('wikitape', 'replay', '--port', '')).toEqual([])
    expect(await offered('wikitape', 'import', 'c')).toEqual(['calls.txt'])
  })

  it("leaves another command's words alone", async () => {
    expect(await offered('wikitape', 'exec', '--', 'node', '--mode', 'c')).toContain(
      'calls.txt'
    )
  })
})

describe('other shells', () => {
  it.each(['zsh', 'fish'])('%s is told every verb and flag', async (shell) => {
    const { code, stdout } = await run(['completion', shell])
    expect(code).toBe(0)
    for (const command of commands) {
      expect(stdout).toContain(command.name)
      for (const flag of flagsOf(command)) expect(stdout).toContain(flag.name)
    }
  })

  it('another is refused', async () => {
    const { code, stderr } = await run(['completion', 'fihs'])
    expect([code, stderr]).toEqual([
      2,
      'wikitape: the shell "fihs" is unknown (did you mean fish?); expected bash, zsh, fish\n'
    ])
  })
})
