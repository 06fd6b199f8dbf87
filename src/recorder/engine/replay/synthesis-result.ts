/** What the recordings of a folder give for a request: an answer, or what its proof lacks. */
import { gapText } from '../../paging/coverage-text.ts'
import { coverageOf } from '../../paging/listing-coverage.ts'
import type { Synthesis, SynthesisBasis } from '../../paging/synthesize.ts'
import type { Obstacle } from '../../playback/decide.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import { conflictReason } from '../miss/remedies.ts'

type SynthesizedAnswer = Omit<Extract<Synthesis, { kind: 'synthesized' }>, 'by'> & {
  readonly by?: SynthesisBasis
}

/** Its listing or its pages are recorded, but do not prove this answer. */
type LackingProof = Extract<Obstacle, { kind: 'lacking' }>

export type SynthesisResult =
  | SynthesizedAnswer
  | LackingProof
  | { readonly kind: 'nothing' }

export const lacking = (reason: LackingProof['reason'], why: string): LackingProof => ({
  kind: 'lacking',
  reason,
  why
})

/** Of a listing: an answer, or what is lacking, in words. */
export function synthesisResultOf(synthesis: Synthesis): SynthesisResult {
  switch (synthesis.kind) {
    case 'synthesized':
      return synthesis
    case 'outside': {
      const { gaps } = coverageOf(synthesis.listing)
      const lacks =
        gaps.length === 0
          ? ''
          : `; not recorded: ${gaps.slice(0, 5).map(gapText).join(', ')}`
      return lacking(
        'outside-coverage',
        `The recorded batches do not prove this one: ${synthesis.why}${lacks}.`
      )
    }
    case 'conflict': {
      const between = synthesis.between.join(' and ')
      return lacking(
        'conflict',
        `Recorded batches contradict each other (${between}): ${synthesis.what}; ${conflictReason}.`
      )
    }
    case 'refused':
      return lacking('param-differs', `Its listing is recorded, but ${synthesis.why}.`)
    case 'not-a-listing':
      return { kind: 'nothing' }
  }
}

/** The headers that all these recordings have alike. */
export function sharedHeaders(
  keys: readonly RequestKey[],
  store: Store
): ReadonlyMap<string, string> {
  const [first, ...others] = keys.flatMap(
    (key) => store.get(key).interaction?.responses[0].headers ?? []
  )
  return new Map(
    [...(first ?? [])].filter(([name, value]) =>
      others.every((one) => one.get(name) === value)
    )
  )
}
