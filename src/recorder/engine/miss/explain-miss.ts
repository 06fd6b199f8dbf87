/** Explains a miss from what the cassette holds: the reason, the nearest recordings, the command that mends it. */
import { folderOf, paraminfoFolder } from '../../cassette/interaction-path.ts'
import { likenessTo } from '../../cassette/name-search.ts'
import { changingKind } from '../../playback/lookup/changing-values.ts'
import {
  type MissReason,
  missReason,
  type NearMiss,
  nearestRecordings
} from '../../playback/lookup/near-miss.ts'
import { secretsOfParams } from '../../privacy/known/request-secrets.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { CanonicalRequest } from '../../request/request-key.ts'
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import { escapeControls } from '../../text/escape-control-characters.ts'
import { decodePercent } from '../../text/percent-decoding.ts'
import { withoutMissingModules } from '../../wiki/modules/missing-modules.ts'
import { writeQuery } from '../../wiki/parameters/request-params.ts'
import { wikiFactsOf } from '../call.ts'
import {
  describeIncoming,
  type SessionWrites,
  stateText,
  withStatesInWords
} from './describe-request.ts'
import type { Miss } from './miss-reply.ts'
import {
  captureCommandLine,
  captureLine,
  recordCommandLine,
  refreshCommandLine
} from './remedies.ts'

type MissRemedy = Pick<Miss, 'advice' | 'command' | 'line'>

/** What is known of a miss already; the rest follows from the recordings. */
export interface MissDetail {
  readonly why?: string
  readonly reason?: MissReason
  readonly remedy?: MissRemedy
}

/** Recordings that are read to be compared with the request: those whose names are most like. */
const maxCompared = 12

export async function explainMiss(
  request: WikiRequest,
  derivation: Derivation,
  store: Store,
  known: MissDetail,
  writes: SessionWrites
): Promise<Miss> {
  const folder = folderOf(derivation.canonical)
  // Recordings of another wiki are near to nothing.
  const hasNone = known.reason === 'other-wiki' || known.reason === 'broken-recording'
  const recordings = hasNone
    ? []
    : await recordingsLike(derivation.canonical, store, folder)
  const near = nearestRecordings(
    derivation.canonical,
    derivation.sentValues,
    recordings,
    3
  )
  const reason = known.reason ?? missReason(near, store.size)
  return {
    key: derivation.key,
    reason,
    request: describeIncoming(request, derivation),
    what: known.why ?? reasonText(reason, near[0], derivation, store, writes),
    nearest: near.map((one) => withStatesInWords(one, store, writes)),
    ...(known.remedy ?? remedyFor(reason, request, derivation, store))
  }
}

async function recordingsLike(request: CanonicalRequest, store: Store, folder: string) {
  const keys = await store.namedMostLike(folder, likenessTo(request), maxCompared)
  return store
    .getAll(keys)
    .flatMap((found) => (found.kind === 'found' ? [found.interaction] : []))
}

function reasonText(
  reason: MissReason,
  near: NearMiss | undefined,
  { canonical, sentValues, undescribed }: Derivation,
  store: Store,
  writes: SessionWrites
) {
  const folder = folderOf(canonical)
  const name = requestedName(canonical, folder)
  const { lookup } = wikiFactsOf(store)
  const missing = withoutMissingModules(canonical, sentValues, lookup)?.paths ?? []
  const others = undescribed.filter(
    (one) => one !== canonical.get('format') && !missing.includes(one)
  )
  const [module] = store.manifest.describesItself ? others : []
  switch (reason) {
    case 'empty-cassette':
      return `The cassette ${store.dir} is empty.`
    case 'no-module':
      return store.countIn(folder) > 0
        ? `No recording of ${name} can be read; ${commandName} check ${shellQuote(store.dir)} says why.`
        : `Nothing was recorded for ${name}; this cassette has ${moduleList(store)}.`
    case 'identity-differs':
    case 'state-differs': {
      const found = near && store.get(near.key).interaction
      return found
        ? stateText(found.request, canonical, store, writes)
        : 'It was recorded by another caller, or after other writes.'
    }
    case 'value-changes':
      return `A recording of ${name} differs only in what looks like ${near && changingKind(near.differences)}, and if that changes with each run, recording again does not help.`
    default:
      return module === undefined
        ? `No recording of ${name} has these parameters.`
        : `No recording of ${name} has these parameters, which are compared as they were sent: the cassette does not describe ${module} (${paraminfoFolder}/).`
  }
}

/** The path of what is not api.php, without its query. */
const requestedName = (canonical: CanonicalRequest, folder: string) =>
  escapeControls(
    decodePercent(
      canonical.get('plain target')?.replace(/\?.*/s, '') ?? moduleName(folder)
    )
  )

const moduleName = (folder: string) =>
  folder === 'plain' ? 'addresses other than api.php' : folder.replace(/^_/, '')

function moduleList(store: Store) {
  const folders = store.folders().map(moduleName)
  const shown = folders.slice(0, 8).join(', ')
  return folders.length > 8 ? `${shown} and ${folders.length - 8} more` : shown
}

/** Longer queries are of no use in a command that a person copies. */
const maxQueryLength = 4000

function remedyFor(
  reason: MissReason,
  request: WikiRequest,
  derivation: Derivation,
  store: Store
) {
  if (reason === 'conflict')
    return { advice: 'To record all of it again', command: refreshCommandLine(store) }
  if (reason === 'value-changes')
    return {
      advice: 'Keep a value that changes with the recording (docs/stable-tests.md)',
      command: ''
    }
  const needsClient = reason === 'identity-differs' || reason === 'state-differs'
  const query = needsClient ? undefined : capturableQuery(request, derivation)
  if (query === undefined) return clientRemedy(store)
  const line = captureLine(query, reason === 'outside-coverage')
  return { advice: 'To record it', command: captureCommandLine([line], store), line }
}

/** For what only the client's own session gets. */
export const clientRemedy = (store: Store): MissRemedy => ({
  advice: 'To record it, run the client again through',
  command: recordCommandLine(store)
})

/** The query, where `capture` can send it: no write, no login, no file, no secret, no user. */
function capturableQuery(
  request: WikiRequest,
  { canonical, steps, effect, undescribed }: Derivation
) {
  if (request.kind === 'plain' || request.files.length > 0 || request.unread)
    return undefined
  if (effect !== 'read' || request.identity !== 'anonymous') return undefined
  // A POST to a module without a description may be a write.
  if (request.posted && undescribed.includes(request.params.get('action') ?? ''))
    return undefined
  if (
    steps.some((step) => step.rule === 'secret') ||
    secretsOfParams(request.params).length > 0
  )
    return undefined
  // `capture` names a format in each query.
  const unsendable = ['no format', 'no content type', 'accept language']
  if (unsendable.some((name) => canonical.has(name))) return undefined
  const query = writeQuery(
    [...request.params].filter(([name]) => name !== 'callback' && name !== 'requestid')
  )
  return query === '' || query.length > maxQueryLength ? undefined : query
}
