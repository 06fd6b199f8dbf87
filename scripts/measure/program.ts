/** The real binary, for the measures. */
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../dist/cli/start.cjs', import.meta.url))

export function start(args: readonly string[]): ChildProcess {
  const { CI: _, ...env } = process.env
  return spawn(process.execPath, [program, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
}

export const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => child.once('close', () => resolve()))

/** Starts `record` on a free port and waits for its address. */
export function recording(
  api: string,
  cassette: string
): Promise<{ readonly child: ChildProcess; readonly api: string }> {
  const child = start(['record', api, '--cassette', cassette, '--port', '0'])
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error('record ended before it listened')))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const address = /on (http\S+)/.exec(text)?.[1]
      if (address !== undefined) resolve({ child, api: address })
    })
  })
}
