/** One line on a terminal that says how far long work has come; nothing elsewhere. */
import { cutColumns } from '../../report/terminal/column-width.ts'
import type { Shell } from '../args/command.ts'
import { clearLine } from './terminal-output.ts'

export interface Progress {
  /** Clears the line. */
  stop(): void
}

const everyMs = 200

/** @param line called for the present text */
export function showProgress(shell: Shell, line: () => string): Progress {
  if (!shell.terminal) return { stop: () => undefined }
  let shown = ''
  const timer = setInterval(() => {
    // One column stays free: a full line would wrap on some terminals, and could not be cleared.
    const text = cutColumns(line(), (shell.columns?.() ?? 80) - 1)
    if (text !== shown) shell.err(clearLine + text)
    shown = text
  }, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      if (shown !== '') shell.err(clearLine)
    },
  }
}
