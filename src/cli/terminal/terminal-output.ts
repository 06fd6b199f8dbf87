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

/** Prints the lines of a run's events. A miss has three, each escaped by itself. */
export const eventPrinter =
  (context: CommandContext) =>
  ({ kind, text }: ReportedEvent): void =>
    kind === 'miss' ? context.stderr(`wikitape: ${text}\n`) : printNote(context, text)

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
      const clean = escapeControlsInLines(text.slice(own.length))
      context.stderr(own + (context.useColor ? paintMiss(clean) : clean))
      isShown = isProgress && text !== clearLine
    }
  }
}

/** Of a miss, what is missing is bold, and the command that records it cyan. */
const paintMiss = (text: string) =>
  text.replace(
    /^(wikitape: miss .*)(\n[\s\S]*?)?(\n.*\n)$/,
    '\u001b[1m$1\u001b[0m$2\u001b[36m$3\u001b[0m'
  )

/** True if a stream gets colours: a terminal unless NO_COLOR is set, anything else where FORCE_COLOR is. */
export const usesColour = (
  isTerminal: boolean,
  { NO_COLOR = '', FORCE_COLOR = '' }: NodeJS.ProcessEnv
): boolean =>
  FORCE_COLOR === '' ? isTerminal && NO_COLOR === '' : !/^(?:0|false)$/.test(FORCE_COLOR)

const updateIntervalMs = 200
/** If stderr is no terminal: in the log of a CI, each update is a line. */
const logIntervalMs = 10_000

/** One line that says how far long work has come. @returns clears the line */
export function showProgress(context: CommandContext, render: () => string): () => void {
  if (!context.isTerminal) {
    const logging = setInterval(() => printNote(context, render()), logIntervalMs)
    return () => clearInterval(logging)
  }
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
