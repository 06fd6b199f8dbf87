/** Time limits of tests that record. */
import { vi } from 'vitest'
import { mayRecord } from '../../playback/decide.ts'
import { chooseMode, type ModeOptions } from '../../settings/choose-mode.ts'
import { isUnusedFolder } from '../../store/files/cassette-folder.ts'
import { cassetteFolder } from '../in-process/insert-options.ts'
import { recordingLimitMs } from '../testing/test-cassette-options.ts'
import type { RunningTest } from './used-cassette.ts'

interface LimitOptions extends ModeOptions {
  readonly root?: string
}

const modeOf = (options: LimitOptions): ReturnType<typeof chooseMode> =>
  chooseMode({ ...options, allowLive: true }, process.env, { usual: 'once' })

/** Raises vitest's default limits for the tests behind this call, where they may record. @param name of a cassette, or of all of a file */
export function raiseTimeLimits(name: string, options: LimitOptions): void {
  if (process.env['CI'] === 'true' && options.allowLive !== true) return
  if (!mayRecord(modeOf(options), isUnusedFolder(cassetteFolder(name, options.root)))) return
  const limits = ['testTimeout', 'hookTimeout'] as const
  vi.setConfig(
    Object.fromEntries(limits.filter((one) => isShort(limitNow(one))).map((one) => [one, recordingLimitMs])),
  )
}

/** 0 is no limit. */
const isShort = (limit: unknown): boolean =>
  typeof limit === 'number' && limit > 0 && limit < recordingLimitMs

/** vitest has no function that says so. */
function limitNow(name: 'testTimeout' | 'hookTimeout'): unknown {
  const worker: { readonly config?: { readonly [name: string]: unknown } } | undefined = Reflect.get(
    globalThis,
    '__vitest_worker__',
  )
  return worker?.config?.[name]
}

/** Why nothing of a test was written that ran out of time. */
export function timeLimitReason({ result }: RunningTest): string | undefined {
  const limit = result?.errors?.map(({ message = '' }) => /timed out in (\d+)ms/.exec(message)?.[1])[0]
  if (limit === undefined) return undefined
  const own = `give the test a longer one: it('…', async () => { … }, ${recordingLimitMs})`
  return `the test ran into its time limit of ${limit} ms; ${own}, or record it with WIKITAPE_MODE=new_episodes, which raises vitest's default`
}
