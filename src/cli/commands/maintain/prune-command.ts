/** `wikitape prune`: drops the recordings that a run did not use. */

import type { RequestKey } from '../../../request/request-key.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { commandName } from '../../../store/command-name.ts'
import { StoreError } from '../../../store/store-error.ts'
import { plural } from '../../../text/plural.ts'
import { type Given, type Shell, UsageError, type Verb } from '../../args/command.ts'
import { dispensable } from '../../files/removable-recordings.ts'
import { cassetteFlag, existingCassette, jsonFlag, usagesFlag } from '../../flags/cassette-flags.ts'
import { replayingService } from '../../serve/replay-service.ts'
import { doubtOf, readUsages, type Usage, unusedByAll, usagesOf } from '../../serve/run-usage.ts'
import { serve } from '../../serve/serve.ts'

export const prune: Verb = {
  name: 'prune',
  args: '[DIR] [flags] [-- CMD…]',
  summary:
    'Lists the recordings that a run did not use, and with --yes drops them. The run is CMD, replayed here, or told by --usage.',
  flags: [
    cassetteFlag,
    usagesFlag,
    { name: 'yes', help: 'drop what is listed' },
    { name: 'force', help: 'also after a run that failed, missed a recording, or used none' },
    jsonFlag,
  ],
  examples: [
    'wikitape prune cassettes/mine -- npm test',
    'wikitape prune cassettes/mine --usage usage.json --yes',
  ],
  commandAfter: 1,
  async run(given, shell) {
    const dir = existingCassette(given, shell, given.positionals[0])
    const told = readUsages(given, dir)
    if (told.length === 0 && given.command.length === 0)
      throw new UsageError(
        `which recordings are used? Name a run that uses them: ${commandName} prune ${dir} -- CMD, or --usage FILE`,
      )
    // Opened before the command runs: what is wrong with the cassette is told at once.
    CassetteStore.open(dir)
    const usages = given.command.length === 0 ? told : [...told, await usageOf(dir, given, shell)]
    const doubt = given.on('force') ? undefined : doubtOf(usages, dir)
    if (doubt !== undefined) {
      shell.err(`wikitape: nothing was dropped: ${doubt}; mend the run, or add --force\n`)
      return 1
    }
    const result = drop(CassetteStore.open(dir), unusedByAll(usages), given.on('yes'))
    tell(result, given, shell)
    return 0
  },
}

/** Replays the command and looks at what it used. */
async function usageOf(dir: string, given: Given, shell: Shell): Promise<Usage> {
  const here = { ...given, text: (flag: string) => (flag === 'cassette' ? dir : given.text(flag)) }
  const service = { ...replayingService(here, shell), stdoutTaken: true }
  const exitCode = await serve(service, { ...here, on: () => false }, shell)
  const [one] = usagesOf(service.rack)
  return { missed: 0, used: 0, unused: new Set(), ...one, source: given.command.join(' '), exitCode }
}

interface Pruned {
  readonly dir: string
  readonly done: boolean
  readonly before: number
  readonly dropped: readonly { readonly key: RequestKey; readonly path: string }[]
  /** Not used, and kept because nobody can see what it holds. */
  readonly broken: readonly string[]
}

function drop(store: CassetteStore, unused: ReadonlySet<RequestKey>, really: boolean): Pruned {
  const before = store.size
  const { going, broken } = dispensable(store, unused)
  if (really) for (const { key, path } of going) dropOne(store, key, path)
  return { dir: store.dir, done: really, before, dropped: going, broken }
}

/** @throws StoreError: what was dropped before it stays dropped, each file is whole or gone */
function dropOne(store: CassetteStore, key: RequestKey, path: string): void {
  try {
    store.drop(key)
  } catch (error) {
    throw StoreError.cannotWrite(`${store.dir}/${path}`, error)
  }
}

function tell({ dir, done, before, dropped, broken }: Pruned, given: Given, shell: Shell): void {
  for (const file of broken)
    shell.err(
      `wikitape: ${dir}/${file} cannot be read, so it was left; ${commandName} check ${dir} says what is wrong\n`,
    )
  if (given.on('json')) {
    shell.out(`${JSON.stringify({ cassette: dir, done, recordings: before, dropped, broken }, null, 2)}\n`)
    return
  }
  for (const { path } of dropped) shell.out(`${done ? 'dropped' : 'would drop'} ${path}\n`)
  const next = done || dropped.length === 0 ? '' : '; add --yes to drop them'
  shell.out(
    `${dir}: ${dropped.length} of ${plural(before, 'recording')} ${before === 1 ? 'is' : 'are'} unused${next}\n`,
  )
}
