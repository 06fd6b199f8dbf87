/** The command after `--`: a child process with the address of the server in its environment. */
import type { StdioOptions } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import which from 'which'
import { type CommandContext, type Invocation, UsageError } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'

/** Checked before any cassette is opened. @throws UsageError */
export async function assertExecutable(
  [name = '']: readonly string[],
  { env }: CommandContext
): Promise<void> {
  const { PATH: path, PATHEXT: pathExt } = env
  if ((await which(name, { nothrow: true, path, pathExt })) !== null) return
  const why = existsSync(name)
    ? 'permission denied; chmod +x it, or name its interpreter in front'
    : 'command not found; is it installed and in PATH?'
  throw new UsageError(`cannot run ${name}: ${why}`)
}

/** @param variables added to the environment. @returns the exit code; 128 + the number of the signal that ended it, as in shells; 2 if it could not be started */
export function runChild(
  variables: NodeJS.ProcessEnv,
  context: CommandContext & Pick<Invocation, 'childCommand'>
): Promise<number> {
  const [name = '', ...args] = context.childCommand
  return new Promise((resolve) => {
    const env = { ...context.env, ...variables }
    const child = (context.spawn ?? spawnWith('inherit'))(name, args, env)
    child.once('error', ({ message }) => {
      printNote(context, `cannot run ${name}: ${message}`)
      resolve(2)
    })
    let killTimer: NodeJS.Timeout | undefined
    child.once('close', (code, signal) => {
      clearTimeout(killTimer)
      resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal]))
    })
    const stop = (signal: NodeJS.Signals) => {
      // Ctrl-C at a terminal reaches the command by itself; a second SIGINT makes test runners abort.
      if (signal === 'SIGINT' && context.isInteractive) return
      child.kill(signal)
      killTimer = setTimeout(() => {
        printNote(
          context,
          `${name} did not exit ${killDelayMs} ms after ${signal}; killed`
        )
        child.kill('SIGKILL')
      }, killDelayMs)
    }
    context.stopSignal().then(stop, () => undefined)
  })
}

/** A run with its server ends within three seconds of a signal. */
const killDelayMs = 1000

/** On Windows npm is a script (`npm.cmd`), which Node's own spawn does not start. */
export const spawnWith =
  (stdio: StdioOptions): NonNullable<CommandContext['spawn']> =>
  (name, args, env) => {
    const child = spawn(name, args, { stdio, env })
    // A second signal ends this process at once, and the command with it.
    process.once('exit', () => void child.kill('SIGKILL'))
    return child
  }

/** For programs that read the address of their wiki. */
export const addressVariables = (apiUrl: string): NodeJS.ProcessEnv => ({
  WIKITAPE_API_URL: apiUrl,
  WIKITAPE_PORT: new URL(apiUrl).port
})

/** For programs that read the proxy of plain http. @param origin of the server */
export const proxyVariables = (origin: string): NodeJS.ProcessEnv => ({
  // Both spellings: curl reads only lower case. An https request would else reach the live wiki; here it is refused.
  http_proxy: origin,
  HTTP_PROXY: origin,
  https_proxy: origin,
  HTTPS_PROXY: origin,
  // The last two make Perl's LWP and Node ≥ 24 read the others.
  no_proxy: undefined,
  NO_PROXY: undefined,
  PERL_LWP_ENV_PROXY: '1',
  NODE_USE_ENV_PROXY: '1'
})
