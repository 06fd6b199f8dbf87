/** Ends a run in mode `update`: deletes recordings that were not requested again, and dates the cassette anew. */
import { toDay } from '../../cassette/format/manifest.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { plural } from '../../text/words.ts'
import type { EngineContext } from '../engine-options.ts'

/**
 * @param used what the run used through any engine of this cassette
 * @param uncertainty why more may be needed than was requested; undefined where nothing is
 */
export function endUpdate(
  { store, now, onEvent, summary }: EngineContext,
  used: ReadonlySet<RequestKey>,
  uncertainty: string | undefined
): void {
  const why =
    summary.unanswered > 0 ? 'the wiki did not answer every request' : uncertainty
  const unused = [...store.paths()].filter(([key]) => !used.has(key))
  if (unused.length > 0) {
    const list = describeUnused(unused.map(([, file]) => file))
    if (why === undefined) {
      onEvent({ kind: 'dropped', files: list })
      for (const [key] of unused) store.delete(key)
    } else onEvent({ kind: 'kept', files: list, why, dir: store.dir })
  }
  const isCurrent = why === undefined || (unused.length === 0 && summary.unanswered === 0)
  if (!isCurrent || used.size !== summary.used.size) return
  // Where no answer changed, no file does (docs/decisions/0007-expiry.md).
  if (summary.counts.recorded > 0 && summary.exitCode() === 0)
    store.setManifest({ ...store.manifest, recorded: toDay(now()) })
}

const maxNamed = 20

function describeUnused(files: readonly string[]) {
  const more = files.length > maxNamed ? `, and ${files.length - maxNamed} more` : ''
  const were = files.length === 1 ? 'was' : 'were'
  const named = files.slice(0, maxNamed).join(', ')
  return `${plural(files.length, 'recording')} that ${were} not requested again: ${named}${more}`
}
