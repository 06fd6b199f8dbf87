/** The handle of a cassette that useCassette() gives. */

import type { Counts } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/mode.ts'
import type { HeldCassette } from '../testing/test-cassette.ts'

/** The cassette in use; its members are known while a test runs. */
export interface UsedCassette {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  readonly apiUrl: string
  /** Undefined where nothing was asked yet. */
  counts(): Counts | undefined
}

export function handleOf(held: HeldCassette): UsedCassette {
  const { name, mode, api } = held.settings
  return {
    name,
    mode,
    apiUrl: api.href,
    get folder() {
      return held.folder
    },
    counts: () => held.counts(),
  }
}

/** For code that is handed a cassette before any test runs. */
export function forward(current: () => UsedCassette | undefined): UsedCassette {
  const known = (): UsedCassette => {
    const found = current()
    if (found === undefined)
      throw new Error('no cassette is in use yet: what useCassette() gave is known while a test runs')
    return found
  }
  return {
    get name() {
      return known().name
    },
    get folder() {
      return known().folder
    },
    get mode() {
      return known().mode
    },
    get apiUrl() {
      return known().apiUrl
    },
    counts: () => known().counts(),
  }
}
