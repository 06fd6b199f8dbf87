/** Answers made of the pages of several recordings: what they are, and what must hold for each. */
import type { Interaction } from '../../cassette/interaction.ts'
import { type JsonTree, membersOf } from '../../json/json-tree.ts'
import type { Derivation, WikiFacts } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import { splitValues } from '../../wiki/parameters/request-params.ts'

/** A rebuilt answer and the recordings that it was made of. */
export interface ComposedAnswer {
  readonly kind: 'assembled'
  readonly body: JsonTree
  readonly from: readonly RequestKey[]
}

/** Every page is recorded, with others, and yet the answer is not certain. */
export interface UncertainComposition {
  readonly kind: 'unassembled'
  readonly why: string
  /** Where a page was recorded, but after other writes. */
  readonly inOtherEpoch: boolean
}

export const uncertainComposition = (why: string, inOtherEpoch = false): UncertainComposition => ({
  kind: 'unassembled',
  why,
  inOtherEpoch,
})

/** @param page its title or its id */
export const recordedInOtherEpoch = (page: string): UncertainComposition =>
  uncertainComposition(`"${page}" with other pages, and not after these writes of the session`, true)

/** The answer, where it is JSON and was always the same. */
export function onlyJsonBody(one: Interaction): JsonTree | undefined {
  const [{ body }, another] = one.responses
  return body.kind === 'json' && another === undefined ? body.tree : undefined
}

/** True where the rows of all pages together stay within the smallest limit of a module in play. */
export function fitsLimits(
  pages: readonly JsonTree[],
  { canonical }: Derivation,
  { lookup }: WikiFacts,
): boolean {
  const modules = splitValues(canonical.get('prop') ?? '').map((prop) => lookup(`query+${prop}`))
  if (modules.some((module) => module === undefined)) return false
  const limits = modules.flatMap((module) => {
    const limit = module?.parameters.get('limit')
    const sent = canonical.get(`${module?.prefix ?? ''}limit`) ?? limit?.default
    // `revisions` has a limit and no default: without one it gives each page its last revision.
    return limit === undefined || sent === undefined ? [] : [Number(sent)]
  })
  const rows = new Map<string, number>()
  for (const page of pages) {
    for (const { key, value } of membersOf(page))
      if (value.kind === 'array') rows.set(key, (rows.get(key) ?? 0) + value.items.length)
  }
  return limits.every((limit) => Math.max(0, ...rows.values()) <= limit)
}
