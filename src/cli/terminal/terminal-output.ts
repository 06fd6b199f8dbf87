/** Lines of a terminal: that of progress, and all others. */
import type { CommandContext } from '../args/command.ts'

/** What a terminal takes for: write this line anew. */
export const clearLine = '\r\u001b[2K'

/** The same shell, in which whatever else is printed stands on a line of its own: the line of progress is cleared before. */
export function separateProgress(context: CommandContext): CommandContext {
  let isShown = false
  const clear = (): void => {
    if (isShown) context.stderr(clearLine)
    isShown = false
  }
  return {
    ...context,
    stdout: (text) => {
      clear()
      context.stdout(text)
    },
    stderr: (text) => {
      const isProgress = text.startsWith(clearLine)
      if (!isProgress) clear()
      context.stderr(text)
      isShown = isProgress && text !== clearLine
    },
  }
}

/** Text as it is for files and other programs (`git apply`); at a terminal what it would hide is spelled out. */
export const writeUnescaped = (context: CommandContext, text: string): void =>
  context.stdout(process.stdout.isTTY ? text : Buffer.from(text))
