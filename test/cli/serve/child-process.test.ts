/** The command after `--` as a child process. */
import { constants } from 'node:os'
import { expect, it } from 'vitest'
import { runChild } from '../../../src/cli/serve/child-process.ts'
import { testShell } from '../../helpers/shells.ts'

it('does not get Ctrl-C twice: a terminal has sent it, and a second one makes test runners abort', async () => {
  const childCommand = [
    process.execPath,
    '--eval',
    'setTimeout(() => process.exit(5), 300)'
  ]
  const codeAt = (isInteractive: boolean): Promise<number> => {
    const stopSignal = (): Promise<NodeJS.Signals> => Promise.resolve('SIGINT')
    const shell = testShell({ env: process.env, isInteractive, stopSignal })
    return runChild({}, { ...shell, childCommand })
  }
  expect(await codeAt(true)).toBe(5)
  expect(await codeAt(false)).toBe(128 + constants.signals.SIGINT)
})
