/** Finds out why a request was missed, from what the cassette holds. */

import path from 'node:path'
import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import { type MissReason, missReason, type NearMiss, nearest } from '../playback/near-miss.ts'
import { secretsOfParams } from '../privacy/sent.ts'
import type { WikiRequest } from '../request/api-request.ts'
import type { Derivation } from '../request/derive.ts'
import { commandName } from '../store/command-name.ts'
import type { Store } from '../store/store.ts'
import { writeQuery } from '../wiki/params.ts'
import type { Miss } from './miss.ts'
import type { Why } from './question.ts'
import { inWords, tellStanding } from './state-words.ts'

/** Recordings that are compared with a missed request at most. */
const compared = 2000

/**
 * @param known what stood in the way, where more is known than that nothing was recorded
 * @param touched why answers from before the session's last write do not hold
 */
export function explainMiss(
  request: WikiRequest,
  derivation: Derivation,
  store: Store,
  { why, reason: known }: Why = {},
  touched?: string,
): Miss {
  const folder = folderOf(derivation.canonical)
  const near = nearest(derivation.canonical, derivation.asked, readable(store, folder), 3)
  const reason = known ?? missReason(near, store.size)
  return {
    key: derivation.key,
    reason,
    what: why ?? tellReason(reason, near[0], derivation, store, touched),
    nearest: near.map((one) => inWords(one, store)),
    command: recordCommand(request, derivation, store, reason === 'outside-coverage'),
  }
}

function* readable(store: Store, folder: string): IterableIterator<Interaction> {
  let count = 0
  for (const found of store.inFolder(folder)) {
    if (found.kind === 'found') yield found.interaction
    count += 1
    if (count >= compared) return
  }
}

function tellReason(
  reason: MissReason,
  near: NearMiss | undefined,
  { canonical }: Derivation,
  store: Store,
  touched: string | undefined,
): string {
  const folder = folderOf(canonical)
  switch (reason) {
    case 'empty-cassette':
      return `The cassette ${store.dir} is empty.`
    case 'no-module':
      return `Nothing was recorded for ${moduleName(folder)}; this cassette has ${foldersOf(store)}.`
    case 'identity-differs':
    case 'state-differs': {
      const found = near && store.find(near.key)
      return found?.kind === 'found'
        ? tellStanding(found.interaction.request, canonical, store, touched)
        : 'It was recorded by somebody else, or at another time.'
    }
    case 'write-refused':
      return 'Writes are refused.'
    case 'unread-body':
      return 'The body of this request was not read.'
    case 'param-differs':
    case 'outside-coverage':
    case 'conflict':
      return `No recording of ${moduleName(folder)} has these parameters.`
  }
}

/** What the recordings of a folder are of. */
const moduleName = (folder: string): string =>
  folder === 'plain' ? 'addresses other than api.php' : folder.replace(/^_/, '')

function foldersOf(store: Store): string {
  const folders = store.folders().map(moduleName)
  const shown = folders.slice(0, 8).join(', ')
  return folders.length > 8 ? `${shown} and ${folders.length - 8} more` : shown
}

/** Longer ones are no help on a line that a person shall copy. */
const longestQuery = 4000

/**
 * The command that records this very request; one with a file, a secret or a user needs the client itself.
 * @param follow whether it walks on to the end of the listing, of which a part is recorded
 */
function recordCommand(request: WikiRequest, derivation: Derivation, store: Store, follow: boolean): string {
  const secret =
    derivation.steps.some((step) => step.rule === 'secret') ||
    (request.kind === 'api' && secretsOfParams(request.params).length > 0)
  const withClient = `${commandName} record ${targetOf(store)}`
  if (request.kind === 'plain' || request.files.length > 0 || request.unread || secret) return withClient
  const query = writeQuery(
    [...request.params].filter(([name]) => name !== 'callback' && name !== 'requestid'),
  )
  if (request.identity !== 'anonymous' || query === '' || query.length > longestQuery) return withClient
  return captureCommand(query, store, follow)
}

/** The command that asks the cassette's wiki one query without a client; with `follow`, on to the end of its listing. */
export const captureCommand = (query: string, store: Store, follow: boolean): string =>
  `echo '${query.replaceAll("'", '%27')}' | ${commandName} capture ${targetOf(store)} --requests -${follow ? ' --follow' : ''}`

const targetOf = ({ manifest, dir }: Store): string =>
  `${quoted(manifest.upstream)} --cassette ${quoted(dir)}`

/** A word for a shell; folders of Windows with the separator that no shell takes for something else. */
export function quoted(word: string, separator: string = path.sep): string {
  const plain = separator === '\\' ? word.replaceAll('\\', '/') : word
  return /^[\w./:@%+=,-]+$/.test(plain) ? plain : `'${plain.replaceAll("'", "'\\''")}'`
}
