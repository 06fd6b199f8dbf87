/** `wikitape prune`: drops the recordings that a run did not use. */
import { rmSync } from 'node:fs'
import { CassetteStore } from '../../../recorder/store/cassette-store.ts'
import { commandName, shellQuote } from '../../../recorder/store/command-name.ts'
import { cassettesIn } from '../../../recorder/store/files/paths-inside.ts'
import { writing } from '../../../recorder/store/store-error.ts'
import { plural } from '../../../recorder/text/words.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { cassettesFolder, existingCassette } from '../../flags/cassette-flags.ts'
import { orphansIn, orphanText } from '../../serve/orphans.ts'
import {
  findRemovable,
  type RunUsage,
  readUsageFiles,
  unreliableReason,
  usageByCassette
} from '../../serve/run-usage.ts'
import { replayService, serve } from '../../serve/serve.ts'
import { printJson, printLine, printNote } from '../../terminal/terminal-output.ts'

export const pruneCommand: Command = {
  name: 'prune',
  maxArgsBeforeChild: 1,
  async run(call) {
    if (call.value('suite') !== undefined) return pruneSuite(call)
    const dir = existingCassette(call, call.positionals[0])
    const fileUsages = readUsageFiles(call, dir)
    if (fileUsages.length === 0 && call.childCommand.length === 0)
      throw new UsageError(
        `which recordings are used? Name a run that uses them: ${commandName} prune ${shellQuote(dir)} -- CMD, or --usage FILE`
      )
    // Opened before the command runs, so that a fault of the cassette is reported at once.
    CassetteStore.open(dir)
    const usages =
      call.childCommand.length === 0
        ? fileUsages
        : [...fileUsages, await usageOfRun(dir, call)]
    const reason = call.isOn('force') ? undefined : unreliableReason(usages, dir)
    if (reason !== undefined) {
      printNote(call, `nothing was dropped: ${reason}; fix the run, or add --force`)
      return 1
    }
    const store = CassetteStore.open(dir)
    const recordings = store.size
    const { removable: dropped, broken } = findRemovable(store, usages)
    const done = call.isOn('yes')
    // Files deleted before a failure stay deleted; each file is whole or gone.
    if (done)
      for (const one of dropped)
        writing(`${dir}/${one.path}`, () => store.delete(one.key))
    const advice = `${commandName} check ${shellQuote(dir)} says what is wrong`
    for (const file of broken)
      printNote(call, `${dir}/${file} cannot be read and was skipped; ${advice}`)
    const next = done || dropped.length === 0 ? '' : '; add --yes to drop them'
    const are = recordings === 1 ? 'is' : 'are'
    if (call.isOn('json'))
      printJson(call, { cassette: dir, done, recordings, dropped, broken })
    else {
      for (const { path } of dropped)
        printLine(call, `${done ? 'dropped' : 'would drop'} ${path}`)
      printLine(
        call,
        `${dir}: ${dropped.length} of ${plural(recordings, 'recording')} ${are} unused${next}`
      )
    }
    return 0
  }
}

/** Deletes whole cassettes. */
function pruneSuite(call: Invocation) {
  const [dir = cassettesFolder] = call.positionals
  const found = cassettesIn(dir)
  const orphans = orphansIn(call, found)
  const done = call.isOn('yes')
  if (done)
    for (const one of orphans)
      writing(one.dir, () => rmSync(one.dir, { recursive: true, force: true }))
  if (call.isOn('json'))
    printJson(call, { suite: dir, done, cassettes: found.length, orphans })
  else {
    for (const one of orphans)
      printLine(
        call,
        `${done ? 'deleted' : 'would delete'} ${one.dir}: ${orphanText(one)}`
      )
    const next = done || orphans.length === 0 ? '' : '; add --yes to delete them'
    const count = plural(found.length, 'cassette')
    printLine(call, `${dir}: no test opened ${orphans.length} of ${count}${next}`)
  }
  return 0
}

/** Replays the command, with no other flag than the cassette. */
async function usageOfRun(dir: string, call: Invocation): Promise<RunUsage> {
  const run = {
    ...call,
    value: (flag: string) => (flag === 'cassette' ? dir : call.value(flag))
  }
  const service = { ...(await replayService(run)), reservesStdout: true }
  // What a command proves that asked nothing is judged below.
  const isOn = (flag: string) => flag === 'allow-none'
  const exitCode = await serve(service, { ...run, isOn })
  const [one] = usageByCassette(service.engines)
  return {
    missed: 0,
    used: 0,
    unused: new Set(),
    ...one,
    source: call.childCommand.join(' '),
    exitCode
  }
}
