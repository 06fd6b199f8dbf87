/** `wikitape check`: is a cassette fit to be committed and relied on? */
import path from 'node:path'
import { type CassetteIssue, cassetteIssues } from '../../../cassette-check/cassette-issues.ts'
import { secretIssues } from '../../../cassette-check/secret-issues.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { plural } from '../../../text/plural.ts'
import type { Command, CommandContext, ParsedArgs } from '../../args/command.ts'
import { findRemovable } from '../../files/removable-recordings.ts'
import {
  cassetteFlag,
  existingCassette,
  expiresFlag,
  jsonFlag,
  usageFilesFlag,
} from '../../flags/cassette-flags.ts'
import { expiryReason, readMaxAge } from '../../serve/cassette-age.ts'
import { type RunUsage, readUsageFiles, unreliableReason, unusedByAll } from '../../serve/run-usage.ts'

export const checkCommand: Command = {
  name: 'check',
  usage: '[DIR…] [flags]',
  summary:
    'Looks for unreadable, doubled or contradicting recordings and for secrets, and where told for unused ones and for age. Exit code 1 for faults, 4 for a secret.',
  flags: [
    cassetteFlag,
    usageFilesFlag,
    { ...expiresFlag, help: 'complain of a cassette that is older, e.g. 30d or 6w' },
    jsonFlag,
  ],
  examples: [
    'wikitape check cassettes/ru-1.43',
    'wikitape check cassettes/* --json',
    'wikitape check cassettes/mine --usage usage.json --expires 30d',
  ],
  async run(args, context) {
    const dirs = args.positionals.length > 0 ? args.positionals : [existingCassette(args, context)]
    const complaints = dirs.flatMap((dir) => checkCassette(CassetteStore.open(dir), args, context))
    if (args.isOn('json')) context.stdout(`${JSON.stringify({ complaints }, null, 2)}\n`)
    else {
      for (const { file, kind, what } of complaints) context.stdout(`${file}: ${kind}: ${what}\n`)
      context.stdout(
        `${complaints.length === 0 ? 'no faults' : plural(complaints.length, 'fault')} in ${dirs.join(', ')}\n`,
      )
    }
    return complaints.some(({ kind }) => kind === 'secret') ? 4 : complaints.length > 0 ? 1 : 0
  },
}

function checkCassette(
  store: CassetteStore,
  args: ParsedArgs,
  context: CommandContext,
): readonly CassetteIssue[] {
  const unused = unusedFaults(store, readUsageFiles(args, store.dir))
  const maxDays = readMaxAge(args, context)
  const age = maxDays === undefined ? undefined : expiryReason(store, maxDays, context.now())
  return [
    ...cassetteIssues(store),
    ...unused,
    ...(age === undefined ? [] : [{ kind: 'expired', file: store.dir, what: age } as const]),
    ...secretIssues(store),
  ]
}

function* unusedFaults(store: CassetteStore, usages: readonly RunUsage[]): IterableIterator<CassetteIssue> {
  const unreliable = usages.length === 0 ? undefined : unreliableReason(usages, store.dir)
  if (unreliable !== undefined)
    yield { kind: 'unused', file: store.dir, what: `what is unused cannot be told: ${unreliable}` }
  if (usages.length === 0 || unreliable !== undefined) return
  for (const { path: file } of findRemovable(store, unusedByAll(usages)).removable)
    yield {
      kind: 'unused',
      file: path.join(store.dir, file),
      what: 'no run used it; wikitape prune drops it',
    }
}
