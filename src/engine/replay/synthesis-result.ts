/** What came of a synthesis: a response, or in words what is lacking. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { coverageOf } from '../../paging/listing-coverage.ts'
import type { Synthesis, SynthesisBasis } from '../../paging/synthesise.ts'
import type { UncertainComposition } from '../../playback/compose/composed-answer.ts'
import type { MissReason } from '../../playback/lookup/near-miss.ts'
import { gapText } from '../../report/coverage-text.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { conflictReason } from '../miss/conflicts.ts'

export type SynthesisResult =
  | {
      readonly kind: 'made'
      readonly response: RecordedResponse
      readonly from: readonly RequestKey[]
      readonly by?: SynthesisBasis
    }
  /** The listing is recorded, but not so that it proves this answer. */
  | { readonly kind: 'lacking'; readonly what: string; readonly reason: MissReason }
  /** Not part of a listing that is recorded. */
  | { readonly kind: 'nothing' }

export function synthesised(
  tree: JsonTree,
  headers: ReadonlyMap<string, string>,
  from: readonly RequestKey[],
  by?: SynthesisBasis,
): SynthesisResult {
  const body = { kind: 'json', tree, spelling: 'utf8' } as const
  return { kind: 'made', response: { status: 200, headers, cookies: [], body }, from, ...(by && { by }) }
}

export const uncertainPages = ({ why, inOtherEpoch }: UncertainComposition): SynthesisResult => ({
  kind: 'lacking',
  reason: inOtherEpoch ? 'state-differs' : 'param-differs',
  what: `Its pages are recorded, but ${why}.`,
})

export function synthesisResultOf(synthesis: Synthesis): SynthesisResult {
  switch (synthesis.kind) {
    case 'synthesized':
      return synthesised(synthesis.body, synthesis.headers, synthesis.from, synthesis.by)
    case 'outside': {
      const { gaps } = coverageOf(synthesis.listing)
      const lacks = gaps.length === 0 ? '' : `; not recorded: ${gaps.slice(0, 5).map(gapText).join(', ')}`
      return {
        kind: 'lacking',
        reason: 'outside-coverage',
        what: `The recorded batches do not prove this one: ${synthesis.why}${lacks}.`,
      }
    }
    case 'conflict':
      return {
        kind: 'lacking',
        reason: 'conflict',
        what: `Recorded batches contradict each other (${synthesis.between.join(' and ')}): ${synthesis.what}; ${conflictReason}.`,
      }
    case 'refused':
      return {
        kind: 'lacking',
        reason: 'param-differs',
        what: `Its listing is recorded, but ${synthesis.why}.`,
      }
    case 'not-a-listing':
      return { kind: 'nothing' }
  }
}
