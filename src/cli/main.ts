/** The process around the command line: its arguments, streams, signals and exit code. */
import { constants } from 'node:os'
import type { CommandContext } from './args/command.ts'
import { runProgram } from './program.ts'
import { usesColour } from './terminal/terminal-output.ts'

async function askSecret(question: string) {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  process.stderr.write(question)
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: discard, terminal: true })
  try {
    return await lines.question('')
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}

let stopSignal: Promise<NodeJS.Signals> | undefined

/** Resolves at the first signal; the second one ends the process at once. */
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

/** Open connections keep the process alive at most so many milliseconds after its end. */
const exitGraceMs = 300

const processContext: CommandContext = {
  stdout: (text) => void process.stdout.write(text),
  stderr: (text) => void process.stderr.write(text),
  env: process.env,
  isTerminal: process.stderr.isTTY,
  columns: () => process.stderr.columns,
  ...(process.stdin.isTTY ? { askSecret } : {}),
  useColor: usesColour(process.stderr.isTTY, process.env),
  isInteractive: process.stdin.isTTY,
  now: Date.now,
  stdin: async () => (await import('node:stream/consumers')).text(process.stdin),
  stopSignal: () => (stopSignal ??= firstSignal())
}

// A reader that closes its end of the pipe (`wikitape ls | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? 0 : 2)
)
process.exitCode = await runProgram(process.argv.slice(2), processContext)
// What was interrupted does not go on.
if (process.exitCode > 128) process.exit()
if (stopSignal) setTimeout(() => process.exit(), exitGraceMs).unref()
