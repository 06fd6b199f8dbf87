#!/usr/bin/env node
/** The command line: finds the verb, runs it, turns what went wrong into one message and an exit code. */
import { text as readAll } from 'node:stream/consumers'
import { StoreError } from '../store/errors.ts'
import { UpstreamError } from '../upstream/upstream.ts'
import { accept } from './accept.ts'
import { capture } from './capture.ts'
import { check } from './check.ts'
import { coverage } from './coverage.ts'
import { diff } from './diff.ts'
import { exec } from './exec.ts'
import { explain } from './explain.ts'
import { exportVerb } from './export.ts'
import { importVerb } from './import.ts'
import { init } from './init.ts'
import { ls } from './ls.ts'
import { mergeDriver } from './merge-driver.ts'
import { normalize } from './normalize.ts'
import { prune } from './prune.ts'
import { record } from './record.ts'
import { refresh } from './refresh.ts'
import { replay } from './replay.ts'
import { show } from './show.ts'
import { helpText, parseGiven, type Shell, UsageError, type Verb } from './verb.ts'
import { packageVersion } from './version.ts'

const verbs: readonly Verb[] = [
  record,
  replay,
  exec,
  capture,
  refresh,
  diff,
  accept,
  ls,
  show,
  explain,
  coverage,
  check,
  prune,
  normalize,
  mergeDriver,
  init,
  importVerb,
  exportVerb,
]

/** @returns the exit code: 0 fine, 1 miss or failed check, 2 usage or unreadable input, 3 upstream, 4 secret found */
async function main(argv: readonly string[], shell: Shell): Promise<number> {
  const [name, ...rest] = argv
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    shell.out(overview())
    return name === undefined ? 2 : 0
  }
  if (name === '--version' || name === '-V') {
    shell.out(`${packageVersion()}\n`)
    return 0
  }
  const verb = verbs.find((one) => one.name === name)
  if (verb === undefined) throw new UsageError(`there is no verb "${name}"; wikitape --help lists them`)
  const given = parseGiven(verb, rest)
  if (given.on('help')) {
    shell.out(helpText(verb))
    return 0
  }
  return verb.run(given, shell)
}

function overview(): string {
  const width = Math.max(...verbs.map((verb) => verb.name.length))
  return [
    'Usage: wikitape <verb> [arguments]',
    '',
    'Record once against a live wiki, replay offline in tests.',
    '',
    ...verbs.map((verb) => `  ${verb.name.padEnd(width)}  ${verb.summary}`),
    '',
    'wikitape <verb> --help tells more. First steps:',
    '  wikitape record https://ru.wikipedia.org/w/api.php --cassette cassettes/mine',
    '  wikitape replay --cassette cassettes/mine',
    '',
  ].join('\n')
}

function exitCodeOf(error: unknown): number {
  return error instanceof UpstreamError ? 3 : 2
}

const isKnown = (error: unknown): error is Error =>
  error instanceof UsageError || error instanceof StoreError || error instanceof UpstreamError

function processShell(): Shell {
  const color = process.stderr.isTTY && (process.env['NO_COLOR'] ?? '') === ''
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    terminal: process.stderr.isTTY,
    color,
    interactive: process.stdin.isTTY,
    now: Date.now,
    stdin: () => readAll(process.stdin),
    stopped: new Promise((resolve) => {
      process.once('SIGINT', resolve)
      process.once('SIGTERM', resolve)
    }),
  }
}

const shell = processShell()
// A reader that closes its end of the pipe (`wikitape ls | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2))
try {
  process.exitCode = await main(process.argv.slice(2), shell)
} catch (error) {
  const text = isKnown(error)
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error)
  shell.err(shell.color ? `\u001b[31mwikitape: ${text}\u001b[0m\n` : `wikitape: ${text}\n`)
  process.exitCode = exitCodeOf(error)
}
