/** The progress line on a terminal. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cleanOutput, showProgress } from '../../../src/cli/terminal/terminal-output.ts'
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

  it('is nothing where stderr is no terminal', () => {
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
