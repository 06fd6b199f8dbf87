/** States and callers in words: "before the edit of X, as anonymous", never the keys that stand for them. */
import type { Difference, NearMiss } from '../playback/near-miss.ts'
import { asRequestKey, type CanonicalRequest } from '../request/key.ts'
import { stateName } from '../request/places.ts'
import type { Store } from '../store/store.ts'

/** Writes that are told one by one. */
const longestTale = 4

/**
 * When and by whom the nearest recording was asked for, and what this session is instead.
 * @param touched why the writes since then count
 */
export function tellStanding(
  recorded: CanonicalRequest,
  got: CanonicalRequest,
  store: Store,
  touched: string | undefined,
): string {
  const [then, now] = [statesOf(recorded), statesOf(got)]
  const later = now.filter((one) => !then.includes(one)).map((one) => tellWrite(one, store))
  const earlier = then.filter((one) => !now.includes(one)).map((one) => tellWrite(one, store))
  const [whose, who] = [recorded, got].map((one) => tellUser(one.get('as user')))
  const was = [...tellSide('before', later), ...tellSide('after', earlier), `as ${whose}`]
  const is = [`is ${who}`, ...tellSide('after', later, 'it'), ...tellSide('before', earlier, 'it')]
  return `It was recorded ${was.join(', ')}; this session ${is.join(', ')}${later.length === 0 || touched === undefined ? '' : ` (${touched})`}.`
}

/** The differences of a near miss, states in words. */
export const inWords = (near: NearMiss, store: Store): NearMiss => ({
  ...near,
  differences: near.differences.map((one) => tellIn(one, store)),
})

function tellIn(difference: Difference, store: Store): Difference {
  const { param, recorded, got } = difference
  if (param !== stateName) return difference
  const tell = (state = ''): string =>
    state === ''
      ? 'no write'
      : state
          .split(' ')
          .map((one) => tellWrite(one, store))
          .join(', ')
  return { param, recorded: tell(recorded), got: tell(got) }
}

function tellSide(word: 'before' | 'after', writes: readonly string[], short?: string): readonly string[] {
  if (writes.length === 0) return []
  if (short !== undefined) return [`${word} ${writes.length === 1 ? short : 'them'}`]
  const more = writes.length > longestTale ? ` and ${writes.length - longestTale} more writes` : ''
  return [`${word} ${writes.slice(0, longestTale).join(', ')}${more}`]
}

const statesOf = (request: CanonicalRequest): readonly string[] =>
  (request.get(stateName) ?? '').split(' ').filter((one) => one !== '')

/** The writes that a recording was asked for after, in words: `the edit of Волга`; none before the first. */
export const writesTold = (request: CanonicalRequest, store: Store): readonly string[] =>
  statesOf(request).map((one) => tellWrite(one, store))

/** e.g. `the edit of Волга`; of a write that is not on the disk only that there was one. */
function tellWrite(key: string, store: Store): string {
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
