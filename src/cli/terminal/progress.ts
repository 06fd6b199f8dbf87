/** One line on a terminal that says how far long work has come; nothing elsewhere. */
import { truncateColumns } from '../../report/terminal/column-width.ts'
import type { CommandContext } from '../args/command.ts'
import { clearLine } from './terminal-output.ts'

export interface Progress {
  /** Clears the line. */
  stop(): void
}

const updateIntervalMs = 200

/** @param render called for the present text */
export function showProgress(context: CommandContext, render: () => string): Progress {
  if (!context.isTerminal) return { stop: () => undefined }
  let shown = ''
  const timer = setInterval(() => {
    // One column stays free: a full line would wrap on some terminals, and could not be cleared.
    const text = truncateColumns(render(), (context.columns?.() ?? 80) - 1)
    if (text !== shown) context.stderr(clearLine + text)
    shown = text
  }, updateIntervalMs)
  return {
    stop: () => {
      clearInterval(timer)
      if (shown !== '') context.stderr(clearLine)
      shown = ''
    },
  }
}
