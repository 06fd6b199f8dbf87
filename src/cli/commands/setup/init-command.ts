/** `wikitape init`: tells git how the files of cassettes are to be merged and shown. */

import { spawnSync } from 'node:child_process'
import { existsSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { commandName } from '../../../store/command-name.ts'
import { readText } from '../../../store/files/whole-files.ts'
import { type Command, type Invocation, orUsageError, UsageError } from '../../args/command.ts'
import { expectArgs } from '../../args/parse-args.ts'
import { acceptFile } from '../../files/drift-files.ts'
import { writeText } from '../../files/text-files.ts'
import { jsonFlag } from '../../flags/cassette-flags.ts'
import { programFile } from '../../package-version.ts'
import { printJson } from '../../terminal/terminal-output.ts'

export const initCommand: Command = {
  name: 'init',
  usage: '[DIR] [flags]',
  summary:
    'Prepares a git repository for the cassettes below DIR (default cassettes): writes .gitattributes, and installs the merge driver in this clone.',
  flags: [
    { name: 'print', help: 'say what would be done, and do nothing' },
    {
      name: 'command',
      valueName: 'CMD',
      help: 'how git shall call wikitape (default the one that runs now, or that of node_modules)',
    },
    jsonFlag,
  ],
  examples: ['wikitape init', 'wikitape init test/cassettes --print'],
  async run(call) {
    expectArgs(initCommand, call, 1, 0)
    const dir = path.resolve(call.positionals[0] ?? 'cassettes')
    const root = repositoryRoot(dir)
    const command = call.value('command') ?? wikitapeCommand(root, call)
    const steps = [attributesStep(root, dir), ...configSteps(root, command)]
    if (!call.isOn('print')) for (const step of steps) if (!step.done) step.carryOut()
    printSteps(steps, call)
    return 0
  },
}

/** One thing that has to be so. */
interface SetupStep {
  readonly what: string
  /** True where it is so already. */
  readonly done: boolean
  carryOut(): void
}

/** The repository's working tree. @throws UsageError */
function repositoryRoot(dir: string): string {
  let place = dir
  while (!existsSync(place)) place = path.dirname(place)
  if (!statSync(place).isDirectory())
    throw new UsageError(`${place} is a file; name the folder that holds the cassettes`)
  const { status, stdout, stderr, error } = spawnSync('git', ['rev-parse', '--show-toplevel'], {
    cwd: place,
    encoding: 'utf8',
  })
  if (error !== undefined) throw new UsageError(`cannot run git: ${error.message}; is it installed?`)
  const root = stdout.replace(/\n$/, '')
  if (status !== 0 || root === '')
    throw new UsageError(
      `${place} lies in no working tree of git (${stderr.trim()}); run git init, or name a folder that does`,
    )
  return path.resolve(root)
}

/** The lines of `.gitattributes`; the last ones overrule the first. Source: gitattributes(5). */
function attributesFor(root: string, dir: string): readonly string[] {
  const below = path.relative(realpathSync(root), realPathOf(dir)).split(path.sep).join('/')
  const at = below === '' ? '' : `${below}/`
  const escaped = at.replace(/[[\]*?\\]/g, '\\$&')
  const pattern = (rest: string): string =>
    /[\s"\\#!]/.test(at) ? JSON.stringify(escaped + rest) : escaped + rest
  return [
    `${pattern('**')} text eol=lf merge=wikitape linguist-generated`,
    `${pattern('**/*.bin')} binary`,
    `${acceptFile} text eol=lf merge=wikitape`,
  ]
}

/** The real path of a folder that need not be there yet. */
const realPathOf = (dir: string): string =>
  existsSync(dir) ? realpathSync(dir) : path.join(realPathOf(path.dirname(dir)), path.basename(dir))

function attributesStep(root: string, dir: string): SetupStep {
  const file = path.join(root, '.gitattributes')
  const old = readTextOrEmpty(file)
  const known = new Set(old.split('\n').map((line) => line.trim()))
  const lines = attributesFor(root, dir).filter((line) => !known.has(line))
  const gap = old === '' || old.endsWith('\n') ? '' : '\n'
  return {
    what: `${file}: ${(lines.length === 0 ? attributesFor(root, dir) : lines).join(' | ')}`,
    done: lines.length === 0,
    carryOut: () => writeText(file, `${old}${gap}${lines.join('\n')}\n`),
  }
}

/** @throws UsageError */
const readTextOrEmpty = (file: string): string =>
  orUsageError(`cannot read ${file}`, () => readText(file) ?? '')

/** In the clone's own configuration: git takes no programs from what it fetches. */
function configSteps(root: string, command: string): readonly SetupStep[] {
  const wanted = [
    ['merge.wikitape.name', 'wikitape: recordings of both sides'],
    ['merge.wikitape.driver', `${command} merge-driver %O %A %B %P`],
    // The made-up ancestor of criss-cross merges is no place for conflicts.
    ['merge.wikitape.recursive', 'binary'],
  ] as const
  return wanted.map(([name, value]) => ({
    what: `git config ${name} "${value}"`,
    done: git(root, ['config', '--local', '--get', name]).stdout === `${value}\n`,
    carryOut: () => {
      const { status, stderr } = git(root, ['config', '--local', name, value])
      if (status !== 0) throw new UsageError(`git config ${name}: ${stderr.trim()}`)
    },
  }))
}

const git = (
  cwd: string,
  argv: readonly string[],
): { status: number | null; stdout: string; stderr: string } =>
  spawnSync('git', argv, { cwd, encoding: 'utf8' })

/** git runs drivers through a shell, in the root of the working tree. */
function wikitapeCommand(root: string, call: Invocation): string {
  const local = 'node_modules/.bin/wikitape'
  if (existsSync(path.join(root, local))) return local
  const onPath = (call.env['PATH'] ?? '')
    .split(path.delimiter)
    .some((folder) => folder !== '' && existsSync(path.join(folder, 'wikitape')))
  if (onPath) return 'wikitape'
  return [process.execPath, programFile()].map(shellQuoted).join(' ')
}

const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function printSteps(steps: readonly SetupStep[], call: Invocation): void {
  const printing = call.isOn('print')
  const word = (step: SetupStep): string => (step.done ? 'already' : printing ? 'would do' : 'done')
  if (call.isOn('json')) {
    const rows = steps.map((step) => ({ what: step.what, state: word(step) }))
    printJson(call, { steps: rows })
    return
  }
  for (const step of steps) call.stdout(`${word(step)}: ${step.what}\n`)
  if (!printing) call.stdout(`commit .gitattributes; everyone who clones runs ${commandName} init once\n`)
}
