/** action.yml, run as a runner of GitHub's runs it: its defaults, its environment, its shell. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from './helpers/folders.ts'

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: unknown }>>
  readonly runs: {
    readonly steps: readonly {
      readonly run: string
      readonly env: Readonly<Record<string, string>>
    }[]
  }
}

type Inputs = Readonly<Record<string, string>>

const root = fileURLToPath(new URL('..', import.meta.url))
const textOf = (name: string): string => readFileSync(path.join(root, name), 'utf8')

const action = parse(textOf('action.yml')) as Action
const { version } = JSON.parse(textOf('package.json')) as { readonly version: string }

/** The folder has files, so that a word with a `*` would become their names; `npx` only says how it was called. */
function workspace(): string {
  const cwd = temporaryFolder()
  const npx = '#!/bin/sh\nprintf "<%s>" "$@"; exit "$NPX_CODE"\n'
  writeFileSync(path.join(cwd, 'npx'), npx)
  chmodSync(path.join(cwd, 'npx'), 0o755)
  writeFileSync(path.join(cwd, 'secret.txt'), '')
  return cwd
}

function runStep(
  given: Inputs,
  code = 0
): { readonly code: number | null; readonly said: string } {
  const cwd = workspace()
  const inputOf = (name: string): string =>
    given[name] ?? String(action.inputs[name]?.default ?? '')
  const [step] = action.runs.steps
  const env: Record<string, string> = {
    PATH: `${cwd}:${process.env['PATH']}`,
    NPX_CODE: String(code)
  }
  for (const [name, text] of Object.entries(step?.env ?? {}))
    env[name] = text.replace(/\$\{\{ inputs\.(\w+) \}\}/g, (_, input: string) =>
      inputOf(input)
    )
  const script = path.join(cwd, 'step.sh')
  writeFileSync(script, step?.run ?? '')
  const shell = ['--noprofile', '--norc', '-e', '-o', 'pipefail', script]
  const { status, stdout, stderr } = spawnSync('bash', shell, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe']
  })
  return { code: status, said: stdout + stderr }
}

describe('the GitHub Action', () => {
  it.each([
    [
      'exec runs the command against the cassette',
      { verb: 'exec', cassettes: 'my tapes/a', command: 'pytest -q "a b"' },
      '<exec><--cassette><my tapes/a><--><bash><-c><pytest -q "a b">'
    ],
    [
      'check takes flags and several cassettes',
      { verb: 'check', cassettes: 'a\nb\n', flags: '--expires 30d\n\n--json\n' },
      '<check><a><b><--expires><30d><--json>'
    ],
    [
      'diff compares two sides',
      { verb: 'diff', cassettes: 'a\nb\n' },
      '<diff><a><b><--format><markdown>'
    ],
    [
      'an input is never run',
      { verb: 'check', cassettes: '$(touch x)', flags: '; touch y' },
      '<check><$(touch x)><;><touch><y>'
    ],
    [
      'the words of an input are never expanded',
      { verb: 'check', cassettes: '*', flags: '--ignore *.txt [s]* ~ {a,b} \\*' },
      '<check><*><--ignore><*.txt><[s]*><~><{a,b}><\\*>'
    ]
  ])('%s', (_, inputs: Inputs, expected) => {
    const said = `<--yes><wikitape@${version}>${expected}`
    expect(runStep(inputs)).toEqual({ code: 0, said })
  })

  it('has no input in its script: what is put in there would be run', () => {
    expect(action.runs.steps.map(({ run }) => run).join()).not.toContain('${{')
  })

  it('runs another version of the package if the workflow names it', () => {
    const { said } = runStep({ verb: 'check', cassettes: 'a', version: '9.8.7' })
    expect(said).toBe('<--yes><wikitape@9.8.7><check><a>')
  })

  it('diff shows its report although it failed, and fails', () => {
    const { code, said } = runStep({ verb: 'diff', cassettes: 'a\nb' }, 1)
    expect([code, said]).toEqual([1, expect.stringContaining('<markdown>')])
  })

  it.each([
    [{ verb: 'rm', cassettes: 'a' }, 'the verb is "rm"; expected exec, check or diff'],
    [{ verb: 'check', cassettes: '\n' }, 'check takes a cassette; cassettes has 0 lines'],
    [
      { verb: 'diff', cassettes: 'a' },
      'diff takes two sides, one a line; cassettes has 1 lines'
    ]
  ])('what it cannot run says what was expected: %j', (inputs: Inputs, why) => {
    expect(runStep(inputs)).toEqual({ code: 2, said: `wikitape: ${why}\n` })
  })
})

describe('the version of package.json', () => {
  it('is that of the action and of the package for Python', () => {
    expect(action.inputs['version']?.default).toBe(version)
    expect(textOf('python/pyproject.toml')).toContain(`\nversion = "${version}"\n`)
  })

  it('is written there by npm version', () => {
    const cwd = temporaryFolder()
    const next = '9.8.7-beta.1'
    const files = ['action.yml', 'python/pyproject.toml', 'scripts/set-version.mjs']
    for (const file of files) cpSync(path.join(root, file), path.join(cwd, file))
    writeFileSync(path.join(cwd, 'package.json'), JSON.stringify({ version: next }))
    const script = path.join(cwd, 'scripts/set-version.mjs')
    const { status } = spawnSync(process.execPath, [script])
    const texts = files
      .slice(0, 2)
      .map((name) => readFileSync(path.join(cwd, name), 'utf8').replaceAll(next, version))
    expect([status, texts]).toEqual([0, files.slice(0, 2).map(textOf)])
  })

  it('goes with the licence of the project', () => {
    expect(textOf('python/LICENSE')).toBe(textOf('LICENSE'))
  })
})
