/** One line on a terminal that says how far long work has come; nothing elsewhere. */
import { cutColumns } from '../report/width.ts'
import type { Shell } from './verb.ts'

export interface Progress {
  /** Clears the line. */
  stop(): void
}

const everyMs = 200
/** What a terminal takes for: write this line anew. */
export const clearLine = '\r\u001b[2K'

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

/** The same shell, in which whatever else is printed stands on a line of its own: the line of progress is cleared before. */
export function keepApart(shell: Shell): Shell {
  let isShown = false
  const clear = (): void => {
    if (isShown) shell.err(clearLine)
    isShown = false
  }
  return {
    ...shell,
    out: (text) => {
      clear()
      shell.out(text)
    },
    err: (text) => {
      const isProgress = text.startsWith(clearLine)
      if (!isProgress) clear()
      shell.err(text)
      isShown = isProgress && text !== clearLine
    },
  }
}
