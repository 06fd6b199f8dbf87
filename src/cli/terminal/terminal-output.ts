/** Lines of a terminal: that of progress, and all others. */
import type { Shell } from '../args/command.ts'

/** What a terminal takes for: write this line anew. */
export const clearLine = '\r\u001b[2K'

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

/** Text as it is for files and other programs (`git apply`); at a terminal what it would hide is spelled out. */
export const outAsItIs = (shell: Shell, text: string): void =>
  shell.out(process.stdout.isTTY ? text : Buffer.from(text))
