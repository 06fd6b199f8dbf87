/** Flags of a bad day: which errors a replay sends in place of answers. */
import { type TroubleState, troubleKinds, troublePlan } from '../../playback/trouble.ts'
import { type Flag, flag, type Invocation, numberFlag, orUsageError, UsageError } from '../args/command.ts'

export const troubleFlags: readonly Flag[] = [
  flag(
    'trouble KINDS',
    `let requests meet errors first, as on a bad day of the wiki: ${troubleKinds.join(', ')}; several with commas, each with the share of the requests that meet it, e.g. maxlag,503=0.2 (docs/bad-day.md)`,
  ),
  flag('trouble-first N', 'how many times each request meets its trouble before it is answered (default 1)'),
  flag('trouble-modules LIST', 'only requests to these modules, e.g. edit,query+allpages'),
  flag('trouble-delay SECONDS', 'how late answers are with --trouble slow (default 5)'),
  flag('seed N', 'another number chooses other requests and kinds of trouble (default 1)'),
]

/** @throws UsageError */
export function readTrouble(call: Invocation): TroubleState | undefined {
  const kinds = call.value('trouble')
  if (kinds === undefined) {
    const lonely = troubleFlags.find(({ name }) => call.value(name) !== undefined)
    if (lonely === undefined) return undefined
    throw new UsageError(`--${lonely.name} means something only with --trouble KINDS`)
  }
  const options = {
    kinds,
    modules: call.value('trouble-modules')?.split(',') ?? [],
    first: numberFlag(call, 'trouble-first', 1, 1000, 1),
    seed: numberFlag(call, 'seed', 1, 2 ** 32),
    delay: numberFlag(call, 'trouble-delay', 5, 600) * 1000,
  }
  return { plan: orUsageError('--trouble', () => troublePlan(options)) }
}
