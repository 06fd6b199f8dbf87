/** `wikitape prune`: drops the recordings that a run did not use. */

import type { RequestKey } from '../../../request/request-key.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName } from '../../../store/command-name.ts'
import { StoreError } from '../../../store/store-error.ts'
import { plural } from '../../../text/plural.ts'
import { type Command, type Invocation, UsageError } from '../../args/command.ts'
import { findRemovable } from '../../files/removable-recordings.ts'
import { cassetteFlag, existingCassette, jsonFlag } from '../../flags/cassette-flags.ts'
import { usageFilesFlag } from '../../flags/server-flags.ts'
import { replayService } from '../../serve/replay-service.ts'
import {
  type RunUsage,
  readUsageFiles,
  unreliableReason,
  unusedByAll,
  usageByCassette,
} from '../../serve/run-usage.ts'
import { serve } from '../../serve/serve.ts'
import { printJson, printNote } from '../../terminal/terminal-output.ts'

export const pruneCommand: Command = {
  name: 'prune',
  usage: '[DIR] [flags] [-- CMD…]',
  summary:
    'Lists the recordings that a run did not use, and with --yes drops them. The run is CMD, replayed here, or told by --usage.',
  flags: [
    cassetteFlag,
    usageFilesFlag,
    { name: 'yes', help: 'drop what is listed' },
    { name: 'force', help: 'also after a run that failed, missed a recording, or used none' },
    jsonFlag,
  ],
  examples: [
    'wikitape prune cassettes/mine -- npm test',
    'wikitape prune cassettes/mine --usage usage.json --yes',
  ],
  maxArgsBeforeChild: 1,
  async run(call) {
    const dir = existingCassette(call, call.positionals[0])
    const fileUsages = readUsageFiles(call, dir)
    if (fileUsages.length === 0 && call.childCommand.length === 0)
      throw new UsageError(
        `which recordings are used? Name a run that uses them: ${commandName} prune ${dir} -- CMD, or --usage FILE`,
      )
    // Opened before the command runs: what is wrong with the cassette is told at once.
    CassetteStore.open(dir)
    const usages = call.childCommand.length === 0 ? fileUsages : [...fileUsages, await usageOfRun(dir, call)]
    const unreliable = call.isOn('force') ? undefined : unreliableReason(usages, dir)
    if (unreliable !== undefined) {
      printNote(call, `nothing was dropped: ${unreliable}; mend the run, or add --force`)
      return 1
    }
    const result = dropUnused(CassetteStore.open(dir), unusedByAll(usages), call.isOn('yes'))
    printResult(result, call)
    return 0
  },
}

/** Replays the command and looks at what it used. */
async function usageOfRun(dir: string, call: Invocation): Promise<RunUsage> {
  const run = { ...call, value: (flag: string) => (flag === 'cassette' ? dir : call.value(flag)) }
  const service = { ...replayService(run), reservesStdout: true }
  const exitCode = await serve(service, { ...run, isOn: () => false })
  const [one] = usageByCassette(service.engines)
  return { missed: 0, used: 0, unused: new Set(), ...one, source: call.childCommand.join(' '), exitCode }
}

interface PruneResult {
  readonly dir: string
  readonly done: boolean
  readonly before: number
  readonly dropped: readonly { readonly key: RequestKey; readonly path: string }[]
  /** Not used, and kept because nobody can see what it holds. */
  readonly broken: readonly string[]
}

function dropUnused(
  store: CassetteStore,
  unused: ReadonlySet<RequestKey>,
  isConfirmed: boolean,
): PruneResult {
  const before = store.size
  const { removable, broken } = findRemovable(store, unused)
  if (isConfirmed) for (const { key, path } of removable) dropRecording(store, key, path)
  return { dir: store.dir, done: isConfirmed, before, dropped: removable, broken }
}

/** @throws StoreError: what was dropped before it stays dropped, each file is whole or gone */
function dropRecording(store: CassetteStore, key: RequestKey, path: string): void {
  try {
    store.delete(key)
  } catch (error) {
    throw StoreError.cannotWrite(`${store.dir}/${path}`, error)
  }
}

function printResult({ dir, done, before, dropped, broken }: PruneResult, call: Invocation): void {
  for (const file of broken)
    printNote(
      call,
      `${dir}/${file} cannot be read, so it was left; ${commandName} check ${dir} says what is wrong`,
    )
  if (call.isOn('json')) {
    printJson(call, { cassette: dir, done, recordings: before, dropped, broken })
    return
  }
  for (const { path } of dropped) call.stdout(`${done ? 'dropped' : 'would drop'} ${path}\n`)
  const next = done || dropped.length === 0 ? '' : '; add --yes to drop them'
  call.stdout(
    `${dir}: ${dropped.length} of ${plural(before, 'recording')} ${before === 1 ? 'is' : 'are'} unused${next}\n`,
  )
}
