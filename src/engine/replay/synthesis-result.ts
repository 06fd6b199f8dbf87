/** What came of a synthesis: a response, or in words what is lacking. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import type { JsonTree } from '../../json/json-tree.ts'
import { coverageOf } from '../../paging/listing-coverage.ts'
import type { Synthesis, SynthesisBy } from '../../paging/synthesise.ts'
import type { Unassembled } from '../../playback/compose/composed-answer.ts'
import type { MissReason } from '../../playback/lookup/near-miss.ts'
import { gapText } from '../../report/coverage-text.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { wikiChanged } from '../miss/conflicts.ts'

export type Synthesised =
  | {
      readonly kind: 'made'
      readonly response: RecordedResponse
      readonly from: readonly RequestKey[]
      readonly by?: SynthesisBy
    }
  /** The listing is recorded, but not so that it proves this answer. */
  | { readonly kind: 'lacking'; readonly what: string; readonly reason: MissReason }
  /** Not part of a listing that is recorded. */
  | { readonly kind: 'nothing' }

export function made(
  tree: JsonTree,
  headers: ReadonlyMap<string, string>,
  from: readonly RequestKey[],
  by?: SynthesisBy,
): Synthesised {
  const body = { kind: 'json', tree, spelling: 'utf8' } as const
  return { kind: 'made', response: { status: 200, headers, cookies: [], body }, from, ...(by && { by }) }
}

export const lackingPages = ({ why, atOtherTime }: Unassembled): Synthesised => ({
  kind: 'lacking',
  reason: atOtherTime ? 'state-differs' : 'param-differs',
  what: `Its pages are recorded, but ${why}.`,
})

export function fromSynthesis(synthesis: Synthesis): Synthesised {
  switch (synthesis.kind) {
    case 'synthesized':
      return made(synthesis.body, synthesis.headers, synthesis.from, synthesis.by)
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
        what: `Recorded batches contradict each other (${synthesis.between.join(' and ')}): ${synthesis.what}; ${wikiChanged}.`,
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
