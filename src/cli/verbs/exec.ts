/** `wikitape exec`: a command in any language, run against a cassette. */
import {
  cassetteFlag,
  controlFlag,
  expiresFlag,
  jsonFlag,
  liveFlags,
  matchFlag,
  onMissFlag,
  rewriteFlag,
  serverFlags,
  usageFlag,
} from '../flags.ts'
import { reachFlags } from '../reach/flags.ts'
import type { Service } from '../serve/serve.ts'
import { type Given, type Shell, UsageError, type Verb } from '../verb.ts'

const recordFlag = 'record'

export const exec: Verb = {
  name: 'exec',
  args: '[flags] -- CMD…',
  summary:
    'Runs a command with WIKITAPE_API_URL set to a cassette on a free port, and ends with the worse exit code. ' +
    'stdin and stdout are the command’s own.',
  flags: [
    { ...cassetteFlag, help: 'the cassette (a folder; with --record default cassettes/<host>)' },
    { name: recordFlag, value: 'URL', help: 'record from this api.php what the cassette does not hold yet' },
    {
      name: 'forward-proxy',
      help: 'also set http_proxy and its like, for clients that name the wiki themselves (plain http only)',
    },
    onMissFlag,
    ...liveFlags,
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
    const { serve } = await import('../serve/serve.ts')
    return serve({ ...(await serviceFor(given, shell)), stdoutTaken: true }, given, shell)
  },
}

/** @throws UsageError, StoreError */
async function serviceFor(given: Given, shell: Shell): Promise<Service> {
  const address = given.text(recordFlag)
  const idle = address === undefined ? [...liveFlags, ...reachFlags, controlFlag] : [onMissFlag]
  const misplaced = idle.find(({ name }) => given.on(name) || given.text(name) !== undefined)
  if (misplaced !== undefined) {
    throw new UsageError(
      `--${misplaced.name} means something only ${address === undefined ? 'with' : 'without'} --${recordFlag} URL`,
    )
  }
  if (address === undefined) return (await import('../serve/replaying.ts')).replayingService(given, shell)
  return (await import('../serve/recording.ts')).recordingService(address, given, shell)
}
