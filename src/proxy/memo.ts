/**
 * Ready replies to requests of which nothing but their parameters counts: the second time nothing is derived, looked up
 * or rendered, however the request is spelled. By their URL they are kept in memory, by what they say in a file aside.
 */
import { LRUCache } from 'lru-cache'
import { type SessionNames, sessionCookies } from '../wiki/session-cookies.ts'
import { type Digest, DigestTable, type FoundPlace, type Place } from './digest-table.ts'
import type { Exchange, Reply } from './exchange.ts'
import { Overflow } from './overflow.ts'
import type { Pack } from './pack.ts'
import { decodeReady, encodeReady, type Origin, type ReadyEntry } from './ready-entry.ts'
import { sentDigest, spelledDigest } from './spelled.ts'

/** Bytes of ready replies that are kept in memory. */
const memoBytes = 64 * 1024 * 1024
/** Share of them from which on there is no room for what nobody has asked twice. */
const fullness = 0.9
/** What a reply costs beside its body. */
const perReply = 500
/**
 * Of so many that come from aside again one goes into memory: what is asked often is there soon, and memory that was not
 * in use before costs several times as much as reading once more.
 */
const moveEvery = 8

export interface MemoOptions {
  /** Names of session cookies that no suffix tells. */
  readonly own: () => SessionNames
  /** True where requests spelled otherwise are other requests. */
  readonly strict: () => boolean
  /** Replies that may lie aside: a client can think of any number of requests that get the same. */
  readonly mostAside: () => number
  /** Bytes in memory; 64 MB unless given. */
  readonly bytes?: number
  readonly overflow?: Overflow
  /** Of earlier runs. */
  readonly pack?: Pack | undefined
  /**
   * False where a reply of an earlier run would lead a client back to where it was.
   * @param stays true where it is kept in memory, and found there from now on
   */
  readonly believes?: (entry: ReadyEntry, stays: boolean) => boolean
}

/** In the table of what lies aside, for a checksum: whether another run may have it too. */
const forThisRun = 0
const forAnyRun = 1

/** Where a reply that is read may lie; in memory of its own where undefined. */
type RoomFor = (place: FoundPlace) => Buffer | undefined

export class ReplyMemo {
  readonly #replies: LRUCache<string, Reply>
  #aside = new DigestTable()
  #putAside = 0
  /** Replies that came from aside not for the first time. */
  #cameAgain = 0
  readonly #overflow: Overflow
  readonly #options: MemoOptions
  /** What was looked for last under all its digests: mostly that is kept next. */
  #missed: { readonly exchange: Exchange; readonly digests: readonly Digest[] } | undefined

  constructor(options: MemoOptions) {
    this.#options = options
    this.#overflow = options.overflow ?? new Overflow()
    this.#replies = new LRUCache({
      maxSize: options.bytes ?? memoBytes,
      sizeCalculation: (one) => one.body.length + perReply,
    })
  }

  /** True where a reply to it may be kept by its URL. */
  takes(exchange: Exchange): boolean {
    return exchange.method === 'GET' && isForAll(exchange, this.#options.own())
  }

  has(exchange: Exchange): boolean {
    if (!this.takes(exchange)) return false
    return this.#replies.has(exchange.target) || this.#digests(exchange).some((one) => this.#aside.has(one))
  }

  /** @param room where the reply's body may lie: what is not asked again is kept nowhere */
  find(exchange: Exchange, room?: Buffer): Reply | undefined {
    if (!isForAll(exchange, this.#options.own())) return undefined
    const known = exchange.method === 'GET' ? this.#replies.get(exchange.target) : undefined
    if (known !== undefined) return known
    if (this.#aside.size === 0 && this.#options.pack?.isEmpty !== false) return undefined
    // As it was sent: nothing of it has to be understood.
    const sent = sentDigest(exchange)
    const asSent = sent && this.#fromAside(exchange, sent, room)
    if (asSent !== undefined) return asSent
    const spelled = this.#spelledDigest(exchange)
    this.#missed = { exchange, digests: [sent, spelled].filter((one) => one !== undefined) }
    return spelled && this.#fromAside(exchange, spelled, room)
  }

  /**
   * @param anyhow true where every request that says the same gets this reply; false where only the same URL does
   * @param origin what another run can know it by that it is still right
   * @returns true where another run may use it too, and whoever asks
   */
  keep(exchange: Exchange, reply: Reply, anyhow: boolean, origin?: Origin): boolean {
    if (!isForAll(exchange, this.#options.own())) return false
    const liesAside = anyhow && this.#keepAside(exchange, { reply, origin })
    if (exchange.method === 'GET') this.#keepByUrl(exchange.target, reply, liesAside)
    return anyhow && origin !== undefined
  }

  /** What was made of something else than what there is now. */
  forget(): void {
    this.#replies.clear()
    this.#aside = new DigestTable()
    this.#putAside = 0
  }

  /** Leaves to later runs what they may use. */
  close(): void {
    const places = this.#lasting()
    const read = (place: Place): Buffer | undefined => this.#overflow.read(place)
    this.#options.pack?.save(this.#lasting().next().done === true ? undefined : { places, read })
    this.#overflow.close()
  }

  *#lasting(): IterableIterator<readonly [digest: Digest, place: Place]> {
    for (const one of this.#aside.entries()) if (one[1].sum === forAnyRun) yield one
  }

  /** Where there is no room left, what lies aside waits there until it is asked again: it would only displace another. */
  #keepByUrl(target: string, reply: Reply, liesAside: boolean): void {
    const isFull = this.#replies.calculatedSize > fullness * this.#replies.maxSize
    if (liesAside && isFull) this.#replies.delete(target)
    else this.#replies.set(target, reply)
  }

  #keepAside(exchange: Exchange, { reply, origin }: ReadyEntry): boolean {
    const digests = this.#digests(exchange)
    if (digests.length === 0 || this.#putAside >= this.#options.mostAside()) return false
    const span = this.#overflow.write(encodeReady(reply, origin))
    if (span === undefined) return false
    this.#putAside += 1
    for (const one of digests) this.#aside.set(one, { ...span, sum: origin ? forAnyRun : forThisRun })
    return true
  }

  #fromAside(exchange: Exchange, digest: Digest, room: Buffer | undefined): Reply | undefined {
    let stays = false
    const roomFor: RoomFor = (place) => {
      stays = exchange.method === 'GET' && this.#mayStay(place)
      return stays ? undefined : room
    }
    const reply = this.#ofThisRun(digest, roomFor) ?? this.#ofEarlierRun(digest, roomFor, () => stays)
    if (reply !== undefined && stays) this.#replies.set(exchange.target, reply)
    return reply
  }

  /** In memory: what is asked often. */
  #mayStay({ again }: FoundPlace): boolean {
    if (again) this.#cameAgain += 1
    return again && this.#cameAgain % moveEvery === 0
  }

  #ofThisRun(digest: Digest, roomFor: RoomFor): Reply | undefined {
    const place = this.#aside.find(digest)
    const bytes = place && this.#overflow.read(place, roomFor(place))
    return bytes && decodeReady(bytes).reply
  }

  #ofEarlierRun(digest: Digest, roomFor: RoomFor, stays: () => boolean): Reply | undefined {
    const { pack, believes } = this.#options
    const entry = pack?.find(digest, roomFor)
    return entry !== undefined && believes?.(entry, stays()) === true ? entry.reply : undefined
  }

  #digests(exchange: Exchange): readonly Digest[] {
    if (this.#missed?.exchange === exchange) return this.#missed.digests
    return [sentDigest(exchange), this.#spelledDigest(exchange)].filter((one) => one !== undefined)
  }

  #spelledDigest(exchange: Exchange): Digest | undefined {
    return this.#options.strict() ? undefined : spelledDigest(exchange)
  }
}

/** Nothing but the request itself goes into the answer: no cookie of a session, no session, no other origin, no credentials. */
const isForAll = ({ method, session, headers, rewriting }: Exchange, own: SessionNames): boolean =>
  method !== 'HEAD' &&
  session === '' &&
  rewriting === undefined &&
  !mayTellWho(headers['cookie'], own) &&
  headers['authorization'] === undefined

/** What an edge had a client remember says nothing of who asks; a header as long as no edge's is looked at elsewhere. */
function mayTellWho(cookie: Exchange['headers'][string], own: SessionNames): boolean {
  if (cookie === undefined) return false
  if (typeof cookie !== 'string' || cookie.length > 4096) return true
  const names = cookie.split(';').map((pair) => ({ name: pair.split('=', 1)[0]?.trim() ?? '' }))
  return sessionCookies(names, own).length > 0
}
