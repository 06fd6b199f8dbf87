/** What the recordings of a folder give for a request: an answer, or what its proof lacks. */
import type { RecordedResponse } from '../../cassette/interaction.ts'
import { type JsonTree, textAt } from '../../json/json-tree.ts'
import { hasQuirk } from '../../knowledge/module-quirks.ts'
import { gapText } from '../../paging/coverage-text.ts'
import { coverageOf } from '../../paging/listing-coverage.ts'
import type { Synthesis, SynthesisBasis } from '../../paging/synthesis.ts'
import type { Obstacle } from '../../playback/decide.ts'
import type { WikiRequest } from '../../request/api-request.ts'
import type { Derivation } from '../../request/derive.ts'
import type { RequestKey } from '../../request/request-key.ts'
import type { Store } from '../../store/store.ts'
import { entityFormats, writeEntities } from '../../wiki/answers/entity-formats.ts'
import { type Envelope, hasKnownVersion } from '../../wiki/answers/envelope.ts'
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

/** The headers that all these recordings have alike, whatever their formats, and that of an error. */
export function sharedHeaders(
  keys: readonly RequestKey[],
  store: Store,
  body: JsonTree
): ReadonlyMap<string, string> {
  const [first, ...others] = keys.flatMap((key) => {
    const headers = store.get(key).interaction?.responses[0].headers
    return headers ? new Map([...headers].map(inJson)) : []
  })
  const code = textAt(body, 'error', 'code')
  return new Map([
    ...[...(first ?? [])].filter(([name, value]) =>
      others.every((one) => one.get(name) === value)
    ),
    ...(code === undefined ? [] : [['mediawiki-api-error', code] as const])
  ])
}

const inJson = ([name, value]: readonly [string, string]): readonly [string, string] => {
  if (name === 'content-type') return [name, 'application/json; charset=utf-8']
  return [name, name === 'content-disposition' ? value.replace(/\.php$/, '.json') : value]
}

/** An answer in the format of the request; undefined for a format that it cannot be written in. */
export function writtenAnswer(
  tree: JsonTree,
  headers: ReadonlyMap<string, string>,
  request: WikiRequest
): Pick<RecordedResponse, 'headers' | 'body'> | undefined {
  const format =
    request.kind === 'api' && request.envelope.kind === 'opaque'
      ? request.envelope.format
      : undefined
  if (format === undefined)
    return { headers, body: { kind: 'json', tree, spelling: 'utf8' } }
  const text = writeEntities(tree, format)
  const type = entityFormats.get(format)
  if (text === undefined || type === undefined) return undefined
  const named = [...headers].map(([name, value]): readonly [string, string] =>
    name === 'content-disposition'
      ? [name, value.replace(/\.json$/, `.${format}`)]
      : [name, value]
  )
  return {
    headers: new Map(named).set('content-type', type),
    body: { kind: 'text', text }
  }
}

/** Requests of the API without files, but for those of a false origin. */
export const mayAnswer = (request: WikiRequest, derivation: Derivation): boolean =>
  request.kind === 'api' &&
  mayWrite(request.envelope, derivation) &&
  !request.hasFalseOrigin &&
  !(request.posted && request.files.length > 0)

/** In other formats than JSON only what names entities. */
const mayWrite = (envelope: Envelope, { canonical }: Derivation): boolean =>
  envelope.kind !== 'opaque' ||
  (entityFormats.has(envelope.format ?? '') &&
    (envelope.format === 'xml' || hasKnownVersion(canonical)) &&
    hasQuirk('entity-sets', canonical.get('action') ?? ''))
