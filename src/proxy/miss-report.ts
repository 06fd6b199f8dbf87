/** Finds out why a request was missed, from what the cassette holds. */

import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import { type MissReason, missReason, nearest } from '../playback/near-miss.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import type { CassetteStore } from '../store/cassette-store.ts'
import { writeQuery } from '../wiki/params.ts'
import type { Miss } from './miss.ts'

/** Recordings that are compared with a missed request at most. */
const compared = 2000

/** @param why what stood in the way, and @param known which reason that is, where more is known than that nothing was recorded */
export function explainMiss(
  request: WikiRequest,
  derivation: Derivation,
  store: CassetteStore,
  why?: string,
  known?: MissReason,
): Miss {
  const folder = folderOf(derivation.canonical)
  const near = nearest(derivation.canonical, derivation.asked, readable(store, folder), 3)
  const reason = known ?? missReason(near, store.size)
  return {
    key: derivation.key,
    reason,
    what: why ?? tellReason(reason, folder, store),
    nearest: near,
    command: recordCommand(request, derivation, store),
  }
}

function* readable(store: CassetteStore, folder: string): IterableIterator<Interaction> {
  let count = 0
  for (const found of store.inFolder(folder)) {
    if (found.kind === 'found') yield found.interaction
    count += 1
    if (count >= compared) return
  }
}

function tellReason(reason: MissReason, folder: string, store: CassetteStore): string {
  switch (reason) {
    case 'empty-cassette':
      return `The cassette ${store.dir} is empty.`
    case 'no-module':
      return `Nothing was recorded for ${folder}; this cassette has ${foldersOf(store)}.`
    case 'identity-differs':
      return 'This was recorded for another user.'
    case 'state-differs':
      return 'This was recorded after other writes than this session has made.'
    case 'write-refused':
      return 'Writes are refused.'
    case 'unread-body':
      return 'The body of this request was not read.'
    case 'param-differs':
    case 'outside-coverage':
    case 'conflict':
      return `No recording of ${folder} has these parameters.`
  }
}

function foldersOf(store: CassetteStore): string {
  const folders = store.folders()
  const shown = folders.slice(0, 8).join(', ')
  return folders.length > 8 ? `${shown} and ${folders.length - 8} more` : shown
}

/** Longer ones are no help on a line that a person shall copy. */
const longestQuery = 4000

/** The command that records this very request; one with a file, a secret or a user needs the client itself. */
export function recordCommand(request: WikiRequest, derivation: Derivation, store: CassetteStore): string {
  const target = `${quoted(store.manifest.upstream)} --cassette ${quoted(store.dir)}`
  const secret = derivation.steps.some((step) => step.rule === 'secret')
  const withClient = `wikitape record ${target}`
  if (request.kind === 'plain' || request.files.length > 0 || request.unread || secret) return withClient
  const query = writeQuery(
    [...request.params].filter(([name]) => name !== 'callback' && name !== 'requestid'),
  )
  if (request.identity !== 'anonymous' || query === '' || query.length > longestQuery) return withClient
  return `echo '${query.replaceAll("'", '%27')}' | wikitape capture ${target} --requests -`
}

/** A word for a shell. */
const quoted = (word: string): string =>
  /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
