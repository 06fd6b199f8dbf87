/** States and callers in words: "before the edit of X, as anonymous", never the keys that stand for them. */
import type { Difference, NearMiss } from '../../playback/lookup/near-miss.ts'
import { asRequestKey, type CanonicalRequest } from '../../request/request-key.ts'
import { stateName } from '../../request/scoped-keys.ts'
import type { Store } from '../../store/store.ts'
import { plural } from '../../text/plural.ts'

/** Writes that count, in the order in which this session has made them, and why they count. */
export interface WritesMade {
  readonly keys: readonly string[]
  readonly why: string | undefined
}

/** When and by whom the nearest recording was asked for, and what this session is instead. */
export function tellStanding(
  recorded: CanonicalRequest,
  got: CanonicalRequest,
  store: Store,
  { keys, why }: WritesMade,
): string {
  const [earlier, later] = statesApart(recorded.get(stateName), got.get(stateName), keys)
  const [whose, who] = [recorded, got].map((one) => tellUser(one.get('as user')))
  const was = [...told('before', later, store), ...told('after', earlier, store), `as ${whose}`]
  const is = [`is ${who}`, ...pronoun('after', later), ...pronoun('before', earlier)]
  return `It was recorded ${was.join(', ')}; this session ${is.join(', ')}${later.length === 0 || why === undefined ? '' : ` (${why})`}.`
}

/** The differences of a near miss, states in words: the first write that the other side does not have. */
export const inWords = (near: NearMiss, store: Store, { keys }: WritesMade): NearMiss => ({
  ...near,
  differences: near.differences.map((one) => tellIn(one, store, keys)),
})

function tellIn(difference: Difference, store: Store, made: readonly string[]): Difference {
  const { param, recorded, got } = difference
  if (param !== stateName) return difference
  const [earlier, later] = statesApart(recorded, got, made)
  return { param, recorded: tellFirst(earlier, store), got: tellFirst(later, store) }
}

/** The writes that only the recording was made after, and those that only this session has made. */
function statesApart(
  recorded: string | undefined,
  got: string | undefined,
  made: readonly string[],
): readonly [earlier: readonly string[], later: readonly string[]] {
  const [then, now] = [writesIn(recorded), writesIn(got)]
  const inOrder = now.every((one) => made.includes(one)) ? made.filter((one) => now.includes(one)) : now
  return [without(then, now), without(inOrder, then)]
}

/** Each as often as it is in one and not in the other. */
function without(some: readonly string[], others: readonly string[]): readonly string[] {
  const rest = [...others]
  return some.filter((one) => {
    const at = rest.indexOf(one)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}

/** e.g. `the edit of Волга and 34 more writes`. */
function tellFirst([first, ...more]: readonly string[], store: Store): string | undefined {
  if (first === undefined) return undefined
  return `${tellWrite(first, store)}${more.length === 0 ? '' : ` and ${plural(more.length, 'more write')}`}`
}

function told(word: string, writes: readonly string[], store: Store): readonly string[] {
  const first = tellFirst(writes, store)
  return first === undefined ? [] : [`${word} ${first}`]
}

const pronoun = (word: string, writes: readonly string[]): readonly string[] =>
  writes.length === 0 ? [] : [`${word} ${writes.length === 1 ? 'it' : 'them'}`]

/** Of many writes a state has only their number and a digest. */
const manyWrites = /^\d+ writes /

const writesIn = (state = ''): readonly string[] =>
  manyWrites.test(state) ? [state] : state.split(' ').filter((one) => one !== '')

/** The writes that a recording was asked for after, in words: `the edit of Волга`; none before the first. */
export const writesTold = (request: CanonicalRequest, store: Store): readonly string[] =>
  writesIn(request.get(stateName)).map((one) => tellWrite(one, store))

/** e.g. `the edit of Волга`; of a write that is not on the disk only that there was one. */
function tellWrite(key: string, store: Store): string {
  if (manyWrites.test(key)) return `a set of ${key.replace(/ \S+$/, '')}`
  const known = asRequestKey(key)
  const found = known === undefined ? undefined : store.find(known)
  if (found?.kind !== 'found') return 'a write that is not recorded'
  const { request } = found.interaction
  const action = request.get('action') ?? 'write'
  const of = ['title', 'titles', 'from', 'filename', 'pageid', 'page', 'user']
    .map((name) => request.get(name))
    .find((one) => one !== undefined)
  return of === undefined ? `the ${action}` : `the ${action} of ${of.slice(0, 60)}`
}

export const tellUser = (user = 'anonymous'): string =>
  user === 'unknown' ? 'somebody whose name is not known' : user.replace(/^user:/, '')
