/** Time limits of tests that record. */
import { vi } from 'vitest'
import { mayRecord } from '../../playback/decide.ts'
import { chooseMode } from '../../settings/choose-mode.ts'
import { isUnusedFolder } from '../../store/files/cassette-folder.ts'
import { cassetteFolder } from '../in-process/insert-options.ts'
import { isShortLimit, recordingLimitMs, type TestCassetteOptions } from '../testing/test-cassette-options.ts'
import { memberOf } from '../testing/test-runner.ts'
import type { RunningTest } from './used-cassette.ts'

/** Raises vitest's default limits for the tests behind this call, where they may record. @param name of a cassette, or of all of a file */
export function raiseTimeLimits(
  name: string,
  options: Pick<TestCassetteOptions, 'mode' | 'allowLive' | 'root'>,
): void {
  if (process.env['CI'] === 'true' && options.allowLive !== true) return
  const mode = chooseMode({ ...options, allowLive: true }, process.env, { usual: 'once' })
  if (!mayRecord(mode, isUnusedFolder(cassetteFolder(name, options.root)))) return
  // vitest has no function that says which limits are in force.
  const config = memberOf(Reflect.get(globalThis, '__vitest_worker__'), 'config')
  const short = ['testTimeout', 'hookTimeout'].filter((one) => isShortLimit(memberOf(config, one)))
  vi.setConfig(Object.fromEntries(short.map((one) => [one, recordingLimitMs])))
}

/** Why nothing of a test was written that ran out of time. */
export function timeLimitReason({ result }: RunningTest): string | undefined {
  const limit = result?.errors?.map(({ message = '' }) => /timed out in (\d+)ms/.exec(message)?.[1])[0]
  if (limit === undefined) return undefined
  const own = `give the test a longer one: it('…', async () => { … }, ${recordingLimitMs})`
  return `the test ran into its time limit of ${limit} ms; ${own}, or record it with WIKITAPE_MODE=new_episodes, which raises vitest's default`
}
