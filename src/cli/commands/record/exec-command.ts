/** `wikitape exec`: a command in any language, run against a cassette. */

import { type Command, type Flag, type Invocation, UsageError } from '../../args/command.ts'
import { cassetteFlag, jsonFlag, movedFlag } from '../../flags/cassette-flags.ts'
import { connectionFlags, controlFlag, liveFlags } from '../../flags/connection-flags.ts'
import {
  expiresFlag,
  matchFlag,
  onMissFlag,
  rewriteFlag,
  serverFlags,
  usageFlag,
} from '../../flags/server-flags.ts'
import type { Service } from '../../serve/serve.ts'
import { printNote } from '../../terminal/terminal-output.ts'

const recordFlag = 'record'

const discardFlag: Flag = {
  name: 'discard-on-failure',
  help: 'keep nothing of what was recorded where the command fails, or the exit code is not 0 for another reason',
}

export const execCommand: Command = {
  name: 'exec',
  usage: '[flags] -- CMD…',
  summary:
    'Runs a command with WIKITAPE_API_URL set to a cassette on a free port, and ends with the worse exit code. ' +
    'stdin and stdout are the command’s own.',
  flags: [
    {
      ...cassetteFlag,
      help: 'the cassette (a folder; with --record default cassettes/<host>, with the path where it is not /w/)',
    },
    {
      name: recordFlag,
      valueName: 'URL',
      help: 'record from this api.php what the cassette does not hold yet',
    },
    {
      name: 'forward-proxy',
      help: 'also set http_proxy and its like, for clients that name the wiki themselves (plain http only)',
    },
    discardFlag,
    onMissFlag,
    ...liveFlags,
    movedFlag,
    ...connectionFlags,
    controlFlag,
    ...serverFlags,
    matchFlag,
    rewriteFlag,
    usageFlag,
    expiresFlag,
    { ...jsonFlag, help: 'print the summary, on stderr, as JSON' },
  ],
  examples: [
    'wikitape exec --record http://127.0.0.1:8143/w/api.php --cassette cassettes/mine -- pytest',
    'wikitape exec --cassette cassettes/mine -- pytest',
  ],
  maxArgsBeforeChild: 0,
  async run(call) {
    if (call.childCommand.length === 0)
      throw new UsageError('no command to run; usage: wikitape exec [flags] -- CMD…')
    return call.isOn(discardFlag.name) ? serveOrDiscard(call) : runService(call)
  },
}

/** What is recorded lies apart until the run has ended well; killed, it leaves the cassettes as they were. */
async function serveOrDiscard(call: Invocation): Promise<number> {
  const { StagedCassettes } = await import('../../../store/staging.ts')
  const stagings = new StagedCassettes()
  try {
    const code = await runService(call, (dir) => stagings.folderFor(dir))
    if (code === 0) stagings.commit()
    else printNote(call, `exit code ${code}: nothing of what was recorded is kept (--${discardFlag.name})`)
    return code
  } finally {
    stagings.discard()
  }
}

async function runService(call: Invocation, stage?: (dir: string) => string): Promise<number> {
  const { serve } = await import('../../serve/serve.ts')
  return serve({ ...(await openService(call, stage)), reservesStdout: true }, call)
}

/** @throws UsageError, StoreError */
async function openService(call: Invocation, stage?: (dir: string) => string): Promise<Service> {
  const address = call.value(recordFlag)
  const meaningless =
    address === undefined
      ? [discardFlag, ...liveFlags, movedFlag, ...connectionFlags, controlFlag]
      : [onMissFlag]
  const misplaced = meaningless.find(({ name }) => call.isOn(name) || call.value(name) !== undefined)
  if (misplaced !== undefined) {
    throw new UsageError(
      `--${misplaced.name} means something only ${address === undefined ? 'with' : 'without'} --${recordFlag} URL`,
    )
  }
  if (address === undefined) return (await import('../../serve/replay-service.ts')).replayService(call)
  return (await import('../../serve/record-service.ts')).recordService(address, call, stage)
}
