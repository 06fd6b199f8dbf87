/**
 * Replies made ready before anybody has asked for them: where a client has asked for one recording of a kind, the others
 * are made ready for requests that are spelled like that one, in moments in which nobody asks anything (docs/decisions/0119).
 */
import type { Interaction } from '../cassette/interaction.ts'
import { folderOf } from '../cassette/name.ts'
import type { Derivation } from '../request/derive.ts'
import type { RequestKey } from '../request/key.ts'
import type { Found, Store } from '../store/store.ts'
import type { Exchange } from './exchange.ts'
import { type Pattern, patternOf, shapeOf, spelledLike } from './pattern.ts'

export type Recording = Extract<Found, { kind: 'found' }>

export interface AheadOptions {
  readonly store: Pick<Store, 'find' | 'pathsIn'>
  /** True of a recording worth reading: not made ready yet, and soon done with. @param file inside the cassette */
  readonly wants: (key: RequestKey, file: string) => boolean
  /** Makes ready what a request gets, if this recording alone answers it. @param began before it was read, in milliseconds since 1970. @returns false where no more can be kept */
  readonly make: (target: string, recording: Recording, began: number) => boolean
  /** When somebody has asked something last, by the clock of `performance.now`. */
  readonly asked: () => number
  /** False where nothing more is to be made ready. */
  readonly goesOn: () => boolean
}

/** Milliseconds for which nobody must have asked anything. */
const quiet = 20
/** Milliseconds of work at a time, and how many times as long it rests afterwards. */
const atOnce = 1
const rest = 3

/** A recording, and where it lies inside the cassette. */
type Filed = readonly [key: RequestKey, file: string]

export class Ahead {
  readonly #options: AheadOptions
  readonly #patterns = new Map<string, Pattern>()
  /** Folders that were asked about; their recordings are gone through once. */
  readonly #folders = new Set<string>()
  /** What is still to be gone through. */
  readonly #left: Iterator<Filed>[] = []
  /** Recordings of shapes that nobody has asked for yet. */
  readonly #apart = new Map<string, Filed[]>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: AheadOptions) {
    this.#options = options
  }

  /** Somebody has asked for one recording, which alone answered. */
  learn(exchange: Exchange, derivation: Derivation): void {
    const { store } = this.#options
    const shape = shapeOf(derivation.canonical)
    if (store.pathsIn === undefined || this.#patterns.has(shape)) return
    const pattern = patternOf(exchange, derivation)
    if (pattern === undefined) return
    this.#patterns.set(shape, pattern)
    const folder = folderOf(derivation.canonical)
    const apart = this.#apart.get(shape)
    this.#apart.delete(shape)
    if (apart !== undefined) this.#left.push(apart.values())
    if (!this.#folders.has(folder)) this.#left.push(store.pathsIn(folder))
    this.#folders.add(folder)
    this.#timer ??= this.#later(quiet)
  }

  get isAtWork(): boolean {
    return this.#timer !== undefined
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left.length = 0
  }

  /** Nothing waits for it: who ends meanwhile ends at once. */
  #later(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#workAWhile(), ms).unref()
  }

  #workAWhile(): void {
    const { asked, goesOn } = this.#options
    this.#timer = undefined
    const began = performance.now()
    const isQuiet = began - asked() >= quiet
    if (!goesOn()) this.#left.length = 0
    while (isQuiet && this.#left.length > 0 && performance.now() - began < atOnce) this.#makeNext()
    if (this.#left.length > 0)
      this.#timer = this.#later(isQuiet ? Math.ceil(rest * (performance.now() - began)) : quiet)
  }

  #makeNext(): void {
    const next = this.#left.at(-1)?.next()
    if (next?.done === true) this.#left.pop()
    else if (next !== undefined) this.#consider(next.value)
  }

  #consider([key, file]: Filed): void {
    const { store, wants, make } = this.#options
    const began = Date.now()
    const found = wants(key, file) ? store.find(key) : undefined
    if (found?.kind !== 'found' || !isPlain(found.interaction)) return
    const shape = shapeOf(found.interaction.request)
    const pattern = this.#patterns.get(shape)
    if (pattern === undefined) {
      const apart = this.#apart.get(shape) ?? []
      apart.push([key, file])
      this.#apart.set(shape, apart)
      return
    }
    const target = spelledLike(pattern, found.interaction)
    if (target !== undefined && !make(target, found, began)) this.stop()
  }
}

/** True of one answer in JSON for everybody. */
const isPlain = ({ responses: [first, ...more] }: Interaction): boolean =>
  more.length === 0 && first.cookies.length === 0 && first.body.kind === 'json'
