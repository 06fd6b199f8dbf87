/** `wikitape check`: is a cassette fit to be committed and relied on? */
import path from 'node:path'
import { type Complaint, faults, secrets } from '../../../cassette-check/cassette-issues.ts'
import { CassetteStore } from '../../../store/cassette-store.ts'
import { plural } from '../../../text/plural.ts'
import type { Given, Shell, Verb } from '../../args/command.ts'
import { dispensable } from '../../files/removable-recordings.ts'
import {
  cassetteFlag,
  existingCassette,
  expiresFlag,
  jsonFlag,
  usagesFlag,
} from '../../flags/cassette-flags.ts'
import { allowedAge, whyExpired } from '../../serve/cassette-age.ts'
import { doubtOf, readUsages, type Usage, unusedByAll } from '../../serve/run-usage.ts'

export const check: Verb = {
  name: 'check',
  args: '[DIR…] [flags]',
  summary:
    'Looks for unreadable, doubled or contradicting recordings and for secrets, and where told for unused ones and for age. Exit code 1 for faults, 4 for a secret.',
  flags: [
    cassetteFlag,
    usagesFlag,
    { ...expiresFlag, help: 'complain of a cassette that is older, e.g. 30d or 6w' },
    jsonFlag,
  ],
  examples: [
    'wikitape check cassettes/ru-1.43',
    'wikitape check cassettes/* --json',
    'wikitape check cassettes/mine --usage usage.json --expires 30d',
  ],
  async run(given, shell) {
    const dirs = given.positionals.length > 0 ? given.positionals : [existingCassette(given, shell)]
    const complaints = dirs.flatMap((dir) => checkCassette(CassetteStore.open(dir), given, shell))
    if (given.on('json')) shell.out(`${JSON.stringify({ complaints }, null, 2)}\n`)
    else {
      for (const { file, kind, what } of complaints) shell.out(`${file}: ${kind}: ${what}\n`)
      shell.out(
        `${complaints.length === 0 ? 'no faults' : plural(complaints.length, 'fault')} in ${dirs.join(', ')}\n`,
      )
    }
    return complaints.some(({ kind }) => kind === 'secret') ? 4 : complaints.length > 0 ? 1 : 0
  },
}

function checkCassette(store: CassetteStore, given: Given, shell: Shell): readonly Complaint[] {
  const unused = notUsed(store, readUsages(given, store.dir))
  const allowed = allowedAge(given, shell)
  const age = allowed === undefined ? undefined : whyExpired(store, allowed, shell.now())
  return [
    ...faults(store),
    ...unused,
    ...(age === undefined ? [] : [{ kind: 'expired', file: store.dir, what: age } as const]),
    ...secrets(store),
  ]
}

function* notUsed(store: CassetteStore, usages: readonly Usage[]): IterableIterator<Complaint> {
  const doubt = usages.length === 0 ? undefined : doubtOf(usages, store.dir)
  if (doubt !== undefined)
    yield { kind: 'unused', file: store.dir, what: `what is unused cannot be told: ${doubt}` }
  if (usages.length === 0 || doubt !== undefined) return
  for (const { path: file } of dispensable(store, unusedByAll(usages)).going)
    yield {
      kind: 'unused',
      file: path.join(store.dir, file),
      what: 'no run used it; wikitape prune drops it',
    }
}
