/** The result of a synthesis: a response, or a message that says what is lacking. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { coverageOf } from '../../paging/listing-coverage.ts'
import type { Synthesis, SynthesisBasis } from '../../paging/synthesize.ts'
import type { UncertainComposition } from '../../playback/compose/composed-answer.ts'
import type { Obstacle } from '../../playback/decide.ts'
import type { MissReason } from '../../playback/lookup/near-miss.ts'
import { gapText } from '../../report/coverage-text.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { conflictReason } from '../miss/remedies.ts'

export type SynthesisResult =
  | {
      readonly kind: 'made'
      readonly response: RecordedResponse
      readonly from: readonly RequestKey[]
      readonly by?: SynthesisBasis
    }
  /** Its listing or its pages are recorded, but do not prove this answer. */
  | Extract<Obstacle, { kind: 'lacking' }>
  | { readonly kind: 'nothing' }

export function synthesized(
  tree: JsonTree,
  from: readonly RequestKey[],
  headers: ReadonlyMap<string, string> = new Map(),
  by?: SynthesisBasis,
): SynthesisResult {
  const body = { kind: 'json', tree, spelling: 'utf8' } as const
  return { kind: 'made', response: { status: 200, headers, cookies: [], body }, from, ...(by && { by }) }
}

const lacking = (reason: MissReason, why: string): SynthesisResult => ({ kind: 'lacking', reason, why })

export const uncertainPages = ({ why, inOtherEpoch }: UncertainComposition): SynthesisResult =>
  lacking(inOtherEpoch ? 'state-differs' : 'param-differs', `Its pages are recorded, but ${why}.`)

export function synthesisResultOf(synthesis: Synthesis): SynthesisResult {
  switch (synthesis.kind) {
    case 'synthesized':
      return synthesized(synthesis.body, synthesis.from, synthesis.headers, synthesis.by)
    case 'outside': {
      const { gaps } = coverageOf(synthesis.listing)
      const lacks = gaps.length === 0 ? '' : `; not recorded: ${gaps.slice(0, 5).map(gapText).join(', ')}`
      return lacking(
        'outside-coverage',
        `The recorded batches do not prove this one: ${synthesis.why}${lacks}.`,
      )
    }
    case 'conflict':
      return lacking(
        'conflict',
        `Recorded batches contradict each other (${synthesis.between.join(' and ')}): ${synthesis.what}; ${conflictReason}.`,
      )
    case 'refused':
      return lacking('param-differs', `Its listing is recorded, but ${synthesis.why}.`)
    case 'not-a-listing':
      return { kind: 'nothing' }
  }
}
