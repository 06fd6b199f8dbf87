/** The handle of a cassette that useCassette() returns. */
import type { Counts } from '../../recorder/engine/run-summary.ts'
import { callAll } from '../in-process/in-process-request.ts'
import { type CassetteHandle, startTrouble } from '../in-process/overrides.ts'
import type { Variable } from './stored-variables.ts'
import type { TestCassette } from './test-cassette.ts'

/** The cassette in use; its members are known while a test runs. With several wikis, name to apiUrl are those of the first. */
export interface UsedCassette extends CassetteHandle {
  /** Undefined before the first request. */
  counts(): Counts | undefined
  /** When the test was recorded, to the second; on replay the same. */
  readonly recordedAt: Date
  /**
   * The environment for programs that the test starts: `spawn(name, args, { env: await cassette.env() })`. Their requests to the
   * wiki, with https, too, are answered, and recorded, as the test's own. Not for `spawnSync`, which stops this process.
   */
  env(): Promise<NodeJS.ProcessEnv>
  /** A value that is made while recording and kept with it, e.g. a random title: replay gives it back. */
  variable<T extends Variable>(name: string, make: () => T): T
}

/** @param current undefined before any test runs: then each member throws */
export function handleOf(current: () => TestCassette | undefined): UsedCassette {
  const inUse = () => {
    const cassette = current()
    if (cassette) return cassette
    throw new Error(
      'no cassette is in use yet: what useCassette() gave is known while a test runs'
    )
  }
  const first = () => {
    const [cassette] = inUse().cassettes
    if (cassette) return cassette
    throw new Error(
      'no cassette is in use yet: those of a pattern are known once a wiki was requested'
    )
  }
  const variable = <T extends Variable>(name: string, make: () => T) => {
    const { variables, settings } = first()
    return variables.take(name, make, settings)
  }
  const now = () => `${new Date().toISOString().slice(0, 19)}Z`
  return {
    variable,
    get recordedAt() {
      return new Date(variable('recordedAt', now))
    },
    get name() {
      return first().settings.name
    },
    get folder() {
      return first().folder
    },
    get mode() {
      return first().settings.mode
    },
    get apiUrl() {
      return first().settings.api.href
    },
    env: () => inUse().environment(),
    counts: () => inUse().counts(),
    answer: (params, reply) => inUse().overrides.add(params, reply),
    trouble: (options) =>
      callAll(inUse().cassettes.map(({ settings }) => startTrouble(settings, options)))
  }
}
