/** The end of a run in mode `update`: drops what was not asked for again, and dates the cassette anew. */
import { toDay } from '../../cassette/format/manifest.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import type { RunSummary } from '../run-summary.ts'
import type { InteractionWriter } from './interaction-writer.ts'

export interface UpdateEnd {
  /** What the run used through any engine of this cassette. */
  readonly used: ReadonlySet<RequestKey>
  /** Why it is not certain that all was asked for again that is needed. */
  readonly uncertainty: string | undefined
  /** The present in milliseconds. */
  readonly now: number
}

export function endUpdate(
  store: Store,
  writer: InteractionWriter,
  summary: RunSummary,
  { used, uncertainty, now }: UpdateEnd,
): void {
  const why = summary.unanswered > 0 ? 'the wiki did not answer every request' : uncertainty
  const unused = writer.dropUnused(used, why)
  const all = why === undefined || (unused === 0 && summary.unanswered === 0)
  if (!all || used.size !== summary.used.size) return
  // All that is left was asked again. Where nothing had changed no file does (docs/decisions/0007-expiry.md).
  if (summary.recorded > 0 && summary.exitCode() === 0)
    store.setManifest({ ...store.manifest, recorded: toDay(now) })
}
