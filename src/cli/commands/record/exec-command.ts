/** `wikitape exec`: runs a command in any language against a cassette. */
import { StagedCassettes } from '../../../recorder/store/staging.ts'
import {
  type Command,
  type Flags,
  flagsOf,
  type Invocation,
  UsageError
} from '../../args/command.ts'
import { recordingFlags } from '../../flags/connection-flags.ts'
import {
  interceptFlags,
  onMissFlag,
  sealedFlag,
  serverFlags,
  troubleFlags
} from '../../flags/server-flags.ts'
import { chosenReplay } from '../../serve/choose-replay.ts'
import { serve } from '../../serve/serve.ts'
import { printNote } from '../../terminal/terminal-output.ts'

const discardFlag: Flags = {
  'discard-on-failure': 'discard the recordings of this run unless the exit code is 0'
}

export const execCommand: Command = {
  name: 'exec',
  flags: {
    'cassette DIR':
      'the cassette (a folder; default with --record: cassettes/<host>, plus the path if it is not /w/)',
    'record URL': 'record requests that are not in the cassette from this api.php',
    'forward-proxy':
      'also set http_proxy etc., for clients whose wiki address cannot be changed (plain http only)',
    ...interceptFlags,
    ...sealedFlag,
    ...discardFlag,
    ...onMissFlag,
    ...troubleFlags,
    ...recordingFlags,
    ...serverFlags,
    json: 'print the summary as JSON, on stderr'
  },
  maxArgsBeforeChild: 0,
  async run(call) {
    if (call.childCommand.length === 0)
      throw new UsageError('no command to run; usage: wikitape exec [flags] -- CMD…')
    return call.isOn('discard-on-failure') ? runStaged(call) : runService(call)
  }
}

/** Records into a staged copy until the run has succeeded; if it is killed, the cassettes stay unchanged. */
async function runStaged(call: Invocation) {
  const staged = new StagedCassettes()
  try {
    const code = await runService(call, (dir) => staged.folderFor(dir))
    if (code === 0) staged.commit()
    else
      printNote(
        call,
        `exit code ${code}: the recordings of this run were discarded (--discard-on-failure)`
      )
    return code
  } finally {
    staged.discard()
  }
}

async function runService(call: Invocation, stage?: (dir: string) => string) {
  const address = call.value('record')
  const meaningless: Flags =
    address === undefined
      ? { ...discardFlag, ...recordingFlags }
      : { ...onMissFlag, ...troubleFlags, ...sealedFlag }
  const misplaced = flagsOf(meaningless).find(
    ({ name }) => call.isOn(name) || call.value(name) !== undefined
  )
  if (misplaced) {
    const needed = address === undefined ? 'with' : 'without'
    throw new UsageError(`--${misplaced.name} is valid only ${needed} --record URL`)
  }
  // On demand: a replay needs none of the packages that reach a wiki.
  const service =
    address === undefined
      ? await chosenReplay(call)
      : await (await import('./record-command.ts')).recordService(address, call, stage)
  return serve({ ...service, reservesStdout: true }, call)
}
