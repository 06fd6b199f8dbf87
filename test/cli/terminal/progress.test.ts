/** The progress line on a terminal. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  cleanOutput,
  eventPrinter,
  showProgress,
  usesColour
} from '../../../src/cli/terminal/terminal-output.ts'
import {
  eventText,
  type ReportedEvent
} from '../../../src/recorder/engine/engine-event.ts'
import type { Miss } from '../../../src/recorder/engine/miss/miss-reply.ts'
import { requestKey } from '../../../src/recorder/request/request-key.ts'
import { testShell } from '../../helpers/shells.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('progress', () => {
  it('is written over itself as it changes, and cleared at the end', async () => {
    const shell = testShell({ isTerminal: true })
    let count = 1
    const stopProgress = showProgress(shell, () => `${count} done`)
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(1000)
    count = 2
    vi.advanceTimersByTime(1000)
    stopProgress()
    vi.advanceTimersByTime(1000)
    expect(shell.printed).toEqual([
      '\r\u001b[2K1 done',
      '\r\u001b[2K2 done',
      '\r\u001b[2K'
    ])
  })

  it('is cut to the terminal’s width, however wide its letters are', async () => {
    const shell = testShell({ isTerminal: true, columns: () => 12 })
    const stopProgress = showProgress(shell, () => 'Волга 漢字漢字漢字')
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(300)
    stopProgress()
    expect(shell.printed[0]).toBe('\r\u001b[2KВолга 漢字…')
  })

  it('is a line every ten seconds in the log of a CI', () => {
    const shell = testShell({ isTerminal: false })
    let count = 1
    const stopProgress = showProgress(shell, () => `${count} done`)
    vi.advanceTimersByTime(10_000)
    count = 2
    vi.advanceTimersByTime(10_000)
    stopProgress()
    vi.advanceTimersByTime(10_000)
    expect(shell.printed).toEqual(['wikitape: 1 done\n', 'wikitape: 2 done\n'])
  })

  it('is nothing within a second where stderr is no terminal', () => {
    const shell = testShell({ isTerminal: false })
    const stopProgress = showProgress(shell, () => 'done')
    vi.advanceTimersByTime(1000)
    stopProgress()
    expect(shell.printed).toEqual([])
  })
})

describe('other lines', () => {
  it('stand by themselves, on stdout too, and progress goes on below', async () => {
    const outer = testShell({ isTerminal: true })
    const shell = cleanOutput({
      ...outer,
      stdout: (text) => void outer.printed.push(`out: ${text}`)
    })
    let count = 1
    const stopProgress = showProgress(shell, () => `${count} done`)
    await vi.dynamicImportSettled()
    vi.advanceTimersByTime(300)
    shell.stderr('miss\n')
    shell.stderr('miss again\n')
    count = 2
    vi.advanceTimersByTime(300)
    shell.stdout('result\n')
    stopProgress()
    const clear = '\r\u001b[2K'
    expect(outer.printed).toEqual([
      ...[`${clear}1 done`, clear, 'miss\n', 'miss again\n'],
      ...[`${clear}2 done`, clear, 'out: result\n', clear]
    ])
  })
})

describe('a miss', () => {
  const miss: Miss = {
    key: requestKey(new Map()),
    reason: 'param-differs',
    request: 'list allpages',
    what: 'No recording\n::error::x.',
    nearest: [
      {
        key: requestKey(new Map([['a', 'b']])),
        differences: [{ param: 'apfrom', recorded: 'A', got: 'B' }]
      }
    ],
    advice: 'To record it',
    command: 'wikitape capture x'
  }
  const printed = (useColor: boolean): string => {
    const shell = testShell({ useColor })
    const event = {
      kind: 'miss',
      text: eventText({ kind: 'miss', miss }),
      why: undefined
    }
    eventPrinter(cleanOutput(shell))(event as ReportedEvent)
    return shell.printed.join('')
  }

  it('has three lines: what is missing, what is nearest, and the command', () => {
    expect(printed(false).split('\n')).toEqual([
      expect.stringMatching(
        /^wikitape: miss \w{12} \(param-differs\): list allpages: No recording\\u000a::error::x\.$/
      ),
      expect.stringMatching(
        /^ {2}Nearest recording \w{12}: apfrom recorded "A", got "B"\.$/
      ),
      '  To record it: wikitape capture x',
      ''
    ])
  })

  it('has colours where they are wanted', () => {
    const text = printed(true)
    expect(text).toMatch(/^\u001b\[1mwikitape: miss .*\u001b\[0m\n {2}Nearest/)
    expect(text).toMatch(/\u001b\[36m\n {2}To record it: wikitape capture x\n\u001b\[0m$/)
  })
})

describe('colours', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false]
  ])('on a terminal %s, with %o: %s', (isTerminal, env, expected) => {
    expect(usesColour(isTerminal, env)).toBe(expected)
  })
})
