/** `wikitape exec`: a command in any language, run against a cassette. */

import { type Flag, type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import {
  cassetteFlag,
  controlFlag,
  expiresFlag,
  jsonFlag,
  liveFlags,
  matchFlag,
  movedFlag,
  onMissFlag,
  rewriteFlag,
  serverFlags,
  usageFlag,
} from '../../flags/cassette-flags.ts'
import { reachFlags } from '../../flags/connection-flags.ts'
import type { Service } from '../../serve/serve.ts'

const recordFlag = 'record'

const discardFlag: Flag = {
  name: 'discard-on-failure',
  help: 'keep nothing of what was recorded where the command fails, or the exit code is not 0 for another reason',
}

export const exec: Verb = {
  name: 'exec',
  args: '[flags] -- CMD…',
  summary:
    'Runs a command with WIKITAPE_API_URL set to a cassette on a free port, and ends with the worse exit code. ' +
    'stdin and stdout are the command’s own.',
  flags: [
    {
      ...cassetteFlag,
      help: 'the cassette (a folder; with --record default cassettes/<host>, with the path where it is not /w/)',
    },
    { name: recordFlag, value: 'URL', help: 'record from this api.php what the cassette does not hold yet' },
    {
      name: 'forward-proxy',
      help: 'also set http_proxy and its like, for clients that name the wiki themselves (plain http only)',
    },
    discardFlag,
    onMissFlag,
    ...liveFlags,
    movedFlag,
    ...reachFlags,
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
  commandAfter: 0,
  async run(given, shell) {
    if (given.command.length === 0)
      throw new UsageError('no command to run; usage: wikitape exec [flags] -- CMD…')
    return given.on(discardFlag.name) ? orDiscarded(given, shell) : served(given, shell)
  },
}

/** What is recorded lies apart until the run has ended well; killed, it leaves the cassettes as they were. */
async function orDiscarded(given: Given, shell: Shell): Promise<number> {
  const { Stagings } = await import('../../../store/staging.ts')
  const stagings = new Stagings()
  try {
    const code = await served(given, shell, (dir) => stagings.folderFor(dir))
    if (code === 0) stagings.moveIn()
    else
      shell.err(`wikitape: exit code ${code}: nothing of what was recorded is kept (--${discardFlag.name})\n`)
    return code
  } finally {
    stagings.discard()
  }
}

async function served(given: Given, shell: Shell, stage?: (dir: string) => string): Promise<number> {
  const { serve } = await import('../../serve/serve.ts')
  return serve({ ...(await serviceFor(given, shell, stage)), stdoutTaken: true }, given, shell)
}

/** @throws UsageError, StoreError */
async function serviceFor(given: Given, shell: Shell, stage?: (dir: string) => string): Promise<Service> {
  const address = given.text(recordFlag)
  const idle =
    address === undefined ? [discardFlag, ...liveFlags, movedFlag, ...reachFlags, controlFlag] : [onMissFlag]
  const misplaced = idle.find(({ name }) => given.on(name) || given.text(name) !== undefined)
  if (misplaced !== undefined) {
    throw new UsageError(
      `--${misplaced.name} means something only ${address === undefined ? 'with' : 'without'} --${recordFlag} URL`,
    )
  }
  if (address === undefined)
    return (await import('../../serve/replay-service.ts')).replayingService(given, shell)
  return (await import('../../serve/record-service.ts')).recordingService(address, given, shell, stage)
}
