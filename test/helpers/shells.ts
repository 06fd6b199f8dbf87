/** A command line without a process: what a verb prints is kept. */
import type { CommandContext } from '../../src/cli/args/command.ts'

export interface TestShell extends CommandContext {
  /** What went to stdout and stderr, in order. */
  readonly printed: string[]
}

export function testShell(more: Partial<CommandContext> = {}): TestShell {
  const printed: string[] = []
  return {
    printed,
    stdout: (text) =>
      void printed.push(
        typeof text === 'string' ? text : Buffer.from(text).toString('utf8')
      ),
    stderr: (text) => void printed.push(text),
    env: {},
    isTerminal: false,
    isInteractive: false,
    useColor: false,
    now: Date.now,
    stdin: () => Promise.resolve(''),
    stopSignal: () => new Promise(() => undefined),
    ...more
  }
}
