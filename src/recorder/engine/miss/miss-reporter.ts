/** Answers a request that the cassette cannot answer: says why, and what to run. */
import { type IncomingRequest, splitTarget } from '../../http/incoming-request.ts'
import type { MissCause } from '../../playback/decide.ts'
import { redactMessage } from '../../privacy/redact/redact-message.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { keyForExactOrder } from '../../request/scoped-keys.ts'
import { commandName, shellQuote } from '../../store/command-name.ts'
import type { Store } from '../../store/store.ts'
import type { Call, CallOutcome } from '../call.ts'
import { chosenBy } from '../choosing-headers.ts'
import type { EngineContext } from '../engine-options.ts'
import { secretsOf } from '../redaction/secret-observer.ts'
import { describeUser, othersText } from './describe-request.ts'
import { clientRemedy, explainMiss, type MissDetail } from './explain-miss.ts'
import { cleanMiss, missReply } from './miss-reply.ts'
import { brokenText, recordCommandLine } from './remedies.ts'

/** @param apiPath path of the api.php that clients ask for */
export async function reportMiss(
  call: Call,
  cause: MissCause,
  context: EngineContext,
  apiPath = ''
): Promise<CallOutcome> {
  const { store, missStatus, onEvent, summary } = context
  const { request } = call.parsed
  const { relevantWrites, reason, scoped } = call.dependency
  const secrets = context.secrets ?? secretsOf(call.incoming, request)
  const mayBeBroken = cause.kind === 'missing' || cause.kind === 'lacking'
  const broken = mayBeBroken ? brokenRecordingOf(scoped, store) : undefined
  if (broken !== undefined) summary.used.add(broken.key)
  const detail = broken ?? detailOf(cause, call, store, apiPath)
  const writes = { keys: relevantWrites.map(({ key }) => key), why: reason }
  const explained = await explainMiss(request, scoped, store, detail, writes)
  const miss = cleanMiss(explained, (text) => redactMessage(text, secrets))
  if (!summary.misses.has(miss.key)) onEvent({ kind: 'miss', miss })
  summary.addMiss(miss)
  return {
    reply: missReply(miss, request, missStatus),
    key: miss.key,
    response: undefined
  }
}

function detailOf(
  cause: MissCause,
  { incoming, parsed: { request }, dependency }: Call,
  store: Store,
  apiPath: string
): MissDetail {
  switch (cause.kind) {
    case 'other-wiki':
      return otherWikiDetail(splitTarget(incoming.target)[0], apiPath, store)
    case 'unread-body':
      return {
        why: `The body of this request was not read: ${cause.why}.`,
        reason: cause.kind,
        remedy: {
          advice: 'Send a form, or multipart with a right boundary',
          command: ''
        }
      }
    case 'about-secret':
      return {
        why: `The answer depends on the secret in ${cause.param}, which no cassette holds, so it is not known which recording is right.`,
        reason: cause.kind,
        remedy: { advice: 'Let the test answer this request itself', command: '' }
      }
    case 'write-refused':
      return {
        why: 'This would write to the wiki, which --writes refuse forbids; it was not sent.',
        reason: cause.kind,
        remedy: { advice: 'Leave out --writes refuse, or do not write', command: '' }
      }
    case 'signed-request':
      return {
        why: 'OAuth 1 signs the address of each request, here that of wikitape, so the wiki would refuse it; it was not sent.',
        reason: cause.kind,
        remedy: {
          advice:
            'Record in the process of the client, where it signs the address of the wiki (withCassette, useCassette, docs/runners.md), or use OAuth 2 or a bot password',
          command: ''
        }
      }
    case 'write-replayed':
      return {
        why: 'A write before it was answered from the cassette and not sent, so the wiki cannot answer this.',
        reason: cause.kind,
        remedy: {
          advice: 'To record all of it again, run the client through',
          command: `${recordCommandLine(store)} --mode update`
        }
      }
    case 'other-order':
      return { why: `It was recorded in another order, and ${cause.why}.` }
    case 'contradicted':
      return {
        why: `Two sessions without a name got different answers (${cause.between.join(' and ')}); name the session (X-Cassette-Session) and record again.`,
        reason: 'conflict',
        remedy: clientRemedy(store)
      }
    case 'other-state':
      return {
        why: othersText(cause.interaction, dependency, store),
        reason: 'state-differs',
        remedy: clientRemedy(store)
      }
    case 'circle':
      return { why: cause.why, reason: 'conflict' }
    case 'not-renderable':
      return { why: cause.why }
    case 'lacking':
      return { why: cause.why, reason: cause.reason }
    case 'missing':
      if (request.kind === 'api' && request.hasFalseOrigin)
        return {
          why: 'Its origin is not the one in its Origin header, which a wiki refuses (403).'
        }
      return request.identity === 'unknown'
        ? unknownCallerDetail(incoming, store)
        : otherHeadersDetail(incoming, dependency.scoped.key, store)
  }
}

/** The request was recorded, but with other values of headers that its answer varies by. */
function otherHeadersDetail(
  { headers }: IncomingRequest,
  key: RequestKey,
  store: Store
): MissDetail {
  const recorded = store.get(key).interaction?.chosenBy
  if (!recorded) return {}
  const valueText = (value: string): string =>
    value === '' ? 'none' : JSON.stringify(value)
  const differences = [...chosenBy(recorded.keys(), headers)]
    .filter(([name, value]) => recorded.get(name) !== value)
    .map(
      ([name, value]) =>
        `${name === '*' ? 'any' : name} (recorded ${valueText(recorded.get(name) ?? '')}, got ${valueText(value)})`
    )
  if (differences.length === 0) return {}
  const remedy = clientRemedy(store)
  return {
    why: `Its answer varies by a request header: ${differences.join(', ')}.`,
    reason: 'param-differs',
    remedy
  }
}

/** Its credentials are not of this replay, and the cassette does not tell whose they are. */
function unknownCallerDetail(
  { headers }: IncomingRequest,
  { manifest }: Store
): MissDetail {
  const isHeader = headers['authorization'] !== undefined
  const known = (manifest.callers ?? []).filter(
    ({ login }) => (login === undefined) === isHeader
  )
  const users = [...new Set(known.map(({ as }) => describeUser(as)))].join(', ')
  const recorded = users === '' ? '' : `; recorded were ${users}`
  const why = isHeader
    ? `It has an Authorization header, and the cassette does not tell of whom${recorded}. Name the session as it was named when recording (X-Cassette-Session)`
    : `It has cookies that are not of this replay, and the cassette does not tell of whom${recorded}. Log in through this replay`
  return { why: `${why}.`, reason: 'identity-differs' }
}

/** The recording of this very request, where it cannot be read: then nothing else explains the miss. */
function brokenRecordingOf(
  derivation: Derivation,
  store: Store
): (MissDetail & { readonly key: RequestKey }) | undefined {
  for (const key of [derivation.key, keyForExactOrder(derivation).key]) {
    const found = store.get(key)
    if (found.kind === 'broken')
      return { key, why: `${brokenText(found)}.`, reason: 'broken-recording' }
  }
  return undefined
}

/** A request for the api.php of another wiki of the same host. @param path that was asked for */
function otherWikiDetail(
  path: string,
  apiPath: string,
  { dir, manifest }: Store
): MissDetail {
  const address = URL.canParse(manifest.upstream)
    ? new URL(path, manifest.upstream).href
    : path
  return {
    why: `The request is for ${path}, and ${dir} is a recording of ${manifest.upstream}: another path may be another wiki. Ask ${apiPath} here, or record that one by itself.`,
    reason: 'other-wiki',
    remedy: {
      advice: 'To record that one',
      command: `${commandName} record ${shellQuote(address)}`
    }
  }
}
