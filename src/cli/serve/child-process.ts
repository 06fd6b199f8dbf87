/** Runs the command after `--` with the address of the server in its environment. */

import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import spawn from 'cross-spawn'
import which from 'which'
import { type CommandContext, UsageError } from '../args/command.ts'
import { printNote } from '../terminal/terminal-output.ts'

export interface ChildEnvironment {
  /** What the command shall take for the wiki's api.php. */
  readonly apiUrl: string
  /** True where the command's plain http shall come here although it names the wiki itself. */
  readonly forwardProxy: boolean
}

/**
 * Nothing is opened, and nobody asked, for a command that could never run. Windows looks for its endings (PATHEXT) too.
 * @throws UsageError
 */
export async function assertExecutable(
  [name = '']: readonly string[],
  { env }: CommandContext,
): Promise<void> {
  const { PATH: path, PATHEXT: pathExt } = env
  if ((await which(name, { nothrow: true, path, pathExt })) !== null) return
  throw new UsageError(`cannot run ${name}: ${existsSync(name) ? notExecutable : noSuchProgram}`)
}

const noSuchProgram = 'there is no such program; is it installed, and in PATH?'
const notExecutable = 'it may not be executed; chmod +x it, or name its interpreter in front'

/** @returns the command's exit code; 128 and the signal's number where one ended it, as shells say; 2 where it could not be started */
export function runChild(
  childCommand: readonly string[],
  environment: ChildEnvironment,
  context: CommandContext,
): Promise<number> {
  const [name = '', ...args] = childCommand
  return new Promise((resolve) => {
    const env = { ...context.env, ...environmentVariables(environment) }
    const child = (context.spawn ?? spawnInherited)(name, args, env)
    child.once('error', (error: NodeJS.ErrnoException) => {
      printNote(context, `cannot run ${name}: ${startFailure(error)}`)
      resolve(2)
    })
    let killTimer: NodeJS.Timeout | undefined
    child.once('close', (code, signal) => {
      clearTimeout(killTimer)
      resolve(code ?? (signal === null ? 1 : 128 + constants.signals[signal]))
    })
    const stop = (signal: NodeJS.Signals): void => {
      if (!shouldForward(signal, context)) return
      child.kill(signal)
      killTimer = setTimeout(() => {
        printNote(context, `${name} has not ended ${killDelayMs} ms after ${signal}; it is killed`)
        child.kill('SIGKILL')
      }, killDelayMs)
    }
    context.stopSignal().then(stop, () => undefined)
  })
}

/** Milliseconds that a command has to end after a signal: with the server behind it, a run ends within three seconds. */
const killDelayMs = 1000

/** On Windows npm and its like are no programs but scripts (`npm.cmd`), which Node's own spawn does not start. */
const spawnInherited: NonNullable<CommandContext['spawn']> = (name, args, env) => {
  const child = spawn(name, args, { stdio: 'inherit', env })
  // A second signal ends this process at once, and nobody would wait for the command any more.
  process.once('exit', () => void child.kill('SIGKILL'))
  return child
}

/** Ctrl-C on a terminal reaches the command by itself; a second SIGINT would make test runners break off. */
const shouldForward = (signal: NodeJS.Signals, context: CommandContext): boolean =>
  signal !== 'SIGINT' || !context.isInteractive

/**
 * The proxy variables in both spellings, since curl reads only the small ones. `HTTPS_PROXY` too: an https request
 * would otherwise go past wikitape to the live wiki, whereas CONNECT is refused with a reason. The last two make
 * Perl's LWP and Node ≥ 24 read the others.
 */
function environmentVariables({
  apiUrl,
  forwardProxy,
}: ChildEnvironment): Readonly<Record<string, string | undefined>> {
  const { origin, port } = new URL(apiUrl)
  const own = { WIKITAPE_API_URL: apiUrl, WIKITAPE_PORT: port }
  if (!forwardProxy) return own
  return {
    ...own,
    ...{ http_proxy: origin, HTTP_PROXY: origin, https_proxy: origin, HTTPS_PROXY: origin },
    ...{ no_proxy: undefined, NO_PROXY: undefined },
    ...{ PERL_LWP_ENV_PROXY: '1', NODE_USE_ENV_PROXY: '1' },
  }
}

function startFailure({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'ENOENT':
      return noSuchProgram
    case 'EACCES':
      return notExecutable
    default:
      return message
  }
}
