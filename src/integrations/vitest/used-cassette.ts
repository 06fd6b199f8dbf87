/** The handle of a cassette that useCassette() gives. */

import type { Counts } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/mode.ts'
import type { TestCassette } from '../testing/test-cassette.ts'

/** The cassette in use; its members are known while a test runs. */
export interface UsedCassette {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  readonly apiUrl: string
  /** Undefined where nothing was asked yet. */
  counts(): Counts | undefined
}

export function handleOf(cassette: TestCassette): UsedCassette {
  const { name, mode, api } = cassette.settings
  return {
    name,
    mode,
    apiUrl: api.href,
    get folder() {
      return cassette.folder
    },
    counts: () => cassette.counts(),
  }
}

/** For code that is handed a cassette before any test runs. */
export function deferredHandle(current: () => UsedCassette | undefined): UsedCassette {
  const resolve = (): UsedCassette => {
    const found = current()
    if (found === undefined)
      throw new Error('no cassette is in use yet: what useCassette() gave is known while a test runs')
    return found
  }
  return {
    get name() {
      return resolve().name
    },
    get folder() {
      return resolve().folder
    },
    get mode() {
      return resolve().mode
    },
    get apiUrl() {
      return resolve().apiUrl
    },
    counts: () => resolve().counts(),
  }
}
