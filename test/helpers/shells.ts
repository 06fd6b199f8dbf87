/** A command line without a process: what a verb prints is kept. */
import type { Shell } from '../../src/cli/args/command.ts'

export interface TestShell extends Shell {
  /** What went to stdout and stderr, in order. */
  readonly printed: string[]
}

export function testShell(more: Partial<Shell> = {}): TestShell {
  const printed: string[] = []
  return {
    printed,
    out: (text) => void printed.push(typeof text === 'string' ? text : Buffer.from(text).toString('utf8')),
    err: (text) => void printed.push(text),
    env: {},
    terminal: false,
    interactive: false,
    color: false,
    now: Date.now,
    stdin: () => Promise.resolve(''),
    stopped: () => new Promise(() => undefined),
    ...more,
  }
}
