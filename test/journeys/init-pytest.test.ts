/** `wikitape init --pytest`. That the plugin works, with pytest, is proven by scripts/peers/lives/other-lives.ts. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../helpers/folders.ts'
import { run } from '../helpers/program.ts'

describe('init --pytest', () => {
  it('writes the plugin and a conftest.py that loads it, once', async () => {
    const dir = temporaryFolder()
    const first = await run(['init', dir, '--pytest'])
    expect([first.code, first.stdout.match(/^done:/gm)?.length]).toEqual([0, 2])
    expect(first.stdout).toContain('pip install pytest-wikitape')
    expect(readFileSync(path.join(dir, 'conftest.py'), 'utf8')).toBe(
      'pytest_plugins = ["wikitape_pytest"]\n'
    )
    expect(readFileSync(path.join(dir, 'wikitape_pytest.py'), 'utf8')).toContain(
      'def pytest_runtest_call'
    )
    expect((await run(['init', dir, '--pytest'])).stdout).not.toContain('done:')
  })

  it('changes no conftest.py, and says which line it needs', async () => {
    const dir = temporaryFolder()
    const conftest = path.join(dir, 'conftest.py')
    writeFileSync(conftest, 'import pytest\n')
    const { code, stderr } = await run(['init', dir, '--pytest'])
    expect([code, readFileSync(conftest, 'utf8')]).toEqual([2, 'import pytest\n'])
    expect(stderr).toContain('add this line to it')
    writeFileSync(conftest, 'pytest_plugins = ["wikitape_pytest"]\n')
    expect((await run(['init', dir, '--pytest'])).code).toBe(0)
  })
})
