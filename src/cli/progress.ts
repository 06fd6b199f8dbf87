/** One line on a terminal that says how far long work has come; nothing elsewhere. */
import type { Shell } from './verb.ts'

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
    const text = line()
    if (text !== shown) shell.err(`\r\u001b[2K${text}`)
    shown = text
  }, everyMs)
  return {
    stop: () => {
      clearInterval(timer)
      if (shown !== '') shell.err('\r\u001b[2K')
    },
  }
}
