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
/** Share of them that is given to what nobody has asked twice: it can as well be read when it is. */
const forOnce = 1 / 8
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
  /** False where a reply with an origin may be wrong by now, or would lead a client back to where it was. */
  readonly believes?: (entry: ReadyEntry, found: Finding) => boolean
}

/** Where a reply with an origin was found. */
export interface Finding {
  /** By an earlier run, whose steps nobody has taken here; its origin has been looked at. */
  readonly earlier: boolean
  /** It is kept in memory, and found there from now on. */
  readonly stays: boolean
}

/** What is to be known of a reply that is kept. */
export interface Keeping {
  /** True where every request that says the same gets this reply; false where only the same URL does. */
  readonly anyhow: boolean
  /** What is looked at whenever it is asked for aside; another run may use it too. */
  readonly origin?: Origin | undefined
  /** Has somebody look at what it was made of now and then. False where that cannot be told, so that it cannot be kept. */
  readonly noted?: () => boolean
}

/** In the table of what lies aside, for a checksum: whether another run may have it too. */
const forThisRun = 0
const forAnyRun = 1

type Belief = (entry: ReadyEntry, earlier: boolean) => boolean

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

  /** @returns true where another run may use it too, and whoever asks */
  keep(exchange: Exchange, reply: Reply, { anyhow, origin, noted }: Keeping): boolean {
    if (!isForAll(exchange, this.#options.own())) return false
    const isLookedAt = anyhow && origin !== undefined && this.#keepAside(exchange, { reply, origin })
    const isForOnce = isLookedAt && this.#replies.calculatedSize > forOnce * this.#replies.maxSize
    if (isForOnce) this.#replies.delete(exchange.target)
    else if (noted === undefined || noted()) {
      if (anyhow && origin === undefined) this.#keepAside(exchange, { reply, origin })
      if (exchange.method === 'GET') this.#replies.set(exchange.target, reply)
    }
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
    const isBelieved = (entry: ReadyEntry, earlier: boolean): boolean =>
      this.#options.believes?.(entry, { earlier, stays }) === true
    const reply =
      this.#ofThisRun(digest, roomFor, isBelieved) ?? this.#ofEarlierRun(digest, roomFor, isBelieved)
    if (reply !== undefined && stays) this.#replies.set(exchange.target, reply)
    return reply
  }

  /** In memory: what is asked often. */
  #mayStay({ again }: FoundPlace): boolean {
    if (again) this.#cameAgain += 1
    return again && this.#cameAgain % moveEvery === 0
  }

  #ofThisRun(digest: Digest, roomFor: RoomFor, isBelieved: Belief): Reply | undefined {
    const place = this.#aside.find(digest)
    const bytes = place && this.#overflow.read(place, roomFor(place))
    const entry = bytes && decodeReady(bytes)
    return entry?.origin === undefined || isBelieved(entry, false) ? entry?.reply : undefined
  }

  #ofEarlierRun(digest: Digest, roomFor: RoomFor, isBelieved: Belief): Reply | undefined {
    const entry = this.#options.pack?.find(digest, roomFor)
    return entry !== undefined && isBelieved(entry, true) ? entry.reply : undefined
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
