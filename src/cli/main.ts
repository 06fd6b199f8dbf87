/** The process around the command line: its arguments, streams, signals and exit code. */
import { constants } from 'node:os'
import type { Shell } from './args/command.ts'
import { runProgram } from './program.ts'

/** What is typed is not shown. */
async function askSecret(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

let stopped: Promise<NodeJS.Signals> | undefined

/** The second one ends the process at once. */
const firstSignal = (): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    let isFirst = true
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (!isFirst) process.exit(128 + constants.signals[signal])
        isFirst = false
        resolve(signal)
      })
  })

/** Milliseconds after which what is still open, e.g. a connection to the wiki, must not keep the process alive. */
const limit = 300

function processShell(): Shell {
  const color = process.stderr.isTTY && (process.env['NO_COLOR'] ?? '') === ''
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    env: process.env,
    terminal: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    ...(process.stdin.isTTY ? { askSecret } : {}),
    color,
    interactive: process.stdin.isTTY,
    now: Date.now,
    stdin: async () => (await import('node:stream/consumers')).text(process.stdin),
    stopped: () => {
      stopped ??= firstSignal()
      return stopped
    },
  }
}

// A reader that closes its end of the pipe (`wikitape ls | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 2))
process.exitCode = await runProgram(process.argv.slice(2), processShell())
if (stopped !== undefined) setTimeout(() => process.exit(), limit).unref()
