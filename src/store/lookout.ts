/** Looks now and then, at a request and never by itself, whether what was read is still what lies there. */
import { realpathSync } from 'node:fs'
import { type Footing, footingOf, stands, wasLeftAlone } from './footing.ts'

/** Milliseconds between two looks, and how many times as long as a look takes. */
export const lookEvery = 100
const lookShare = 50
/** Milliseconds in which a file can change twice and show the same time of change. */
export const settling = 2000

/** When something may be looked at again that was looked at from `began` on, by the clock of `performance.now`. */
export const nextLook = (began: number): number => {
  const now = performance.now()
  return now + Math.max(lookEvery, lookShare * (now - began))
}

export class Lookout {
  readonly #dir: string
  /** The same, links followed. */
  #real: string | undefined
  readonly #settling: number
  #footing: Footing | undefined
  #next = performance.now() + lookEvery
  /** When what was read is read once more, since it was too young to be told from what it may have become. */
  #again = Number.POSITIVE_INFINITY

  /** @param settles milliseconds */
  constructor(dir: string, settles: number) {
    this.#dir = dir
    this.#real = realPath(dir)
    this.#settling = settles
  }

  /** True where something is another, or may be; at most ten times a second anybody looks. */
  sees(folders: () => readonly string[], since: number): boolean {
    const began = performance.now()
    if (began < this.#next) return false
    const changed = this.#hasChanged(folders, since)
    this.#next = nextLook(began)
    return changed
  }

  /** What was read anew from `since` on, in milliseconds since 1970. */
  rest(folders: readonly string[], since: number): void {
    this.#real = realPath(this.#dir)
    this.#footing = this.#marked(folders)
    this.#again = Number.POSITIVE_INFINITY
    for (const [, marks] of this.#footing ?? [])
      if (!wasLeftAlone(marks, since, this.#settling)) this.#again = Date.now() + this.#settling
  }

  #hasChanged(folders: () => readonly string[], since: number): boolean {
    if (this.#real === undefined || realPath(this.#dir) !== this.#real) return true
    if (this.#footing !== undefined) return Date.now() > this.#again || !stands(this.#real, this.#footing)
    this.#footing = this.#marked(folders())
    return this.#footing?.every(([, marks]) => wasLeftAlone(marks, since, this.#settling)) !== true
  }

  #marked(folders: readonly string[]): Footing | undefined {
    return this.#real === undefined ? undefined : footingOf(this.#real, folders)
  }
}

function realPath(dir: string): string | undefined {
  try {
    return realpathSync.native(dir)
  } catch {
    return undefined
  }
}
