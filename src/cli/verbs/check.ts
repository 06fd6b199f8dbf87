/** `wikitape check`: is a cassette fit to be committed and relied on? */
import path from 'node:path'
import { Synthesiser } from '../../proxy/synthesiser.ts'
import { CassetteStore } from '../../store/cassette-store.ts'
import {
  type Complaint,
  doubled,
  oddFiles,
  secrets,
  unreadable,
  unreadableNotes,
} from '../files/check-files.ts'
import { dispensable } from '../files/dispensable.ts'
import { cassetteFlag, existingCassette, expiresFlag, jsonFlag, usagesFlag } from '../flags.ts'
import { allowedAge, whyExpired } from '../serve/expiry.ts'
import { doubtOf, readUsages, type Usage, unusedByAll } from '../serve/usage.ts'
import type { Given, Shell, Verb } from '../verb.ts'

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
        `${complaints.length === 0 ? 'no faults' : `${complaints.length} faults`} in ${dirs.join(', ')}\n`,
      )
    }
    return complaints.some(({ kind }) => kind === 'secret') ? 4 : complaints.length > 0 ? 1 : 0
  },
}

function checkCassette(store: CassetteStore, given: Given, shell: Shell): readonly Complaint[] {
  const unused = notUsed(store, readUsages(given, store.dir))
  const allowed = allowedAge(given, shell)
  const age = allowed === undefined ? undefined : whyExpired(store, allowed, shell.now())
  const notes = [...unreadableNotes(store), ...oddFiles(store)]
  return [
    ...unreadable(store),
    ...notes,
    ...doubled(store),
    // Descriptions of modules decide what a listing is.
    ...(notes.length === 0 ? contradicting(store) : []),
    ...unused,
    ...(age === undefined ? [] : [{ kind: 'expired', file: store.dir, what: age } as const]),
    ...secrets(store),
  ]
}

/** Batches of one listing that cannot both be right: nothing is synthesised from them. */
function* contradicting(store: CassetteStore): IterableIterator<Complaint> {
  const synthesiser = new Synthesiser(store)
  const files = new Map(store.paths())
  for (const folder of store.folders()) {
    for (const { conflicts } of synthesiser.listingsIn(folder).all()) {
      for (const { between, what } of conflicts) {
        const [file = folder, other = folder] = between.map((key) => files.get(key))
        yield {
          kind: 'conflict',
          file: path.join(store.dir, file),
          what: `contradicts ${other}: ${what}; record the listing again`,
        }
      }
    }
  }
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
