/** Output for people and for programs: notes, JSON, and lines that do not run into the progress line. */
import type { ReportedEvent } from '../../recorder/engine/engine-event.ts'
import {
  escapeControls,
  escapeControlsInLines
} from '../../recorder/text/escape-control-characters.ts'
import type { CommandContext } from '../args/command.ts'

export const clearLine = '\r\u001b[2K'

/** One line: a line end in the words of a wiki or a client must not begin another, which a CI might obey. */
export const printLine = (
  { stdout }: Pick<CommandContext, 'stdout'>,
  text: string
): void => stdout(`${escapeControls(text)}\n`)

export const printNote = (
  { stderr }: Pick<CommandContext, 'stderr'>,
  text: string
): void => stderr(`wikitape: ${escapeControls(text)}\n`)

/** Prints the lines of a run's events. */
export const eventPrinter =
  (context: CommandContext) =>
  ({ text }: ReportedEvent): void =>
    printNote(context, text)

/** Prints the messages of a server. */
export const messagePrinter =
  (context: CommandContext) =>
  (line: string): void =>
    printNote(context, line)

export const printJson = ({ stdout }: CommandContext, value: object): void =>
  stdout(`${JSON.stringify(value, null, 2)}\n`)

/**
 * The same context: other output clears the progress line first. Control characters of all text are escaped, since a wiki or a
 * client may have written it; bytes pass unchanged.
 */
export function cleanOutput(context: CommandContext): CommandContext {
  let isShown = false
  const clear = () => {
    if (isShown) context.stderr(clearLine)
    isShown = false
  }
  return {
    ...context,
    stdout: (text) => {
      clear()
      context.stdout(typeof text === 'string' ? escapeControlsInLines(text) : text)
    },
    stderr: (text) => {
      const isProgress = text.startsWith(clearLine)
      if (!isProgress) clear()
      const own = isProgress ? clearLine : ''
      context.stderr(own + escapeControlsInLines(text.slice(own.length)))
      isShown = isProgress && text !== clearLine
    }
  }
}

const updateIntervalMs = 200

/** One line that says how far long work has come; nothing if stderr is no terminal. @returns clears the line */
export function showProgress(context: CommandContext, render: () => string): () => void {
  if (!context.isTerminal) return () => undefined
  let shown = ''
  // Loaded here: its tables of characters would delay the start of every server by some 18 ms.
  let cut: ((text: string, columns: number) => string) | undefined
  void import('../../drift/report/terminal/column-width.ts').then((loaded) => {
    cut = loaded.truncateColumns
  })
  const timer = setInterval(() => {
    if (!cut) return
    // One column stays free: a full line would wrap on some terminals, and could not be cleared.
    const text = cut(render(), (context.columns?.() ?? 80) - 1)
    if (text !== shown) context.stderr(clearLine + text)
    shown = text
  }, updateIntervalMs)
  return () => {
    clearInterval(timer)
    if (shown !== '') context.stderr(clearLine)
    shown = ''
  }
}

/** Unchanged for files and other programs (`git apply`); a terminal gets control characters escaped. */
export const writeUnescaped = (context: CommandContext, text: string): void =>
  context.stdout(process.stdout.isTTY ? text : Buffer.from(text))
