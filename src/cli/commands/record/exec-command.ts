/** `wikitape exec`: runs a command in any language against a cassette. */

import { StagedCassettes } from '../../../recorder/store/staging.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { flagsIn } from '../../args/flags.ts'
import { chosenReplay } from '../../serve/choose-replay.ts'
import { serve } from '../../serve/serve.ts'
import { printNote } from '../../terminal/terminal-output.ts'

export const execCommand: Command = {
  name: 'exec',
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
  const meaningless =
    address === undefined
      ? flagsIn('@discard', '@recording')
      : flagsIn('@on-miss', '@trouble', '@sealed')
  const misplaced = meaningless.find(
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
