/** The handle of a cassette that useCassette() returns. */
import type { Counts } from '../../engine/run-summary.ts'
import type { Mode } from '../../playback/mode.ts'
import type { TestCassette } from '../testing/test-cassette.ts'

/** The cassette in use; its members are known while a test runs. */
export interface UsedCassette {
  readonly name: string
  readonly folder: string
  readonly mode: Mode
  readonly apiUrl: string
  /** Undefined before the first request. */
  counts(): Counts | undefined
}

/** @param current undefined before any test runs: then each member throws */
export function handleOf(current: () => TestCassette | undefined): UsedCassette {
  const resolve = (): TestCassette => {
    const cassette = current()
    if (cassette === undefined)
      throw new Error('no cassette is in use yet: what useCassette() gave is known while a test runs')
    return cassette
  }
  return {
    get name() {
      return resolve().settings.name
    },
    get folder() {
      return resolve().folder
    },
    get mode() {
      return resolve().settings.mode
    },
    get apiUrl() {
      return resolve().settings.api.href
    },
    counts: () => resolve().counts(),
  }
}
