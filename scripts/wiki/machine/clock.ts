/** The lab's clock: PHP runs under libfaketime, so that a wiki built tomorrow is the wiki built today. */
import { existsSync } from 'node:fs'
import { LabProblem, run } from './command.ts'

/** MediaWiki is installed before the first edit of the content and serves after the last. */
export const installedAt = '2024-01-01 00:00:00'
export const builtAt = '2026-01-01 00:00:00'

let library: Promise<string> | undefined

/** Environment for a process whose clock stands still at `instant`. */
export async function frozenClock(
  instant: string
): Promise<Readonly<Record<string, string>>> {
  return clock(instant)
}

/** Environment for a process whose clock starts at `instant` and runs. */
export async function runningClock(
  instant: string
): Promise<Readonly<Record<string, string>>> {
  return clock(`@${instant}`)
}

async function clock(FAKETIME: string): Promise<Readonly<Record<string, string>>> {
  library ??= findLibrary()
  return {
    TZ: 'UTC',
    LD_PRELOAD: await library,
    FAKETIME,
    // Timeouts and file times stay real: only the date is to be fixed.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1'
  }
}

async function findLibrary(): Promise<string> {
  const listed = await run('dpkg', ['-L', 'libfaketime'], {
    advice: 'Install it: apt-get install faketime'
  })
  const found = listed.split('\n').find((line) => line.endsWith('/libfaketime.so.1'))
  if (found !== undefined && existsSync(found)) return found
  throw new LabProblem(
    'libfaketime.so.1 is not where its package says. Reinstall it: apt-get install --reinstall libfaketime'
  )
}
