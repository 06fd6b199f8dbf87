/** `wikitape init`: sets up git to merge and show the files of cassettes. */
import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { commandName, shellQuote } from '../../../recorder/store/command-name.ts'
import { readText } from '../../../recorder/store/files/whole-files.ts'
import {
  type Command,
  expectArgs,
  type Invocation,
  orUsageError,
  UsageError
} from '../../args/command.ts'
import { acceptFile } from '../../files/drift-files.ts'
import { writeText } from '../../files/text-files.ts'
import { cassettesFolder } from '../../flags/cassette-flags.ts'
import { packageFile } from '../../package-version.ts'
import { printJson, printLine } from '../../terminal/terminal-output.ts'

export const initCommand: Command = {
  name: 'init',
  async run(call) {
    const [named] = expectArgs(initCommand, call, 1, 0)
    const isPytest = call.isOn('pytest')
    const dir = path.resolve(named ?? (isPytest ? '.' : cassettesFolder))
    const steps = isPytest ? pytestSteps(dir) : gitSteps(dir, call)
    const printing = call.isOn('print')
    if (!printing) for (const step of steps) if (!step.done) step.carryOut()
    const fresh = printing ? 'would do' : 'done'
    const word = (step: SetupStep) => (step.done ? 'already' : fresh)
    if (call.isOn('json')) {
      printJson(call, {
        steps: steps.map((step) => ({ what: step.what, state: word(step) }))
      })
      return 0
    }
    for (const step of steps) printLine(call, `${word(step)}: ${step.what}`)
    const next = isPytest
      ? 'commit these files; run pytest (pip install pytest-wikitape is the same plugin without these files)'
      : `commit .gitattributes; everyone who clones runs ${commandName} init once`
    if (!printing) printLine(call, next)
    return 0
  }
}

function repositoryRoot(dir: string) {
  let place = dir
  while (!existsSync(place)) place = path.dirname(place)
  if (!statSync(place).isDirectory())
    throw new UsageError(`${place} is a file; name the folder of the cassettes`)
  const { status, stdout, stderr, error } = git(place, ['rev-parse', '--show-toplevel'])
  if (error) throw new UsageError(`cannot run git: ${error.message}; is it installed?`)
  const root = stdout.replace(/\n$/, '')
  if (status !== 0 || root === '')
    throw new UsageError(
      `${place} is not in a git working tree (${stderr.trim()}); run git init, or name a folder that is`
    )
  return path.resolve(root)
}

/** The real path of a folder that may not exist yet. */
const realPathOf = (dir: string): string =>
  existsSync(dir)
    ? realpathSync(dir)
    : path.join(realPathOf(path.dirname(dir)), path.basename(dir))

/** Lines of `.gitattributes`; later lines overrule earlier ones. Source: gitattributes(5). */
function attributesStep(root: string, dir: string) {
  const below = path
    .relative(realpathSync(root), realPathOf(dir))
    .split(path.sep)
    .join('/')
  const at = below === '' ? '' : `${below}/`
  const escaped = at.replace(/[[\]*?\\]/g, '\\$&')
  const pattern = (rest: string) =>
    /[\s"\\#!]/.test(at) ? JSON.stringify(escaped + rest) : escaped + rest
  const wanted = [
    `${pattern('**')} text eol=lf merge=wikitape linguist-generated`,
    `${pattern('**/*.bin')} binary`,
    `${acceptFile} text eol=lf merge=wikitape`
  ]
  const file = path.join(root, '.gitattributes')
  const old = orUsageError(`cannot read ${file}`, () => readText(file) ?? '')
  const known = new Set(old.split('\n').map((line) => line.trim()))
  const lines = wanted.filter((line) => !known.has(line))
  const gap = old === '' || old.endsWith('\n') ? '' : '\n'
  return {
    what: `${file}: ${(lines.length === 0 ? wanted : lines).join(' | ')}`,
    done: lines.length === 0,
    carryOut: () => writeText(file, `${old}${gap}${lines.join('\n')}\n`)
  }
}

/** Attributes, and the configuration of this clone: git accepts no programs from a repository that it fetches. */
function gitSteps(dir: string, call: Invocation) {
  const root = repositoryRoot(dir)
  const command = call.value('command') ?? wikitapeCommand(root, call)
  const wanted = [
    ['merge.wikitape.name', 'wikitape: recordings of both sides'],
    ['merge.wikitape.driver', `${command} merge-driver %O %A %B %P`],
    // The virtual ancestor of a criss-cross merge must not contain conflicts.
    ['merge.wikitape.recursive', 'binary']
  ] as const
  const configSteps = wanted.map(([name, value]) => ({
    what: `git config ${name} "${value}"`,
    done: git(root, ['config', '--local', '--get', name]).stdout === `${value}\n`,
    carryOut: () => {
      const { status, stderr } = git(root, ['config', '--local', name, value])
      if (status !== 0) throw new UsageError(`git config ${name}: ${stderr.trim()}`)
    }
  }))
  return [attributesStep(root, dir), ...configSteps]
}

const git = (cwd: string, argv: readonly string[]) =>
  spawnSync('git', argv, { cwd, encoding: 'utf8' })

/** For a shell in the root of the working tree, where git runs drivers. */
function wikitapeCommand(root: string, call: Invocation) {
  const local = 'node_modules/.bin/wikitape'
  if (existsSync(path.join(root, local))) return local
  const folders = (call.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  if (folders.some((folder) => existsSync(path.join(folder, 'wikitape'))))
    return 'wikitape'
  return [process.execPath, packageFile('dist/cli/start.cjs')]
    .map((text) => shellQuote(text))
    .join(' ')
}

type SetupStep = {
  readonly what: string
  readonly done: boolean
  readonly carryOut: () => void
}

const loadingLine = 'pytest_plugins = ["wikitape_pytest"]'

/** @param dir the folder of the suite's conftest.py. @throws UsageError if that must be edited by hand */
function pytestSteps(dir: string) {
  const plugin = readText(packageFile('python/wikitape_pytest.py')) ?? ''
  const file = path.join(dir, 'wikitape_pytest.py')
  const conftest = path.join(dir, 'conftest.py')
  const existing = (name: string) =>
    orUsageError(`cannot read ${name}`, () => readText(name))
  const settings = existing(conftest)
  const writing = (name: string, text: string, what: string) => ({
    what: `${name}: ${what}`,
    done: existing(name) === text,
    carryOut: () => writeText(name, text)
  })
  const steps = [writing(file, plugin, 'the plugin for pytest')]
  if (settings === undefined)
    return [...steps, writing(conftest, `${loadingLine}\n`, loadingLine)]
  if (settings.includes('wikitape_pytest')) return steps
  throw new UsageError(
    `${conftest} does not load the plugin, and wikitape edits no program: add this line to it, and run wikitape init --pytest again: ${loadingLine}`
  )
}
