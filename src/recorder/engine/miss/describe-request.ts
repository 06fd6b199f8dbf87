/** Requests, callers and epochs in words, for messages and pages: `list allpages`, `before the edit of X, as anonymous`. */
import type { Interaction, RecordedResponse } from '../../cassette/interaction.ts'
import type { NearMiss } from '../../playback/lookup/near-miss.ts'
import {
  type OthersWrites,
  stateAmong,
  statesOf
} from '../../playback/session/write-log.ts'
import { redactUrl } from '../../privacy/redact/redact-url.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import { type CanonicalRequest, parseRequestKey } from '../../request/request-key.ts'
import { epochParam } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { escapeControls, truncateText } from '../../text/escape-control-characters.ts'
import { subtractItems } from '../../text/group-by.ts'
import { decodePercent } from '../../text/percent-decoding.ts'
import { plural } from '../../text/words.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** A name or value fit to be shown: control characters escaped, cut at `limit`. */
export const displayText = (text: string, limit = 300): string =>
  escapeControls(truncateText(text.slice(0, 2 * limit), limit))

/** Parameters that choose what is asked for; they come first, in a phrase. */
const subjectParams: ReadonlySet<string> = new Set([
  'action',
  'list',
  'meta',
  'prop',
  'generator',
  'titles'
])
const transportParams: ReadonlySet<string> = new Set(['format', 'continue'])

/**
 * E.g. `list allpages · apfrom=Б · aplimit=10`, `parse · page=Волга`, `categories, info of Волга, Дон`.
 * Left out: the parts of a key that are no parameters (who asked, and when), whose names have a space.
 */
export function describeRequest(
  { request, sentValues }: Pick<Interaction, 'request' | 'sentValues'>,
  separator = ' · '
): string {
  const plain = request.get('plain target')
  if (plain !== undefined)
    return `${plainMethod(request)} ${displayText(decodePercent(plain))}`
  const more = [...request].filter(
    ([name]) =>
      !name.includes(' ') && !subjectParams.has(name) && !transportParams.has(name)
  )
  const words = more.map(
    ([name, value]) =>
      `${displayText(name, 60)}=${displayText(sentValues.get(name) ?? value, 80)}`
  )
  const shown = words.length > 12 ? [...words.slice(0, 12), '…'] : words
  return [describeSubject(request), ...shown].join(separator)
}

/** The same of a request that has just come in: its address may hold a secret, its body may be unreadable. */
export function describeIncoming(
  request: WikiRequest,
  { canonical, sentValues }: Derivation
): string {
  if (request.kind === 'plain')
    return `${plainMethod(canonical)} ${displayText(decodePercent(redactUrl(request.target)))}`
  const isUnknown = request.unread !== undefined && !canonical.has('action')
  return isUnknown
    ? `${request.posted ? 'POST' : 'GET'} of an unread body`
    : describeRequest({ request: canonical, sentValues }, ', ')
}

const plainMethod = (request: CanonicalRequest) =>
  request.get('plain method') ?? (request.has('plain body') ? 'POST' : 'GET')

function describeSubject(request: CanonicalRequest) {
  const action = request.get('action') ?? 'help'
  const titles = request.get('titles')
  const ofTitles = titles === undefined ? '' : ` of ${firstValues(titles, 4)}`
  if (action !== 'query') return displayText(action, 60) + ofTitles
  const generator = request.get('generator')
  const parts = [
    listPhrase('list', request.get('list')),
    listPhrase('', request.get('prop')),
    listPhrase('meta', request.get('meta'))
  ].filter((part) => part !== '')
  const subject = parts.join(' and ') || 'pages'
  const ofGenerator =
    generator === undefined ? '' : ` of each page of ${displayText(generator, 60)}`
  return subject + ofGenerator + ofTitles
}

const listPhrase = (word: string, value = '') =>
  value === '' ? '' : `${word} ${firstValues(value, 6)}`.trim()

function firstValues(value: string, max: number) {
  const values = splitValues(value)
  const first = values.slice(0, max).map((one) => displayText(one, 60))
  return (
    first.join(', ') + (values.length > max ? ` and ${values.length - max} more` : '')
  )
}

/** Who was logged in; empty for an anonymous caller. */
export function describeCaller(request: CanonicalRequest): string {
  const session = request.get('in session')
  const user = (request.get('as user') ?? '').replace(/^user:/, '')
  return displayText(
    [user, session && `session ${session}`].filter(Boolean).join(', '),
    80
  )
}

/** Writes of this session that may have changed the answer, in order, and why the last of them may. */
export interface SessionWrites {
  readonly keys: readonly string[]
  readonly why: string | undefined
}

/** In which epoch and by whom the nearest recording was made, and how this session differs. */
export function stateText(
  recorded: CanonicalRequest,
  got: CanonicalRequest,
  store: Store,
  { keys, why }: SessionWrites
): string {
  const [earlier, later] = differingWrites(
    recorded.get(epochParam),
    got.get(epochParam),
    keys
  )
  const [whose, who] = [recorded, got].map((one) => describeUser(one.get('as user')))
  const recordedText = [
    later.length > 0 && `before ${firstWriteText(later, store)}`,
    earlier.length > 0 && `after ${firstWriteText(earlier, store)}`,
    `as ${whose}`
  ]
  const currentText = [
    `is ${who}`,
    later.length > 0 && `after ${pronoun(later)}`,
    earlier.length > 0 && `before ${pronoun(earlier)}`
  ]
  const inWords = (parts: readonly unknown[]) => parts.filter(Boolean).join(', ')
  const reason = later.length === 0 || why === undefined ? '' : ` (${why})`
  return `It was recorded ${inWords(recordedText)}; this session ${inWords(currentText)}${reason}.`
}

/** Which write of another session the recording shows and this run has not made, or the other way round. */
export function othersText(
  { responses }: Interaction,
  writes: OthersWrites,
  store: Store
): string {
  const states = responses.map(statesOf)
  const [recorded = ''] = states.at(-1) ?? []
  const now = stateAmong(states.flat(), writes, false)
  const [missing, made] = differingWrites(recorded, now, [])
  const after = firstWriteText(missing, store, true)
  return after === undefined
    ? `It depends on ${firstWriteText(made, store, true)}, which it was recorded before, or in another order.`
    : `It depends on ${after}, which this run has not made.`
}

/** A near miss whose differing epochs are named by the first write that the other side does not have. */
export const withStatesInWords = (
  near: NearMiss,
  store: Store,
  { keys }: SessionWrites
): NearMiss => ({
  ...near,
  differences: near.differences.map((one) => {
    if (one.param !== epochParam) return one
    const [earlier, later] = differingWrites(one.recorded, one.got, keys)
    return {
      ...one,
      recorded: firstWriteText(earlier, store),
      got: firstWriteText(later, store)
    }
  })
})

/** The writes that only the recording was made after, and those that only this session has made. */
function differingWrites(
  recorded: string | undefined,
  got: string | undefined,
  writes: readonly string[]
): readonly [earlier: readonly string[], later: readonly string[]] {
  const then = writesIn(recorded)
  const now = writesIn(got)
  const inOrder = now.every((one) => writes.includes(one))
    ? writes.filter((one) => now.includes(one))
    : now
  const itself = (one: string) => one
  return [subtractItems(then, now, itself), subtractItems(inOrder, then, itself)]
}

/** e.g. `the edit of Волга and 34 more writes`. */
function firstWriteText(
  [first, ...more]: readonly string[],
  store: Store,
  withUser = false
): string | undefined {
  if (first === undefined) return undefined
  return `${describeWrite(first, store, withUser)}${more.length === 0 ? '' : ` and ${plural(more.length, 'more write')}`}`
}

const pronoun = (writes: readonly string[]): string =>
  writes.length === 1 ? 'it' : 'them'

/** Of many writes a key has only their number and a digest. */
const manyWrites = /^\d+ writes /

const writesIn = (state = '') =>
  manyWrites.test(state) ? [state] : state.split(' ').filter((one) => one !== '')

/** The writes that a recording was made after, in words: `the edit of Волга`; empty before the first. */
export const describeWrites = (request: CanonicalRequest, store: Store): string =>
  writesIn(request.get(epochParam))
    .map((one) => describeWrite(one, store))
    .join(', ')

/** The writes of other sessions that an answer was given after, in words; empty if it shows none. */
export const describeOthersWrites = (
  { afterOthers = [] }: RecordedResponse,
  store: Store
): string =>
  afterOthers
    .map((state) => firstWriteText(writesIn(state), store, true) ?? 'no write of others')
    .join(' or ')

/** e.g. `the edit of Волга`, `the edit of Волга by Bob`. */
function describeWrite(key: string, store: Store, withUser = false) {
  if (manyWrites.test(key)) return `a set of ${key.replace(/ \S+$/, '')}`
  const known = parseRequestKey(key)
  const found = known && store.get(known).interaction
  if (!found) return 'a write that was missed or is not recorded'
  const { request } = found
  if (request.has('plain target')) return `the ${describeRequest(found)}`
  const action = request.get('action') ?? 'write'
  const subject = ['title', 'titles', 'from', 'filename', 'pageid', 'page', 'user']
    .map((name) => request.get(name))
    .find((one) => one !== undefined)
  const of = subject === undefined ? '' : ` of ${subject.slice(0, 60)}`
  const by = withUser ? ` by ${describeUser(request.get('as user'))}` : ''
  return `the ${action}${of}${by}`
}

export const describeUser = (user = 'anonymous'): string =>
  user === 'unknown' ? 'an unknown user' : user.replace(/^user:/, '')
